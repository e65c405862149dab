import type { Database, Logger, Signals } from "@parley/core";
import type { Asker, OpenQuestion } from "./confirmations.ts";

const TOPIC = "confirmations";
/** A signal has room for 1,000 characters. */
const MOST_CHARS = 950;
const SHORT_SUMMARY = 120;

/** A question as other processes know it. */
export interface AskedQuestion {
  readonly shown: OpenQuestion;
  readonly asker: Asker;
}

/** What happened to a question; `by` of one that was refused is null. */
export type QuestionNews =
  | ({ readonly what: "asked" } & AskedQuestion)
  | { readonly what: "answered"; readonly id: string; readonly by: string | null }
  | { readonly what: "over"; readonly id: string };

/** People answer at any process; the one that asks is told. */
export interface QuestionsElsewhere {
  tell(news: QuestionNews): void;
  /** Returns the end of it. */
  listen(heard: (news: QuestionNews) => void): () => void;
}

export interface QuestionsElsewhereParts {
  readonly database: () => Database;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

export function createQuestionsElsewhere({ database, signals, log }: QuestionsElsewhereParts): QuestionsElsewhere {
  return {
    tell(news) {
      const writes = signals()?.telling([{ topic: TOPIC, key: written(news) }]) ?? [];
      if (writes.length === 0) return;
      database()
        .write(writes)
        .catch((error: unknown) => log.warn("the other nodes were not told of a question", { error }));
    },
    listen(heard) {
      const end = signals()?.listen(TOPIC, (key) => {
        // What is not known any more was long ago.
        if (key !== undefined) heard(JSON.parse(key) as QuestionNews);
      });
      return end ?? (() => {});
    },
  };
}

function written(news: QuestionNews): string {
  const text = JSON.stringify(news);
  if (news.what !== "asked" || text.length <= MOST_CHARS) return text;
  const { shown } = news;
  return JSON.stringify({ ...news, shown: { ...shown, summary: `${shown.summary.slice(0, SHORT_SUMMARY)}…` } });
}
