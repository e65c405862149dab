import type { Clock, ItemFailure, Redaction } from "@parley/core";
import type { JobProgress, LogLine } from "./job-store.ts";

const MAX_LINES = 500;
const MAX_LINE = 1_000;
const MAX_TEXT = 200;
const MAX_TOLD = 4_000;

/** What a run says of itself, until it is stored. */
export interface RunNotes {
  progress(fraction: number, text?: string): void;
  log(line: string | ItemFailure): void;
  current(): JobProgress;
  /** The lines that are not stored yet; of too many the oldest are left out. */
  takeLines(): readonly LogLine[];
  /** True: something was said that is not stored. */
  isNew(): boolean;
}

export function createRunNotes(before: JobProgress, clock: Clock, redaction: Redaction, said: () => void): RunNotes {
  let now = before;
  let lines: LogLine[] = [];
  let number = 0;
  let isNew = false;
  const say = () => {
    if (!isNew) said();
    isNew = true;
  };
  const clean = (text: string, most: number) =>
    redaction.mask(String(text)).replaceAll("\u0000", "").slice(0, most).toWellFormed();
  const kept = (detail: ItemFailure["detail"]) => {
    const told = detail ? JSON.stringify(redaction.mask(detail)).replaceAll("\\u0000", "") : null;
    return told === null || told.length > MAX_TOLD ? null : told;
  };
  return {
    progress(fraction, text = now.text) {
      const share = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
      now = { progress: Math.round(share * 1_000), text: clean(text, MAX_TEXT) };
      say();
    },
    log(line) {
      number += 1;
      const { error, detail } = typeof line === "string" ? { error: line } : line;
      lines.push({ number, atMs: clock.now(), text: clean(error, MAX_LINE), told: kept(detail) });
      if (lines.length > MAX_LINES) lines.shift();
      say();
    },
    current: () => now,
    takeLines() {
      const taken = lines;
      lines = [];
      isNew = false;
      return taken;
    },
    isNew: () => isNew,
  };
}
