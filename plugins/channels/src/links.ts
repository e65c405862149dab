import {
  AppError,
  type ChannelAdapter,
  type ChannelIo,
  type ChannelLink,
  type ChannelState,
  type ChannelStatus,
  type Clock,
  checkInbound,
  type Egress,
  type ErrorDetail,
  type Files,
  type Gateway,
  type InboundMessage,
  type LinkState,
  type LiveEvents,
  type Logger,
  nearestWord,
  problemOf,
  type WebhookAnswer,
  type WebhookRequest,
} from "@parley/core";
import type { KeptSecrets } from "./kept-secrets.ts";
import { inTime, unlessGivenUp, within } from "./limits.ts";
import { BUILT_IN, PRESETS, type StoredChannel } from "./records.ts";
import { checkedSettings } from "./settings.ts";
import { createWebhookDoor } from "./webhook-door.ts";

/** What presets begin with is known, whether its package is there or not; `custom` is anybody's own. */
const OFFERED = [...PRESETS.map(({ channel }) => channel.type), "custom"];
const SHORT = 3;
const MAX_BACKOFF_MS = 60_000;
const CLOSE_WITHIN_MS = 10_000;
const RELEASE_WITHIN_MS = 5_000;
/** Platforms hand out files through the same door as everything else. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface LinksParts {
  readonly adapters: () => readonly ChannelAdapter[];
  readonly gateway: () => Gateway;
  /** A variable's value for a channel. */
  readonly secret: KeptSecrets["value"];
  readonly egress: Egress;
  /** Undefined where no plugin keeps files. */
  readonly files: () => Files | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly log: Logger;
  /** Administrators of a channel: its platform's user ids. */
  readonly isAdmin: (channelId: string, userId: string) => boolean;
  /** A text that begins with the word of a command. */
  readonly isCommand: (text: string) => boolean;
  readonly random: () => number;
  /** False for a channel that this process must not open. */
  readonly isOpenable: (channel: StoredChannel) => boolean;
  /** False for a channel whose connection another node has. */
  readonly isOurs: (channel: StoredChannel) => Promise<boolean>;
  /** Setting `gateway.allow_private_outbound`: asked for each request. */
  readonly mayReachPrivate: () => boolean;
}

/** Exactly one open link per enabled channel. */
export interface Links {
  /** Opens, closes or opens anew, so that what runs is what the row says; one change of a channel after another. */
  apply(channel: StoredChannel | undefined, id: string): Promise<void>;
  /** Opens the channel unless it is open, or being opened: then waits for that. True when this call opened it. */
  ensure(channel: StoredChannel): Promise<boolean>;
  /** Closes until the next `apply`. */
  close(id: string): Promise<void>;
  link(id: string): ChannelLink | undefined;
  isOpen(id: string): boolean;
  /** Some installed package speaks the language of that type. */
  serves(type: string): boolean;
  status(channel: Pick<StoredChannel, "id" | "enabled">): ChannelStatus;
  /** Requests to platforms, as links make them. */
  readonly fetch: typeof fetch;
  adapterFor(type: string): ChannelAdapter | undefined;
  /** The known type that somebody meant who wrote one that nobody serves. */
  meant(type: string): string | undefined;
  adapters(): readonly ChannelAdapter[];
  closeAll(): Promise<void>;
}

type Receive = (request: WebhookRequest) => Promise<WebhookAnswer>;

interface Slot {
  link: ChannelLink | undefined;
  /** Gives up a link that is being opened. */
  giveUp: (() => void) | undefined;
  close: (() => Promise<void>) | undefined;
  state: LinkState & { readonly state: ChannelState };
  lastInboundMs: number | undefined;
  lastOutboundMs: number | undefined;
  tries: number;
  retry: NodeJS.Timeout | undefined;
  last: Promise<void>;
}

export function createLinks(parts: LinksParts): Links {
  const {
    adapters,
    gateway,
    secret,
    egress,
    files,
    events,
    clock,
    log,
    isAdmin,
    isCommand,
    random,
    isOpenable,
    isOurs,
    mayReachPrivate,
  } = parts;
  const slots = new Map<string, Slot>();
  const door = createWebhookDoor(clock, log);
  const outside = egress.fetch({ reach: "loopback", maxBytes: MAX_ANSWER_BYTES });
  const anywhere = egress.fetch({ reach: "private", maxBytes: MAX_ANSWER_BYTES });
  const ask: typeof fetch = (...request) => (mayReachPrivate() ? anywhere : outside)(...request);
  let isClosing = false;
  // A type nobody registers is served by the generic adapter, when there is one.
  const adapterFor = (type: string) =>
    adapters().find((one) => one.type === type) ?? adapters().find((one) => one.type === "generic");
  const meant = (type: string) => {
    const known = [...adapters().map((one) => one.type), ...BUILT_IN.map((one) => one.type), ...OFFERED];
    const near = known.includes(type) ? undefined : nearestWord(type, known);
    // Short names are all near to each other: only their case is a slip.
    const isShort = near !== undefined && near.length <= SHORT && near.toLowerCase() !== type.toLowerCase();
    return isShort ? undefined : near;
  };
  const kept = (): Files => {
    const found = files();
    if (!found) throw new AppError("unavailable", "no enabled plugin keeps files");
    return found;
  };
  const slotOf = (id: string): Slot => {
    const slot = slots.get(id) ?? {
      link: undefined,
      giveUp: undefined,
      close: undefined,
      state: { state: "stopped", connected: false },
      lastInboundMs: undefined,
      lastOutboundMs: undefined,
      tries: 0,
      retry: undefined,
      last: Promise.resolve(),
    };
    slots.set(id, slot as Slot);
    return slot as Slot;
  };
  const report = (id: string, slot: Slot, state: Slot["state"]) => {
    slot.state = state;
    events.publish({
      type: "channel_status",
      durable: true,
      payload: { channel_id: id, state: state.state, connected: state.connected, error: state.error ?? null },
    });
  };
  /** What an adapter hands over, as the service knows it, for whoever takes it. */
  const acceptFor =
    (channel: StoredChannel, slot: Slot, take: ChannelIo["accept"]): ChannelIo["accept"] =>
    async (message) => {
      checkInbound(message, channel.id);
      slot.lastInboundMs = clock.now();
      // What an adapter says about administrators counts for nothing.
      const sender = { ...message.sender, isAdmin: isAdmin(channel.id, message.sender.id) };
      const addressed = isAllowed(channel, message) && isAddressed(channel, message);
      const accepting = take({ ...message, source: channel.id, sender, addressed });
      // A platform that waits for the answer to its call is told to come again: what is stored later is a copy then.
      return channel.transport === "webhook" ? inTime(accepting) : accepting;
    };
  const ioFor = (channel: StoredChannel, slot: Slot): ChannelIo => ({
    accept: acceptFor(channel, slot, (message) => gateway().accept(message)),
    moved: (move) => gateway().moved({ ...move, channelId: channel.id }),
    report: ({ connected, error, detail, warnings }) =>
      report(channel.id, slot, {
        state: error ? "error" : "running",
        connected,
        ...(error !== undefined && { error }),
        ...(error !== undefined && detail && { detail }),
        ...(warnings !== undefined && { warnings }),
      }),
    secret: (variable) => secret(channel, variable),
    fetch: ask,
    files: { open: async (url) => kept().open(url), link: (url, seconds) => kept().link(url, seconds) },
    log: log.child({ channel: channel.id }),
  });
  /** In a group the channel's own setting decides; a command always means the bot. */
  const isAddressed = ({ config }: StoredChannel, { conversation, addressed, text }: InboundMessage): boolean => {
    if (!conversation.isGroup || config.group_trigger === "all") return true;
    return isCommand(text) || (addressed && config.group_trigger !== "never");
  };
  const open = async (channel: StoredChannel, slot: Slot): Promise<void> => {
    const adapter = adapterFor(channel.type);
    if (!adapter) {
      report(channel.id, slot, {
        state: "error",
        connected: false,
        ...problemOf("channel_type_unserved", { type: channel.type }),
      });
      return;
    }
    const near = meant(channel.type);
    if (near !== undefined) {
      const problem = problemOf("channel_type_near", { type: channel.type, near });
      return report(channel.id, slot, { state: "error", connected: false, ...problem });
    }
    report(channel.id, slot, { state: "starting", connected: false });
    const { value: config, error } = checkedSettings(adapter, channel.type, channel.config);
    if (error) return report(channel.id, slot, { state: "error", connected: false, error });
    const abort = new AbortController();
    const closed = new AppError("unavailable", "the channel was closed while it was being opened");
    slot.giveUp = () => abort.abort(closed);
    try {
      if (!(await isOurs(channel))) return report(channel.id, slot, { state: "stopped", connected: false });
      const completed = { ...channel, config };
      const opening = Promise.resolve(adapter.open(completed, ioFor(completed, slot), abort.signal));
      const link = await unlessGivenUp(opening, abort, (error) =>
        log.warn("a channel that was given up could not be closed", { channel: channel.id, error }),
      );
      // Adapters are others' code.
      if (typeof link?.send !== "function") throw new AppError("unavailable", "the adapter gave no link that can send");
      const counted = withCount(
        link,
        (receive, { accept, ...request }) => {
          const given = accept ? { ...request, accept: acceptFor(channel, slot, accept) } : request;
          return door.receive(channel, link, receive, given);
        },
        () => {
          slot.lastOutboundMs = clock.now();
        },
      );
      const connection = gateway().connect(channel, counted, adapter.idempotency);
      slot.link = counted;
      slot.tries = 0;
      slot.close = async () => {
        abort.abort();
        slot.link = undefined;
        await within(Promise.all([connection[Symbol.asyncDispose]()]), CLOSE_WITHIN_MS);
        const isReleased = await within(Promise.resolve(link[Symbol.asyncDispose]()), RELEASE_WITHIN_MS);
        if (!isReleased)
          log.warn("a channel's link did not close in time", { channel: channel.id, type: channel.type });
      };
      if (slot.state.state === "starting") report(channel.id, slot, { state: "running", connected: true });
    } catch (thrown) {
      if (abort.signal.reason === closed) return;
      const reason = (thrown as Error).message;
      log.warn("a channel could not be opened", { channel: channel.id, error: thrown });
      const detail = AppError.is(thrown) ? thrown.detail : undefined;
      report(channel.id, slot, { state: "error", connected: false, error: reason, ...(detail && { detail }) });
      slot.tries += 1;
      const wait = random() * Math.min(MAX_BACKOFF_MS, 500 * 2 ** slot.tries);
      slot.retry = setTimeout(() => void inTurn(channel.id, () => open(channel, slot)), wait);
    } finally {
      slot.giveUp = undefined;
    }
  };
  const close = async (slot: Slot) => {
    clearTimeout(slot.retry);
    slot.retry = undefined;
    const { close: closing } = slot;
    slot.close = undefined;
    await closing?.();
  };
  /** A change does not wait for a link that may never open. */
  const change = (id: string, work: () => Promise<void>) => {
    slotOf(id).giveUp?.();
    return inTurn(id, work);
  };
  const inTurn = (id: string, work: () => Promise<void>) => {
    const slot = slotOf(id);
    slot.last = slot.last
      .then(work)
      .catch((error) => log.error("a channel could not be changed", { channel: id, error }));
    return slot.last;
  };

  const applied = async (channel: StoredChannel | undefined, id: string) => {
    const slot = slotOf(id);
    await close(slot);
    if (!channel) {
      slots.delete(id);
      return;
    }
    if (isClosing) return;
    if (channel.enabled && isOpenable(channel)) await open(channel, slot);
    else if (channel.enabled) report(id, slot, { state: "stopped", connected: false });
    else report(id, slot, { ...lastProblem(slot), state: "disabled", connected: false });
  };

  return {
    adapterFor,
    meant,
    adapters,
    fetch: ask,
    apply: (channel, id) => change(id, () => applied(channel, id)),
    async ensure(channel) {
      let isNew = false;
      // One that is being opened is not begun anew: whoever comes second waits for it.
      await inTurn(channel.id, async () => {
        if (slotOf(channel.id).close) return;
        isNew = true;
        await applied(channel, channel.id);
      });
      return isNew;
    },
    close: (id) =>
      change(id, async () => {
        const slot = slotOf(id);
        await close(slot);
        report(id, slot, { state: "stopped", connected: false });
      }),
    link: (id) => slots.get(id)?.link,
    status({ id, enabled }) {
      const slot = slots.get(id);
      const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
      return {
        state: enabled ? (slot?.state.state ?? "stopped") : "disabled",
        connected: slot?.state.connected ?? false,
        last_error: slot?.state.error ?? null,
        last_error_detail: detailOf(slot?.state.detail),
        last_inbound_at: iso(slot?.lastInboundMs),
        last_outbound_at: iso(slot?.lastOutboundMs),
        warnings: slot?.state.warnings ?? [],
      };
    },
    serves: (type) => adapterFor(type) !== undefined,
    isOpen: (id) => slots.get(id)?.close !== undefined,
    async closeAll() {
      isClosing = true;
      await Promise.all([...slots].map(([id, slot]) => change(id, () => close(slot))));
    },
  };
}

/** Who may be answered at all, by the channel's lists; what is not answered is noted all the same. */
function isAllowed({ config }: StoredChannel, { sender, conversation }: InboundMessage): boolean {
  const isOn = (list: unknown) => Array.isArray(list) && [sender.id, conversation.id].some((id) => list.includes(id));
  const isOpen = !Array.isArray(config.allow) || config.allow.length === 0;
  return (isOpen || isOn(config.allow)) && !isOn(config.deny);
}

// Whoever switches a channel off because of its problem can still read it.
function lastProblem({ state: { error, detail } }: Slot): Pick<LinkState, "error" | "detail"> {
  return error === undefined ? {} : { error, ...(detail && { detail }) };
}

/** The link as others see it: what it can do is its adapter's affair, so whatever it has is passed on. */
function withCount(
  link: ChannelLink,
  behindDoor: (receive: Receive, request: WebhookRequest) => Promise<WebhookAnswer>,
  sent: () => void,
): ChannelLink {
  const receive = link.receive?.bind(link);
  const own: Partial<ChannelLink> = {
    ...(receive && { receive: (request) => behindDoor(receive, request) }),
    async send(message, signal) {
      const receipt = await link.send(message, signal);
      sent();
      return receipt;
    },
  };
  // Over an object of its own, because what is frozen may not be shown otherwise; bound, because a link may be an instance.
  return new Proxy(own as ChannelLink, {
    has: (_own, key) => key in link,
    get(_own, key) {
      const found: unknown = Reflect.get(key in own ? own : link, key);
      return typeof found === "function" ? found.bind(link) : found;
    },
  });
}

function detailOf(detail: ErrorDetail | undefined): ChannelStatus["last_error_detail"] {
  return detail ? { key: detail.key, params: detail.params ?? {} } : null;
}
