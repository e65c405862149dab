import { type ServiceKey, serviceKey } from "../extension-point.ts";

/** One event for those who watch: `type`, payload fields beside it, snake_case. */
export interface LiveEvent {
  readonly type: string;
  /** Absent: of the console as a whole. */
  readonly session_id?: string;
  /** Durable events are numbered and can be replayed; ephemeral ones are for whoever listens now. */
  readonly durable: boolean;
  /** Of frequent events it is put together when it is read: look at `type` first. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What happened to a record. */
export type ResourceAction = "created" | "updated" | "deleted" | "toggled" | "reordered" | "imported" | "cleared";

/** Carries events to browsers and nodes, in the order published. Provided by the host. */
export interface LiveEvents {
  /** Never throws and never waits for a listener. Publish after the change is stored, not before. */
  publish(event: LiveEvent): void;
  /** Hears what this process publishes, for who acts on it: of all processes one does. Returns the unsubscribe. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  /**
   * The same, and what the other processes of an installation publish, lost while there is no connection: for who shows it.
   * What has to be right is told by `Signals`. Returns the unsubscribe.
   */
  watch(listener: (event: LiveEvent) => void): () => void;
  /** Hands what another process has published to those who watch. */
  relay(event: LiveEvent): void;
}
export const LiveEvents: ServiceKey<LiveEvents> = serviceKey("live-events");

/** The event that a management write sends. */
export function resourceChanged(
  kind: string,
  id: string,
  action: ResourceAction,
  revision: number | null = null,
): LiveEvent {
  return { type: "resource_changed", durable: true, payload: { kind, id, action, revision } };
}
