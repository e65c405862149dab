import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** "This changed": what other processes of an installation keep of it in memory is old. */
export interface Signal {
  /** Kebab case; who keeps something in memory listens to one. */
  readonly topic: string;
  /** What it is about; at most 1,000 characters. */
  readonly key: string;
}

/** Tells the processes that work on one database what one of them has changed. */
export interface Signals {
  /** Whether other processes may work on the same rows. */
  readonly isShared: boolean;
  /**
   * The statements that tell the others, for the transaction that stores the change: they hear of it when it is stored, and of
   * nothing that is not. None where there are no others.
   */
  telling(signals: readonly Signal[]): readonly Write[];
  /**
   * Hears what others told of a topic: of each key once or more often, within a second or so, and after a time without a
   * connection what was told meanwhile. Undefined: what was told is not known any more, and all that is kept is to be read anew.
   * Returns the end of it.
   */
  listen(topic: string, heard: (key: string | undefined) => void): () => void;
}
export const Signals: ServiceKey<Signals> = serviceKey("signals");
