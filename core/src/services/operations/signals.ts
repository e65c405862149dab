import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** Notice of a change: cached state in other processes is outdated. */
export interface Signal {
  /** Topic in kebab case; caches listen to one. */
  readonly topic: string;
  /** Key of the changed thing; at most 1,000 characters. */
  readonly key: string;
}

/** Broadcasts changes to the other processes on the same database. */
export interface Signals {
  /** True when other processes may change the same rows. */
  readonly isShared: boolean;
  /**
   * Returns the statements that signal a change, for the transaction that stores it: others receive it exactly when
   * it is committed. Empty when there are no other processes.
   */
  telling(signals: readonly Signal[]): readonly Write[];
  /**
   * Calls back for each key that another process signals on a topic, once or more, within about a second, and after a
   * lost connection for those signalled meanwhile. Undefined means that signals were lost and everything cached must
   * be read again. A listener that reads returns a promise, for which `catchUp` waits. Returns the unsubscribe function.
   */
  listen(topic: string, listener: (key: string | undefined) => unknown): () => void;
  /**
   * Resolves once changes that other processes stored before this call are applied here, after a second at most.
   * Thereby a client whose requests reach several processes sees its own changes.
   */
  catchUp(): Promise<void>;
}
export const Signals: ServiceKey<Signals> = serviceKey("signals");
