import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Result of `SharedWindow.count`. */
export interface Counted {
  /** Milliseconds until there is room; 0 when the event was counted, otherwise nothing was. */
  readonly waitMs: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Recent events by key, counted across all processes of an installation. */
export interface SharedWindow {
  /**
   * Adds one event to every key, or to none when one would exceed its limit; exact under concurrency. `noted` keys
   * are counted too, without a limit, but only up to 32.
   */
  count(limits: ReadonlyMap<string, number>, noted?: readonly string[]): Promise<Counted>;
  /** Returns the milliseconds until one more event is within `most`; counts nothing. */
  waitMs(key: string, most: number): Promise<number>;
  /**
   * Counts one event of a frequent key and returns `waitMs`. With several processes, each reserves a twentieth of the
   * limit for up to a second: the limit is never exceeded, and each unused reservation lowers it by a twentieth. A
   * key over its limit is not queried until there is room; calls of `uncount` in the meantime do not shorten the wait.
   */
  use(key: string, most: number): Promise<number>;
  /** Removes one event of each key and deletes the `forgotten` ones. */
  uncount(keys: readonly string[], forgotten?: readonly string[]): Promise<void>;
}

/** Limits shared by all processes of an installation. */
export interface SharedWindows {
  /** Opens a window; equal names share their counts. */
  open(name: string, windowMs: number): SharedWindow;
}
export const SharedWindows: ServiceKey<SharedWindows> = serviceKey("shared-windows");
