import { truncateWithEllipsis } from "@parley/core/channels";
import type { Asker, OpenQuestion } from "./open-question.ts";

/** A signal has room for 1,000 characters. */
const MAX_SIGNAL_CHARS = 950;
const SHORT_SUMMARY_CHARS = 120;

/** A question that another process asks. */
export interface RemoteQuestion {
  readonly shown: OpenQuestion;
  readonly asker: Asker;
}

/** Event of a confirmation; `by` is null when it was rejected automatically. */
export type QuestionEvent =
  | ({ readonly what: "asked" } & RemoteQuestion)
  | { readonly what: "answered"; readonly id: string; readonly by: string | null }
  | { readonly what: "over"; readonly id: string };

/** Shortens the event of a long question to the size of a signal. */
export function shortenEvent(event: QuestionEvent): QuestionEvent {
  if (event.what !== "asked" || JSON.stringify(event).length <= MAX_SIGNAL_CHARS) return event;
  const { shown } = event;
  return { ...event, shown: { ...shown, summary: truncateWithEllipsis(shown.summary, SHORT_SUMMARY_CHARS) } };
}
