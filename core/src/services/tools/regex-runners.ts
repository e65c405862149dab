import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Range } from "../../text-match/keywords.ts";

/** Ranges that a pattern matches; `timeout` when matching took too long. */
export type RegexFinding = readonly Range[] | "timeout";

/** An expression of an author in JavaScript's syntax, and the text that replaces what it finds. */
export interface RegexReplacement {
  readonly pattern: string;
  readonly flags: string;
  /** `$1`, `$<name>`, `$0` and `{{match}}` stand for what was found. */
  readonly replacement: string;
  /** Texts that are removed from what was found before it is inserted. */
  readonly trim: readonly string[];
}

/** A text after replacements. */
export interface ReplacedText {
  readonly text: string;
  /** Indexes of replacements that took too long. */
  readonly timeouts: readonly number[];
  /** Indexes of replacements that were not begun, since the time for all had passed. */
  readonly skipped: readonly number[];
  /** Milliseconds that they took, without the wait for a thread. */
  readonly ms: number;
}

/** Runs regular expressions of untrusted authors, never on the event loop. */
export interface RegexRunner extends AsyncDisposable {
  /**
   * Tries patterns on a text, each with its own timeout, off the event loop. `patterns` is called when a thread is
   * free, since some may be quarantined by then.
   */
  find(text: string, patterns: () => readonly string[]): Promise<readonly RegexFinding[]>;
  /**
   * Applies replacements one after the other, each with its own timeout; invalid ones, and ones that make a text too
   * long, change nothing. None begins after `totalMs` milliseconds; absent: no limit for all.
   */
  replace(
    text: string,
    replacements: readonly RegexReplacement[],
    options?: { readonly totalMs?: number },
  ): Promise<ReplacedText>;
  /** Returns the count of running threads, and of all threads started so far. */
  threads(): { readonly alive: number; readonly started: number };
}

/** Opens runners with separate threads, so that areas do not block each other. */
export interface RegexRunners {
  /** Opens a runner. `limitMs` is the CPU time of its thread that one pattern may take, so a busy machine times nothing out. */
  open(options: { readonly limitMs: number }): RegexRunner;
}
export const RegexRunners: ServiceKey<RegexRunners> = serviceKey("regex-runners");
