import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import { type Caller, hasScope, isPerson, type Scope } from "../operations/accounts.ts";

/** Readers of the record that an event is about; a caller that matches one of the fields receives it. */
export interface EventReaders {
  readonly scope?: Scope;
  /** Id of the account that signed in or owns the API key. */
  readonly accountId?: string;
  readonly person?: string;
}

/** A live event: `type` and payload fields, in snake_case. */
export interface LiveEvent {
  readonly type: string;
  /** Absent for events of the console as a whole. */
  readonly session_id?: string;
  /** True for events that are numbered and can be replayed; false for those only sent to current listeners. */
  readonly durable: boolean;
  /** Absent: every caller with the scope `read`. */
  readonly readers?: EventReaders;
  /** For frequent events built on access: check `type` first. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Kind of change to a record. */
export type ResourceAction = "created" | "updated" | "deleted" | "toggled" | "reordered" | "imported" | "cleared";

/** Delivers events to browsers and nodes, in the order published. Provided by the host. */
export interface LiveEvents {
  /** Never throws and never waits for a listener. Publish after the change is stored, not before. */
  publish(event: LiveEvent): void;
  /** Subscribes to events of this process, for code that acts on them, since only one process must. Returns the unsubscribe function. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  /**
   * Subscribes to local events and those other processes publish; remote ones are lost while disconnected, so use
   * `Signals` where correctness matters. Returns the unsubscribe function.
   */
  watch(listener: (event: LiveEvent) => void): () => void;
  /** Passes an event of another process to watchers. */
  relay(event: LiveEvent): void;
}
export const LiveEvents: ServiceKey<LiveEvents> = serviceKey("live-events");

/** Kind of the changed records: its name, when callers with `read` may read them; else the resource, or its kind with its scopes. */
export type ChangedKind =
  | string
  | { readonly kind: string; readonly toldAs?: string | undefined; readonly scopes: { readonly read?: Scope } };

/** Creates the event of a management write, sent to callers that may read records of the kind, or only to `readers`. */
export function resourceChanged(
  changed: ChangedKind,
  id: string,
  action: ResourceAction,
  revision: number | null = null,
  readers?: EventReaders,
): LiveEvent {
  const { kind, toldAs, scopes } =
    typeof changed === "string" ? { kind: changed, scopes: {} } : { toldAs: undefined, ...changed };
  const allowed = readers ?? (scopes.read && scopes.read !== "read" ? { scope: scopes.read } : undefined);
  const payload = { kind: toldAs ?? kind, id, action, revision };
  return { type: "resource_changed", durable: true, ...(allowed && { readers: allowed }), payload };
}

/** Returns whether a caller may receive an event. */
export function mayReceive(caller: Caller, { readers }: Pick<LiveEvent, "readers">): boolean {
  if (!hasScope(caller, "read")) return false;
  if (!readers) return true;
  const { scope, accountId, person } = readers;
  if (scope !== undefined && hasScope(caller, scope)) return true;
  if (accountId !== undefined && accountId === caller.accountId) return true;
  return person !== undefined && isPerson(caller) && person === caller.username;
}
