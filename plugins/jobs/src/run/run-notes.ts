import type { Clock, ItemFailure, Redaction } from "@parley/core";
import type { JobProgress, LogLine } from "../store/job-store.ts";

const MAX_LINES = 500;
const MAX_LINE_CHARS = 1_000;
const MAX_TEXT_CHARS = 200;
const MAX_DETAIL_CHARS = 4_000;

/** Progress and log lines of a run until they are stored. */
export interface RunNotes {
  progress(fraction: number, text?: string): void;
  log(line: string | ItemFailure): void;
  current(): JobProgress;
  /** Returns the lines since the last call, at most the newest 500, and sets `isNew` to false. */
  takeLines(): readonly LogLine[];
  /** True when there are reports that are not stored. */
  isNew(): boolean;
}

export function createRunNotes(
  before: JobProgress,
  clock: Clock,
  redaction: Redaction,
  onFirstNote: () => void,
): RunNotes {
  let now = before;
  let lines: LogLine[] = [];
  let number = 0;
  let isNew = false;
  const markNew = () => {
    if (!isNew) onFirstNote();
    isNew = true;
  };
  const sanitize = (text: string, most: number) =>
    redaction.mask(String(text)).replaceAll("\u0000", "").slice(0, most).toWellFormed();
  const toStoredDetail = (detail: ItemFailure["detail"]) => {
    const detailText = detail ? JSON.stringify(redaction.mask(detail)).replaceAll("\\u0000", "") : null;
    return detailText === null || detailText.length > MAX_DETAIL_CHARS ? null : detailText;
  };
  return {
    progress(fraction, text = now.text) {
      const share = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
      now = { progress: Math.round(share * 1_000), text: sanitize(text, MAX_TEXT_CHARS) };
      markNew();
    },
    log(line) {
      number += 1;
      const { error, detail } = typeof line === "string" ? { error: line } : line;
      lines.push({ number, atMs: clock.now(), text: sanitize(error, MAX_LINE_CHARS), told: toStoredDetail(detail) });
      if (lines.length > MAX_LINES) lines.shift();
      markNew();
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
