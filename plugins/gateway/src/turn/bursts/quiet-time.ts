import type { InboundMessage } from "@parley/core";

const MIN_MS = 600;
const MAX_MS = 2_500;
/** Longest pause between two messages that tells how fast a person writes. */
const MAX_GAP_MS = 10_000;
const MAX_PEOPLE = 1_000;
const SHORT_CHARACTERS = 12;
const SENTENCE_END = /[.!?…。！？~～)）]\s*$/u;

/** Chooses how long to wait for a further message, by the last one and by the person's usual pauses. */
export interface QuietTimes {
  /** Returns milliseconds from 600 to 2,500; `atMs` is the time of receipt, from which the person's pauses are learned. */
  choose(message: InboundMessage, atMs: number): number;
}

interface Rhythm {
  readonly lastMs: number;
  /** Usual pause between two quick messages; undefined until there were two. */
  readonly pauseMs: number | undefined;
}

export function createQuietTimes(): QuietTimes {
  const people = new Map<string, Rhythm>();
  const learn = ({ sessionId, sender }: InboundMessage, atMs: number): number | undefined => {
    const key = JSON.stringify([sessionId, sender.id]);
    const known = people.get(key);
    const pauseMs = known && toUsualPause(known, atMs);
    people.delete(key);
    people.set(key, { lastMs: atMs, pauseMs });
    const [oldest] = people.keys();
    if (people.size > MAX_PEOPLE && oldest !== undefined) people.delete(oldest);
    return pauseMs;
  };
  return {
    choose(message, atMs) {
      const byText = getPauseAfter(message);
      const pauseMs = learn(message, atMs);
      const chosen = pauseMs === undefined ? byText : (byText + 1.5 * pauseMs) / 2;
      return Math.round(Math.min(MAX_MS, Math.max(MIN_MS, chosen)));
    },
  };
}

function toUsualPause({ lastMs, pauseMs }: Rhythm, atMs: number): number | undefined {
  const gap = atMs - lastMs;
  if (gap <= 0 || gap > MAX_GAP_MS) return pauseMs;
  return pauseMs === undefined ? gap : 0.7 * pauseMs + 0.3 * gap;
}

/** Returns the usual pause after a message: longest after a file without text, shortest after a finished sentence. */
function getPauseAfter({ text, attachments }: InboundMessage): number {
  const trimmed = text.trim();
  if (trimmed === "" && attachments.length > 0) return MAX_MS;
  if (SENTENCE_END.test(trimmed)) return 900;
  return trimmed.length <= SHORT_CHARACTERS ? 1_800 : 1_200;
}
