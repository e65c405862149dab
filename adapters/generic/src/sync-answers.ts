import {
  AppError,
  type Attachment,
  type ChannelIo,
  deadline,
  type Gateway,
  isStoredUrl,
  type OutboundMessage,
  type TurnOutcome,
} from "@parley/core";

const WAIT_MS = 60_000;
const MAX_WAITING = 50;
/** Deliveries whose sending may still come. */
const MAX_GIVEN = 1_000;
/** Whoever asked fetches a file when they want to, but not for ever. */
const LINK_S = 3_600;

/** What is given with the answer to a request. */
export interface SyncAnswer {
  readonly response_content: string;
  readonly delivery_id: string | null;
}

/** Answers that go out with the answer to the request that asked, and so nowhere else. */
export interface SyncAnswers {
  /** Throws `unavailable` while too many requests wait. */
  refuseOver(): void;
  /** Undefined when it takes longer than a request may wait: then it goes on like any other. */
  wait(traceId: string): Promise<SyncAnswer | undefined>;
  /** Whether somebody was given this with the answer to their request. */
  wasGiven(message: OutboundMessage): Promise<boolean>;
}

export function createSyncAnswers(
  gateway: () => Pick<Gateway, "outcome">,
  files: ChannelIo["files"],
  closing: AbortSignal,
): SyncAnswers {
  const waiting = new Map<string, Promise<unknown>>();
  const given = new Set<string>();
  const give = (ids: readonly string[]) => {
    for (const id of ids) given.add(id);
    for (const id of given) {
      if (given.size <= MAX_GIVEN) break;
      given.delete(id);
    }
  };
  const outcomeOf = async (traceId: string): Promise<TurnOutcome | undefined> => {
    using limit = deadline(WAIT_MS, closing);
    try {
      const outcome = await gateway().outcome(traceId, limit.signal);
      give(outcome.deliveryIds ?? []);
      return outcome;
    } catch (error) {
      if (AppError.is(error) && error.code === "timed_out") return undefined;
      throw error;
    }
  };
  const lineOf = ({ type, name, url }: Attachment) =>
    `[${name ? `${type}: ${name}` : type}] ${isStoredUrl(url) ? files.link(url, LINK_S) : url}`;
  const textOf = ({ replies, notice, error }: TurnOutcome): string => {
    if (error && replies.length === 0) throw new AppError("upstream_failed", error.error);
    const texts = replies.map(({ content, attachments }) => [content, ...attachments.map(lineOf)]);
    return texts.map((lines) => lines.filter((line) => line !== "").join("\n")).join("\n\n") || notice;
  };
  return {
    refuseOver() {
      if (waiting.size < MAX_WAITING) return;
      throw new AppError("unavailable", "too many requests wait for their answer", { retryAfterS: 5 });
    },
    async wait(traceId) {
      const answer = outcomeOf(traceId);
      const all = Promise.allSettled([waiting.get(traceId), answer]);
      waiting.set(traceId, all);
      try {
        const outcome = await answer;
        return outcome && { response_content: textOf(outcome), delivery_id: outcome.deliveryIds?.[0] ?? null };
      } finally {
        if (waiting.get(traceId) === all) waiting.delete(traceId);
      }
    },
    async wasGiven({ traceId, deliveryId }) {
      await waiting.get(traceId);
      return given.delete(deliveryId);
    },
  };
}
