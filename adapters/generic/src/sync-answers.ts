import {
  AppError,
  type Attachment,
  type ChannelIo,
  type Clock,
  deadline,
  type Gateway,
  isStoredUrl,
  type OutboundMessage,
  type TurnOutcome,
} from "@parley/core";
import type { WaitingRequests } from "./waiting-requests.ts";

const WAIT_MS = 60_000;
const MAX_WAITING = 50;
/** Deliveries whose sending may still come. */
const MAX_GIVEN = 1_000;
/** A node that says nothing for so long of a request that waits there is gone, or too slow: the answer is posted. */
const DECIDED_WITHIN_MS = 5_000;
/** Whoever asked fetches a file when they want to, but not for ever. */
const LINK_S = 3_600;

/** What is given with the answer to a request. */
export interface SyncAnswer {
  readonly response_content: string;
  readonly delivery_id: string | null;
}

/** A request that waits. */
export interface SyncRequest extends AsyncDisposable {
  /** Undefined when it takes longer than a request may wait, or goes out already: then it goes on like any other. */
  answer(traceId: string): Promise<SyncAnswer | undefined>;
}

/** Answers that go out with the answer to the request that asked, and so nowhere else. */
export interface SyncAnswers {
  /** Throws `unavailable` while too many requests wait. */
  refuseOver(): void;
  /** Before the message of the request is stored. */
  open(sessionId: string): Promise<SyncRequest>;
  /** Whether somebody was given this with the answer to their request; without that it is the caller's to post. */
  wasGiven(message: OutboundMessage): Promise<boolean>;
}

export function createSyncAnswers(
  gateway: () => Pick<Gateway, "outcome">,
  files: ChannelIo["files"],
  closing: AbortSignal,
  among: Among,
): SyncAnswers {
  const waiting = new Map<string, Promise<unknown>>();
  const given = new Set<string>();
  const { requests } = among;
  const give = async (ids: readonly string[]): Promise<boolean> => {
    if (requests) return ids.length === 0 || requests.give(ids);
    for (const id of ids) given.add(id);
    for (const id of given) {
      if (given.size <= MAX_GIVEN) break;
      given.delete(id);
    }
    return true;
  };
  const outcomeOf = async (traceId: string): Promise<TurnOutcome | undefined> => {
    using limit = deadline(WAIT_MS, closing);
    try {
      const outcome = await gateway().outcome(traceId, limit.signal);
      return (await give(outcome.deliveryIds ?? [])) ? outcome : undefined;
    } catch (error) {
      if (AppError.is(error) && error.code === "timed_out") return undefined;
      throw error;
    }
  };
  const lineOf = ({ type, name, url }: Attachment) =>
    `[${name ? `${type}: ${name}` : type}] ${isStoredUrl(url) ? files.link(url, LINK_S) : url}`;
  const textOf = ({ replies, notice, error }: TurnOutcome): string => {
    if (error && replies.length === 0)
      throw new AppError("upstream_failed", error.error, error.detail && { detail: error.detail });
    const texts = replies.map(({ content, attachments }) => [
      content,
      // A sticker is the tone of a reply, and none of its words.
      ...attachments.filter(({ type }) => type !== "sticker").map(lineOf),
    ]);
    return (
      texts
        .map((lines) => lines.filter((line) => line !== "").join("\n"))
        .filter((text) => text !== "")
        .join("\n\n") || notice
    );
  };
  const answerOf = async (traceId: string): Promise<SyncAnswer | undefined> => {
    const answer = outcomeOf(traceId);
    const all = Promise.allSettled([waiting.get(traceId), answer]);
    waiting.set(traceId, all);
    try {
      const outcome = await answer;
      return outcome && { response_content: textOf(outcome), delivery_id: outcome.deliveryIds?.[0] ?? null };
    } finally {
      if (waiting.get(traceId) === all) waiting.delete(traceId);
    }
  };
  return {
    refuseOver() {
      if (waiting.size < MAX_WAITING) return;
      throw new AppError("unavailable", "too many requests wait for their answer", { retryAfterS: 5 });
    },
    async open(sessionId) {
      const id = await requests?.begin(sessionId);
      return {
        async answer(traceId) {
          if (id !== undefined) await requests?.named(sessionId, id, traceId);
          return answerOf(traceId);
        },
        async [Symbol.asyncDispose]() {
          if (id !== undefined) await requests?.end(sessionId, id);
        },
      };
    },
    async wasGiven(message) {
      await waiting.get(message.traceId);
      return requests ? wasGivenSomewhere(message, { ...among, requests }) : given.delete(message.deliveryId);
    },
  };
}

/** How it is decided among nodes who has an answer. */
export interface Among {
  /** Undefined: one process works alone, or nobody waits for answers. */
  readonly requests: WaitingRequests | undefined;
  /** Whether what nobody was given can be posted. */
  readonly isPosted: boolean;
  readonly clock: Pick<Clock, "monotonic">;
}

async function wasGivenSomewhere(
  { deliveryId, sessionId, traceId }: OutboundMessage,
  { requests, isPosted, clock }: Among & { readonly requests: WaitingRequests },
): Promise<boolean> {
  const untilMs = clock.monotonic() + DECIDED_WITHIN_MS;
  using news = requests.news(sessionId, deliveryId);
  while ((await requests.taken(deliveryId)) === undefined && (await requests.isWaited(sessionId, traceId))) {
    const leftMs = untilMs - clock.monotonic();
    if (leftMs <= 0) await requests.giveUp(sessionId, traceId);
    else await news.next(leftMs);
  }
  return (await (isPosted ? requests.post(deliveryId) : requests.taken(deliveryId))) === "given";
}
