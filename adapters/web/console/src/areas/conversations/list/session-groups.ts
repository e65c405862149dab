import type { Shapes } from "../../../shared/api/client.ts";
import type { TextKey } from "../texts.ts";

type Row = Shapes["SessionItem"];

/** A line of the list: a heading, or a conversation. */
export type ListLine = { readonly heading: TextKey } | { readonly session: Row };

const DAY_MS = 86_400_000;

/** Adds a heading before the first conversation of each period; expects the order of the service. */
export function groupByTime(rows: readonly Row[], now: Date): readonly ListLine[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const lines: ListLine[] = [];
  let last: TextKey | undefined;
  for (const session of rows) {
    const heading = toHeading(session, today);
    if (heading !== last) lines.push({ heading });
    last = heading;
    lines.push({ session });
  }
  return lines;
}

function toHeading({ pinned, last_message_at, created_at }: Row, today: number): TextKey {
  if (pinned) return "pinned";
  const at = Date.parse(last_message_at ?? created_at);
  // With a clock that is behind, messages of today lie in the future.
  if (at >= today) return "today";
  if (at >= today - DAY_MS) return "yesterday";
  return at >= today - 6 * DAY_MS ? "thisWeek" : "earlier";
}

/** Collects the tags of loaded conversations, the most used first. */
export function collectTags(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { tags } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([tag]) => tag);
}
