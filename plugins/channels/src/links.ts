import {
  type ChannelAdapter,
  type ChannelLink,
  type ChannelStatus,
  type Egress,
  LEFT_TO_NEXT,
  type LinkState,
  type LiveEvents,
  type Redaction,
  type SharedWindow,
} from "@parley/core";
import type { ChannelIoParts } from "./channel-io.ts";
import { type ChannelTypes, createChannelTypes } from "./channel-types.ts";
import { createOpenLink } from "./open-link.ts";
import type { StoredChannel } from "./records.ts";
import type { SharedStates } from "./shared-states.ts";
import { createSlots, type Slot } from "./slots.ts";

/** Platforms hand out files through the same door as everything else. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface LinksParts extends Omit<ChannelIoParts, "canSend"> {
  readonly adapters: () => readonly ChannelAdapter[];
  readonly egress: Egress;
  readonly events: LiveEvents;
  readonly redaction: Redaction;
  readonly random: () => number;
  /** False for a channel that this process must not open. */
  readonly isOpenable: (channel: StoredChannel) => boolean;
  /** False for a channel whose connection another node has. */
  readonly isOurs: (channel: StoredChannel) => Promise<boolean>;
  /** Webhooks of the last minute that nobody vouches for. */
  readonly hooked: () => SharedWindow;
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
  /** Another node has told how the connection stands that it has. */
  heard(id: string): void;
  link(id: string): ChannelLink | undefined;
  isOpen(id: string): boolean;
  /** Some installed package speaks the language of that type. */
  serves(type: string): boolean;
  status(channel: Pick<StoredChannel, "id" | "enabled" | "transport">): ChannelStatus;
  /** Requests to platforms, as links make them. */
  readonly fetch: typeof fetch;
  closeAll(): Promise<void>;
}

export function createLinks(parts: LinksParts): Links {
  const { egress, log, isOpenable, mayReachPrivate } = parts;
  const types = createChannelTypes(parts.adapters);
  const slots = createSlots(parts);
  const outside = egress.fetch({ reach: "loopback", maxBytes: MAX_ANSWER_BYTES });
  const anywhere = egress.fetch({ reach: "private", maxBytes: MAX_ANSWER_BYTES });
  const ask: typeof fetch = (...request) => (mayReachPrivate() ? anywhere : outside)(...request);
  const open = createOpenLink({
    ...parts,
    types,
    slots,
    fetch: ask,
    again: (channel) => void inTurn(channel.id, () => open(channel, slots.of(channel.id))),
  });
  let isClosing = false;
  const close = async (slot: Slot, reason?: unknown) => {
    clearTimeout(slot.retry);
    slot.retry = undefined;
    const { close: closing } = slot;
    slot.close = undefined;
    await closing?.(reason);
  };
  /** A change does not wait for a link that may never open. */
  const change = (id: string, work: () => Promise<void>) => {
    slots.of(id).giveUp?.();
    return inTurn(id, work);
  };
  const inTurn = (id: string, work: () => Promise<void>) => {
    const slot = slots.of(id);
    slot.last = slot.last
      .then(work)
      .catch((error) => log.error("a channel could not be changed", { channel: id, error }));
    return slot.last;
  };

  const applied = async (channel: StoredChannel | undefined, id: string) => {
    const slot = slots.of(id);
    await close(slot);
    if (!channel) {
      slots.remove(id);
      return;
    }
    if (isClosing) return;
    if (channel.enabled && isOpenable(channel)) await open(channel, slot);
    else if (channel.enabled) slots.report(id, slot, { state: "stopped", connected: false });
    else slots.report(id, slot, { ...lastProblem(slot), state: "disabled", connected: false });
  };

  return {
    ...types,
    fetch: ask,
    apply: (channel, id) => change(id, () => applied(channel, id)),
    async ensure(channel) {
      let isNew = false;
      // One that is being opened is not begun anew: whoever comes second waits for it.
      await inTurn(channel.id, async () => {
        if (slots.of(channel.id).close) return;
        isNew = true;
        await applied(channel, channel.id);
      });
      return isNew;
    },
    close: (id) =>
      change(id, async () => {
        const slot = slots.of(id);
        await close(slot);
        slots.report(id, slot, { state: "stopped", connected: false });
      }),
    leave: (id) =>
      change(id, async () => {
        const slot = slots.of(id);
        await close(slot);
        slots.report(id, slot, { state: "stopped", connected: false });
        slots.left(slot);
      }),
    link: (id) => slots.find(id)?.link,
    heard: slots.heard,
    status: slots.status,
    serves: (type) => types.adapterFor(type) !== undefined,
    isOpen: (id) => slots.find(id)?.close !== undefined,
    async closeAll() {
      isClosing = true;
      await Promise.all(slots.all().map(([id, slot]) => change(id, () => close(slot, LEFT_TO_NEXT))));
    },
  };
}

// Whoever switches a channel off because of its problem can still read it.
function lastProblem({ state: { error, detail } }: Slot): Pick<LinkState, "error" | "detail"> {
  return error === undefined ? {} : { error, ...(detail && { detail }) };
}
