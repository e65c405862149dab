import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Range } from "../../text-match/keywords.ts";

/** Ranges that a pattern matches; `timeout` when matching took too long. */
export type RegexFinding = readonly Range[] | "timeout";

/** Other people's regular expressions, never on the event loop. */
export interface RegexRunner extends AsyncDisposable {
  /**
   * Tries the patterns on the text, each for its own limited time, off the event loop. `patterns` is asked when a
   * thread is free: by then some may have been set aside.
   */
  find(text: string, patterns: () => readonly string[]): Promise<readonly RegexFinding[]>;
  /** Threads that exist now, and how many were ever started. */
  threads(): { readonly alive: number; readonly started: number };
}

/** Opens runners with threads of their own: what one area tries does not hold up another one. */
export interface RegexRunners {
  open(options: { readonly limitMs: number }): RegexRunner;
}
export const RegexRunners: ServiceKey<RegexRunners> = serviceKey("regex-runners");
