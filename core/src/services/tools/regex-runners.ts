import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Range } from "../../text-match/keywords.ts";

/** Ranges that a pattern matches; `timeout` when matching took too long. */
export type RegexFinding = readonly Range[] | "timeout";

/** Runs regular expressions of untrusted authors, never on the event loop. */
export interface RegexRunner extends AsyncDisposable {
  /**
   * Tries patterns on a text, each with its own timeout, off the event loop. `patterns` is called when a thread is
   * free, since some may be quarantined by then.
   */
  find(text: string, patterns: () => readonly string[]): Promise<readonly RegexFinding[]>;
  /** Returns the count of running threads, and of all threads started so far. */
  threads(): { readonly alive: number; readonly started: number };
}

/** Opens runners with separate threads, so that areas do not block each other. */
export interface RegexRunners {
  /** Opens a runner. `limitMs` is the CPU time of its thread that one pattern may take, so a busy machine times nothing out. */
  open(options: { readonly limitMs: number }): RegexRunner;
}
export const RegexRunners: ServiceKey<RegexRunners> = serviceKey("regex-runners");
