import {
  AppError,
  type ChannelAdapter,
  type ChannelLink,
  type ChannelState,
  type ChannelStatus,
  type Egress,
  type ErrorDetail,
  type LinkState,
  type LiveEvents,
  problemOf,
  type WebhookAnswer,
  type WebhookRequest,
} from "@parley/core";
import { type ChannelIoParts, createChannelIos, type LinkListener } from "./channel-io.ts";
import { type ChannelTypes, createChannelTypes } from "./channel-types.ts";
import { unlessGivenUp, within } from "./limits.ts";
import type { StoredChannel } from "./records.ts";
import { checkedSettings } from "./settings.ts";
import type { SharedStates } from "./shared-states.ts";
import { createWebhookDoor } from "./webhook-door.ts";

const MAX_BACKOFF_MS = 60_000;
const CLOSE_WITHIN_MS = 10_000;
const RELEASE_WITHIN_MS = 5_000;
/** Platforms hand out files through the same door as everything else. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface LinksParts extends Omit<ChannelIoParts, "canSend"> {
  readonly adapters: () => readonly ChannelAdapter[];
  readonly egress: Egress;
  readonly events: LiveEvents;
  readonly random: () => number;
  /** False for a channel that this process must not open. */
  readonly isOpenable: (channel: StoredChannel) => boolean;
  /** False for a channel whose connection another node has. */
  readonly isOurs: (channel: StoredChannel) => Promise<boolean>;
  /** Of several nodes. */
  readonly states?: () => SharedStates | undefined;
  /** Setting `gateway.allow_private_outbound`: asked for each request. */
  readonly mayReachPrivate: () => boolean;
}

/** Exactly one open link per enabled channel. */
export interface Links extends ChannelTypes {
  /** Opens, closes or opens anew, so that what runs is what the row says; one change of a channel after another. */
  apply(channel: StoredChannel | undefined, id: string): Promise<void>;
  /** Opens the channel unless it is open, or being opened: then waits for that. True when this call opened it. */
  ensure(channel: StoredChannel): Promise<boolean>;
  /** Closes until the next `apply`. */
  close(id: string): Promise<void>;
  /** Closes: another node is to have the connection. */
  leave(id: string): Promise<void>;
  link(id: string): ChannelLink | undefined;
  isOpen(id: string): boolean;
  /** Some installed package speaks the language of that type. */
  serves(type: string): boolean;
  status(channel: Pick<StoredChannel, "id" | "enabled">): ChannelStatus;
  /** Requests to platforms, as links make them. */
  readonly fetch: typeof fetch;
  closeAll(): Promise<void>;
}

type Receive = (request: WebhookRequest) => Promise<WebhookAnswer>;

export type SlotState = LinkState & { readonly state: ChannelState };

interface Slot {
  /** Another node has the connection. */
  isElsewhere: boolean;
  link: ChannelLink | undefined;
  /** Gives up a link that is being opened. */
  giveUp: (() => void) | undefined;
  close: (() => Promise<void>) | undefined;
  state: SlotState;
  lastInboundMs: number | undefined;
  lastOutboundMs: number | undefined;
  tries: number;
  retry: NodeJS.Timeout | undefined;
  last: Promise<void>;
}

export function createLinks(parts: LinksParts): Links {
  const { gateway, egress, events, clock, log, random, isOpenable, isOurs, mayReachPrivate, states } = parts;
  const types = createChannelTypes(parts.adapters);
  const canSend = (channel: StoredChannel) => types.adapterFor(channel.type)?.canSend?.(channel) ?? true;
  const ios = createChannelIos({ ...parts, canSend });
  const slots = new Map<string, Slot>();
  const door = createWebhookDoor(clock, log);
  const outside = egress.fetch({ reach: "loopback", maxBytes: MAX_ANSWER_BYTES });
  const anywhere = egress.fetch({ reach: "private", maxBytes: MAX_ANSWER_BYTES });
  const ask: typeof fetch = (...request) => (mayReachPrivate() ? anywhere : outside)(...request);
  let isClosing = false;
  const slotOf = (id: string): Slot => {
    const slot = slots.get(id) ?? {
      isElsewhere: false,
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
    slot.isElsewhere = false;
    states?.()?.told(id, state);
    events.publish({
      type: "channel_status",
      durable: true,
      payload: { channel_id: id, state: state.state, connected: state.connected, error: state.error ?? null },
    });
  };
  const listenerOf = (id: string, slot: Slot): LinkListener => ({
    heard(atMs) {
      slot.lastInboundMs = atMs;
    },
    reported: ({ connected, error, detail, warnings }) =>
      report(id, slot, {
        state: error ? "error" : "running",
        connected,
        ...(error !== undefined && { error }),
        ...(error !== undefined && detail && { detail }),
        ...(warnings !== undefined && { warnings }),
      }),
  });
  /** The node that has it tells how it stands. */
  const left = (slot: Slot) => {
    slot.state = { state: "stopped", connected: false };
    slot.isElsewhere = true;
  };
  const open = async (channel: StoredChannel, slot: Slot): Promise<void> => {
    const listener = listenerOf(channel.id, slot);
    const adapter = types.adapterFor(channel.type);
    if (!adapter) {
      report(channel.id, slot, {
        state: "error",
        connected: false,
        ...problemOf("channel_type_unserved", { type: channel.type }),
      });
      return;
    }
    const near = types.meant(channel.type);
    if (near !== undefined) {
      const problem = problemOf("channel_type_near", { type: channel.type, near });
      return report(channel.id, slot, { state: "error", connected: false, ...problem });
    }
    const starting = () => report(channel.id, slot, { state: "starting", connected: false });
    if (!states?.()) starting();
    const { value: config, error } = checkedSettings(adapter, channel.type, channel.config);
    if (error) return report(channel.id, slot, { state: "error", connected: false, error });
    const abort = new AbortController();
    const closed = new AppError("unavailable", "the channel was closed while it was being opened");
    slot.giveUp = () => abort.abort(closed);
    try {
      if (!(await isOurs(channel))) return left(slot);
      if (states?.()) starting();
      const completed = { ...channel, config };
      const opening = Promise.resolve(adapter.open(completed, ios.of(completed, listener, ask), abort.signal));
      const link = await unlessGivenUp(opening, abort, (error) =>
        log.warn("a channel that was given up could not be closed", { channel: channel.id, error }),
      );
      // Adapters are others' code.
      if (typeof link?.send !== "function") throw new AppError("unavailable", "the adapter gave no link that can send");
      const counted = withCount(
        link,
        (receive, { accept, ...request }) => {
          const given = accept ? { ...request, accept: ios.accepting(completed, listener, accept) } : request;
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
    ...types,
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
    leave: (id) =>
      change(id, async () => {
        const slot = slotOf(id);
        await close(slot);
        report(id, slot, { state: "stopped", connected: false });
        left(slot);
      }),
    link: (id) => slots.get(id)?.link,
    status({ id, enabled }) {
      const slot = slots.get(id);
      const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
      const other = slot?.isElsewhere ? states?.()?.elsewhere(id) : undefined;
      const state = other ?? slot?.state;
      return {
        ...(other && { held_elsewhere: true as const }),
        state: enabled ? (state?.state ?? "stopped") : "disabled",
        connected: state?.connected ?? false,
        last_error: state?.error ?? null,
        last_error_detail: detailOf(state?.detail),
        last_inbound_at: iso(slot?.lastInboundMs),
        last_outbound_at: iso(slot?.lastOutboundMs),
        warnings: state?.warnings ?? [],
      };
    },
    serves: (type) => types.adapterFor(type) !== undefined,
    isOpen: (id) => slots.get(id)?.close !== undefined,
    async closeAll() {
      isClosing = true;
      await Promise.all([...slots].map(([id, slot]) => change(id, () => close(slot))));
    },
  };
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
