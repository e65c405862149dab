import type { ChannelLink, ChannelStatus, ErrorDetail, LiveEvent, LiveEvents, Redaction } from "@parley/core";
import type { StoredChannel } from "../config/schema.ts";
import type { LinkListener } from "./channel-io.ts";
import type { ClusterStates } from "./cluster-states.ts";
import type { ConnectionStatus } from "./connection-status.ts";

/** Connection of a channel and its state. */
export interface ConnectionState {
  /** True when another node has the connection. */
  isOnOtherNode: boolean;
  link: ChannelLink | undefined;
  /** Cancels the opening of a connection. */
  abandon: (() => void) | undefined;
  close: ((reason?: unknown) => Promise<void>) | undefined;
  state: ConnectionStatus;
  lastInboundMs: number | undefined;
  lastOutboundMs: number | undefined;
  /** Time of the last request with a wrong secret. */
  lastRejectedMs: number | undefined;
  attempts: number;
  retryTimer: NodeJS.Timeout | undefined;
  /** Resolves when the last requested change of the channel is done; changes run one after another. */
  lastChange: Promise<void>;
}

/** Connection states of all channels that were ever opened by this process, by id. */
export interface ConnectionStates {
  /** Returns the state of a channel, creating it when missing. */
  getOrCreate(id: string): ConnectionState;
  find(id: string): ConnectionState | undefined;
  list(): readonly (readonly [id: string, slot: ConnectionState])[];
  remove(id: string): void;
  /** Sets the state of a channel and notifies watchers and other nodes. */
  report(id: string, slot: ConnectionState, state: ConnectionStatus): void;
  /** Marks a connection as released; its new node reports the state from now on. */
  markReleased(slot: ConnectionState): void;
  /** Notifies watchers here to read again, after another node reported a state; they may have received it before this node did. */
  onRemoteStatus(id: string): void;
  createListener(id: string, slot: ConnectionState): LinkListener;
  getStatus(channel: Pick<StoredChannel, "id" | "enabled" | "transport">): ChannelStatus;
}

export interface ConnectionStatesDeps {
  readonly events: Pick<LiveEvents, "publish" | "relay">;
  /** Masks secrets that a platform's message may repeat. */
  readonly redaction: Pick<Redaction, "mask">;
  /** Returns the states of other nodes; undefined on a single node. */
  readonly clusterStates?: () => ClusterStates | undefined;
}

export function createConnectionStates({ events, redaction, clusterStates }: ConnectionStatesDeps): ConnectionStates {
  const connectionById = new Map<string, ConnectionState>();
  const report: ConnectionStates["report"] = (id, slot, reported) => {
    const state = redaction.mask(reported);
    slot.state = state;
    slot.isOnOtherNode = false;
    clusterStates?.()?.publish(id, state);
    events.publish(toStatusEvent(id, state));
  };
  const getRemoteStatus = (id: string) =>
    connectionById.get(id)?.isOnOtherNode ? clusterStates?.()?.getRemote(id) : undefined;
  return {
    getOrCreate(id) {
      const slot = connectionById.get(id) ?? createConnectionState();
      connectionById.set(id, slot);
      return slot;
    },
    find: (id) => connectionById.get(id),
    list: () => [...connectionById],
    remove: (id) => void connectionById.delete(id),
    report,
    markReleased(slot) {
      slot.state = { state: "stopped", connected: false };
      slot.isOnOtherNode = true;
    },
    onRemoteStatus(id) {
      const state = getRemoteStatus(id);
      if (state) events.relay(toStatusEvent(id, state));
    },
    createListener: (id, slot) => ({
      onInbound(atMs) {
        slot.lastInboundMs = atMs;
      },
      onState: ({ connected, error, detail, receives, warnings, warningDetails }) =>
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
    getStatus({ id, enabled, transport }) {
      const slot = connectionById.get(id);
      const other = getRemoteStatus(id);
      return {
        ...(other && { held_elsewhere: true as const }),
        ...toChannelStatus(slot, other ?? slot?.state, { enabled, transport }),
      };
    },
  };
}

function toStatusEvent(channel_id: string, { state, connected, error }: ConnectionStatus): LiveEvent {
  return { type: "channel_status", durable: true, payload: { channel_id, state, connected, error: error ?? null } };
}

function createConnectionState(): ConnectionState {
  return {
    isOnOtherNode: false,
    link: undefined,
    abandon: undefined,
    close: undefined,
    state: { state: "stopped", connected: false },
    lastInboundMs: undefined,
    lastOutboundMs: undefined,
    lastRejectedMs: undefined,
    attempts: 0,
    retryTimer: undefined,
    lastChange: Promise.resolve(),
  };
}

function toChannelStatus(
  slot: ConnectionState | undefined,
  state: ConnectionStatus | undefined,
  { enabled, transport }: Pick<StoredChannel, "enabled" | "transport">,
): ChannelStatus {
  const toIso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  const warnings = state?.warnings ?? [];
  return {
    state: enabled ? (state?.state ?? "stopped") : "disabled",
    connected: state?.connected ?? false,
    last_error: state?.error ?? null,
    last_error_detail: toErrorDetail(state?.detail),
    receives: isReceiving(slot, state, transport),
    last_rejected_at: toIso(slot?.lastRejectedMs),
    last_inbound_at: toIso(slot?.lastInboundMs),
    last_outbound_at: toIso(slot?.lastOutboundMs),
    warnings,
    warning_details: warnings.map((_, at) => toErrorDetail(state?.warningDetails?.[at])),
  };
}

/** Returns true when messages arrive: always over a connection; with webhooks after a message or the platform's confirmation. */
function isReceiving(
  slot: ConnectionState | undefined,
  state: ConnectionStatus | undefined,
  transport: string,
): boolean {
  if (!state?.connected) return false;
  return state.receives ?? (transport !== "webhook" || slot?.lastInboundMs !== undefined);
}

export function toErrorDetail(detail: ErrorDetail | null | undefined): ChannelStatus["last_error_detail"] {
  if (!detail) return null;
  const { others: _, ...plain } = { params: {}, ...detail };
  return plain;
}
