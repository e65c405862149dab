import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** "This changed": what other processes of an installation keep of it in memory is old. */
export interface Signal {
  /** Kebab case; who keeps something in memory listens to one. */
  readonly topic: string;
  /** Key of the changed thing; at most 1,000 characters. */
  readonly key: string;
}

/** Broadcasts changes to the other processes on the same database. */
export interface Signals {
  /** True when other processes may change the same rows. */
  readonly isShared: boolean;
  /**
   * The statements that tell the others, for the transaction that stores the change: they hear of it when it is stored, and of
   * nothing that is not. None where there are no others.
   */
  telling(signals: readonly Signal[]): readonly Write[];
  /**
   * Calls back for each key that another process signals on a topic, once or more, within about a second, and after a
   * lost connection for those signalled meanwhile. Undefined means that signals were lost and everything cached must
   * be read again. Returns the unsubscribe function.
   */
  listen(topic: string, heard: (key: string | undefined) => void): () => void;
}
export const Signals: ServiceKey<Signals> = serviceKey("signals");
