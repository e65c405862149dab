import type {
  ChannelLink,
  ChannelState,
  ChannelStatus,
  ErrorDetail,
  LinkState,
  LiveEvent,
  LiveEvents,
  Redaction,
} from "@parley/core";
import type { LinkListener } from "./channel-io.ts";
import type { StoredChannel } from "./records.ts";
import type { SharedStates } from "./shared-states.ts";

export type SlotState = LinkState & { readonly state: ChannelState };

/** A channel's place: its link, and how it stands. */
export interface Slot {
  /** Another node has the connection. */
  isElsewhere: boolean;
  link: ChannelLink | undefined;
  /** Gives up a link that is being opened. */
  giveUp: (() => void) | undefined;
  close: ((reason?: unknown) => Promise<void>) | undefined;
  state: SlotState;
  lastInboundMs: number | undefined;
  lastOutboundMs: number | undefined;
  /** A request that did not hold its secret. */
  lastRejectedMs: number | undefined;
  tries: number;
  retry: NodeJS.Timeout | undefined;
  /** Changes of the channel, one after another. */
  last: Promise<void>;
}

/** The places of all channels that were ever opened here, by id. */
export interface Slots {
  /** Made where there is none yet. */
  of(id: string): Slot;
  find(id: string): Slot | undefined;
  all(): readonly (readonly [id: string, slot: Slot])[];
  remove(id: string): void;
  /** How the channel stands from now on; those who watch are told, and the other nodes. */
  report(id: string, slot: Slot, state: SlotState): void;
  /** The node that has it tells how it stands. */
  left(slot: Slot): void;
  /** That node has told: those who watch here look again. Its own word may have reached them before this node knew. */
  heard(id: string): void;
  listenerOf(id: string, slot: Slot): LinkListener;
  status(channel: Pick<StoredChannel, "id" | "enabled" | "transport">): ChannelStatus;
}

export interface SlotsParts {
  readonly events: Pick<LiveEvents, "publish" | "relay">;
  /** What a platform says may repeat a secret. */
  readonly redaction: Pick<Redaction, "mask">;
  /** Of several nodes. */
  readonly states?: () => SharedStates | undefined;
}

export function createSlots({ events, redaction, states }: SlotsParts): Slots {
  const slots = new Map<string, Slot>();
  const report: Slots["report"] = (id, slot, reported) => {
    const state = redaction.mask(reported);
    slot.state = state;
    slot.isElsewhere = false;
    states?.()?.told(id, state);
    events.publish(told(id, state));
  };
  const elsewhere = (id: string) => (slots.get(id)?.isElsewhere ? states?.()?.elsewhere(id) : undefined);
  return {
    of(id) {
      const slot = slots.get(id) ?? emptySlot();
      slots.set(id, slot);
      return slot;
    },
    find: (id) => slots.get(id),
    all: () => [...slots],
    remove: (id) => void slots.delete(id),
    report,
    left(slot) {
      slot.state = { state: "stopped", connected: false };
      slot.isElsewhere = true;
    },
    heard(id) {
      const state = elsewhere(id);
      if (state) events.relay(told(id, state));
    },
    listenerOf: (id, slot) => ({
      heard(atMs) {
        slot.lastInboundMs = atMs;
      },
      reported: ({ connected, error, detail, receives, warnings, warningDetails }) =>
        report(id, slot, {
          state: error ? "error" : "running",
          connected,
          ...(error !== undefined && { error }),
          ...(error !== undefined && detail && { detail }),
          ...(receives !== undefined && { receives }),
          ...(warnings !== undefined && { warnings }),
          ...(warningDetails && { warningDetails }),
        }),
    }),
    status({ id, enabled, transport }) {
      const slot = slots.get(id);
      const other = elsewhere(id);
      return {
        ...(other && { held_elsewhere: true as const }),
        ...statusOf(slot, other ?? slot?.state, { enabled, transport }),
      };
    },
  };
}

function told(channel_id: string, { state, connected, error }: SlotState): LiveEvent {
  return { type: "channel_status", durable: true, payload: { channel_id, state, connected, error: error ?? null } };
}

function emptySlot(): Slot {
  return {
    isElsewhere: false,
    link: undefined,
    giveUp: undefined,
    close: undefined,
    state: { state: "stopped", connected: false },
    lastInboundMs: undefined,
    lastOutboundMs: undefined,
    lastRejectedMs: undefined,
    tries: 0,
    retry: undefined,
    last: Promise.resolve(),
  };
}

function statusOf(
  slot: Slot | undefined,
  state: SlotState | undefined,
  { enabled, transport }: Pick<StoredChannel, "enabled" | "transport">,
): ChannelStatus {
  const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  const warnings = state?.warnings ?? [];
  return {
    state: enabled ? (state?.state ?? "stopped") : "disabled",
    connected: state?.connected ?? false,
    last_error: state?.error ?? null,
    last_error_detail: detailOf(state?.detail),
    receives: isReceiving(slot, state, transport),
    last_rejected_at: iso(slot?.lastRejectedMs),
    last_inbound_at: iso(slot?.lastInboundMs),
    last_outbound_at: iso(slot?.lastOutboundMs),
    warnings,
    warning_details: warnings.map((_, at) => detailOf(state?.warningDetails?.[at])),
  };
}

/** Over a connection messages come as they go; where the platform posts, it takes a message, or the word of the platform. */
function isReceiving(slot: Slot | undefined, state: SlotState | undefined, transport: string): boolean {
  if (!state?.connected) return false;
  return state.receives ?? (transport !== "webhook" || slot?.lastInboundMs !== undefined);
}

export function detailOf(detail: ErrorDetail | null | undefined): ChannelStatus["last_error_detail"] {
  if (!detail) return null;
  const { key, params = {}, chinese } = detail;
  return { key, params, ...(chinese !== undefined && { chinese }) };
}
