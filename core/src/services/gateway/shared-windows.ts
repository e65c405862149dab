import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** What became of a try to count. */
export interface Counted {
  /** Milliseconds until there is room; 0: it was counted, else nothing was. */
  readonly waitMs: number;
  /** How many there are of each key by now. */
  readonly counts: ReadonlyMap<string, number>;
}

/** What happened lately by key, counted for all processes of an installation together. */
export interface SharedWindow {
  /**
   * Counts one more of each key, or of none when one of them would be above its limit: exactly, however many ask at once.
   * What is `noted` is counted with them and limits nothing; of each the newest 32 are known.
   */
  count(limits: ReadonlyMap<string, number>, noted?: readonly string[]): Promise<Counted>;
  /** Milliseconds until one more would be within `most`; nothing is counted. */
  waitMs(key: string, most: number): Promise<number>;
  /**
   * Counts one key that is counted all the time; gives `waitMs`. Where there are several processes each takes a twentieth
   * of the limit at a time, for a second at most: never more than the limit is let through, and a twentieth less for each
   * process that took its share in vain. A key that is over its limit costs no question until there is room: what of it is
   * taken back meanwhile is not seen.
   */
  use(key: string, most: number): Promise<number>;
  /** Takes one of each back. Nothing is known of `forgotten` from then on. */
  uncount(keys: readonly string[], forgotten?: readonly string[]): Promise<void>;
}

/** Limits that hold for an installation, however many processes it has. */
export interface SharedWindows {
  /** The same counts for the same name. */
  open(name: string, windowMs: number): SharedWindow;
}
export const SharedWindows: ServiceKey<SharedWindows> = serviceKey("shared-windows");
