import type { Database, Logger, Signals } from "@parley/core";
import type { Asker, OpenQuestion } from "./open-question.ts";

const TOPIC = "confirmations";
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

/** Exchange of confirmations between processes: people answer at any process, and the asking one receives it. */
export interface RemoteQuestions {
  broadcast(news: QuestionEvent): void;
  /** Subscribes to events; returns the unsubscribe function. */
  listen(listener: (news: QuestionEvent) => void): () => void;
}

export interface RemoteQuestionsDeps {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

export function createRemoteQuestions({ database, signals, log }: RemoteQuestionsDeps): RemoteQuestions {
  return {
    broadcast(news) {
      const writes = signals()?.telling([{ topic: TOPIC, key: serializeEvent(news) }]) ?? [];
      if (writes.length === 0) return;
      database()
        .write(writes)
        .catch((error: unknown) => log.warn("the other nodes were not notified of a question", { error }));
    },
    listen(listener) {
      const end = signals()?.listen(TOPIC, (key) => {
        // Events that were missed are outdated by now.
        if (key !== undefined) listener(JSON.parse(key) as QuestionEvent);
      });
      return end ?? (() => {});
    },
  };
}

function serializeEvent(news: QuestionEvent): string {
  const text = JSON.stringify(news);
  if (news.what !== "asked" || text.length <= MAX_SIGNAL_CHARS) return text;
  const { shown } = news;
  return JSON.stringify({ ...news, shown: { ...shown, summary: `${shown.summary.slice(0, SHORT_SUMMARY_CHARS)}…` } });
}
