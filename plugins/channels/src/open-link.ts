import {
  AppError,
  type ChannelAdapter,
  type ChannelLink,
  type LinkState,
  problemOf,
  type SharedWindow,
  type WebhookAnswer,
  type WebhookRequest,
} from "@parley/core";
import { type ChannelIoParts, createChannelIos } from "./channel-io.ts";
import type { ChannelTypes } from "./channel-types.ts";
import { unlessGivenUp, within } from "./limits.ts";
import type { StoredChannel } from "./records.ts";
import { channelFailure } from "./said-failures.ts";
import { checkedSettings } from "./settings.ts";
import type { SharedStates } from "./shared-states.ts";
import type { Slot, Slots } from "./slots.ts";
import { createWebhookDoor, UNPROVEN } from "./webhook-door.ts";

const MAX_BACKOFF_MS = 60_000;
const CLOSE_WITHIN_MS = 10_000;
const RELEASE_WITHIN_MS = 5_000;

export interface OpeningParts extends Omit<ChannelIoParts, "canSend"> {
  readonly types: ChannelTypes;
  readonly slots: Slots;
  readonly random: () => number;
  /** Webhooks of the last minute that nobody vouches for. */
  readonly hooked: () => SharedWindow;
  /** False for a channel whose connection another node has. */
  readonly isOurs: (channel: StoredChannel) => Promise<boolean>;
  /** Of several nodes. */
  readonly states?: () => SharedStates | undefined;
  /** Requests to platforms. */
  readonly fetch: typeof fetch;
  /** It could not be opened: called when that is to be tried again. */
  readonly again: (channel: StoredChannel) => void;
}

/** Whoever asked did not hold the secret, or the signature. */
const TURNED_AWAY: ReadonlySet<string> = new Set(["unauthorized", "permission_denied"]);

type Receive = (request: WebhookRequest) => Promise<WebhookAnswer>;

/** Opens a channel's link, and reports how that went; one that cannot be opened is tried again, each time later. */
export type OpenLink = (channel: StoredChannel, slot: Slot) => Promise<void>;

export function createOpenLink(parts: OpeningParts): OpenLink {
  const { types, slots, clock, log, random, hooked, isOurs, states } = parts;
  const canSend = (channel: StoredChannel) => types.adapterFor(channel.type)?.canSend?.(channel) ?? true;
  const ios = createChannelIos({ ...parts, canSend });
  const door = createWebhookDoor(hooked, log, clock, () => parts.gateway().addressLimit ?? UNPROVEN);

  /** What others see of a link. */
  const counted = (channel: StoredChannel, completed: StoredChannel, link: ChannelLink, slot: Slot) =>
    withCount(
      link,
      (receive, { accept, ...request }) => {
        const listener = slots.listenerOf(channel.id, slot);
        const given = accept ? { ...request, accept: ios.accepting(completed, listener, accept) } : request;
        return door.receive(channel, link, receive, given).catch((error: unknown) => {
          if (AppError.is(error) && TURNED_AWAY.has(error.code)) slot.lastRejectedMs = clock.now();
          throw error;
        });
      },
      () => {
        slot.lastOutboundMs = clock.now();
      },
    );
  const opened = (channel: StoredChannel, adapter: ChannelAdapter, slot: Slot, abort: AbortController) => {
    const io = ios.of(channel, slots.listenerOf(channel.id, slot), parts.fetch);
    return unlessGivenUp(Promise.resolve(adapter.open(channel, io, abort.signal)), abort, (error) =>
      log.warn("a channel that was given up could not be closed", { channel: channel.id, error }),
    );
  };
  const failed = (channel: StoredChannel, slot: Slot, thrown: unknown) => {
    const { message: error } = thrown as Error;
    log.warn("a channel could not be opened", { channel: channel.id, error: thrown });
    const detail = AppError.is(thrown) ? thrown.detail : undefined;
    slots.report(channel.id, slot, { state: "error", connected: false, error, ...(detail && { detail }) });
    slot.tries += 1;
    slot.retry = setTimeout(() => parts.again(channel), random() * Math.min(MAX_BACKOFF_MS, 500 * 2 ** slot.tries));
  };

  return async (channel, slot) => {
    const { id, type } = channel;
    const starting = () => slots.report(id, slot, { state: "starting", connected: false });
    const adapter = types.adapterFor(type);
    const problem = problemOfType(types, type);
    if (!adapter || problem) return slots.report(id, slot, { state: "error", connected: false, ...problem });
    // Of several nodes only the one that has it says that it starts.
    if (!states?.()) starting();
    const { value: config, error, detail } = checkedSettings(adapter, type, channel.config);
    if (error) return slots.report(id, slot, { state: "error", connected: false, error, ...(detail && { detail }) });
    const completed = { ...channel, config };
    const abort = new AbortController();
    const closed = channelFailure("unavailable", "closed_opening");
    slot.giveUp = () => abort.abort(closed);
    try {
      if (!(await isOurs(channel))) return slots.left(slot);
      if (states?.()) starting();
      const link = await opened(completed, adapter, slot, abort);
      // Adapters are others' code.
      if (typeof link?.send !== "function") throw channelFailure("unavailable", "no_link");
      const own = counted(channel, completed, link, slot);
      const connection = parts.gateway().connect(channel, own, adapter.idempotency);
      slot.link = own;
      slot.tries = 0;
      slot.close = async (reason) => {
        abort.abort(reason);
        slot.link = undefined;
        await within(Promise.all([connection[Symbol.asyncDispose]()]), CLOSE_WITHIN_MS);
        const isReleased = await within(Promise.resolve(link[Symbol.asyncDispose]()), RELEASE_WITHIN_MS);
        if (!isReleased) log.warn("a channel's link did not close in time", { channel: id, type });
      };
      if (slot.state.state === "starting") slots.report(id, slot, { state: "running", connected: true });
    } catch (thrown) {
      if (abort.signal.reason !== closed) failed(channel, slot, thrown);
    } finally {
      slot.giveUp = undefined;
    }
  };
}

/** Why no link of a type can be opened. */
function problemOfType(types: ChannelTypes, type: string): Pick<LinkState, "error" | "detail"> | undefined {
  if (!types.adapterFor(type)) return problemOf("channel_type_unserved", { type });
  const near = types.meant(type);
  return near === undefined ? undefined : problemOf("channel_type_near", { type, near });
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
