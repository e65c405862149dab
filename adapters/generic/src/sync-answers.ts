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

const MAX_WAIT_MS = 60_000;
const MAX_WAITING = 50;
/** Maximum number of remembered deliveries that were answered in a response. */
const MAX_ANSWERED_DELIVERIES = 1_000;
/** Time that another node has to return an answer in its response; then the answer is posted. */
const REMOTE_DECISION_TIMEOUT_MS = 5_000;
/** Lifetime of file links in seconds. */
const LINK_TTL_S = 3_600;

/** The body of the response that contains the answer. */
export interface SyncAnswer {
  readonly response_content: string;
  readonly delivery_id: string | null;
}

/** A request that waits for its answer. */
export interface SyncRequest extends AsyncDisposable {
  /** Resolves to the answer; undefined after a minute, or when a delivery is already being posted: the answer is posted then. Rejects with `upstream_failed` where the turn failed without a reply. */
  answer(traceId: string): Promise<SyncAnswer | undefined>;
}

/** Returns answers in the response to the request instead of posting them. */
export interface SyncAnswers {
  /** Throws `unavailable` while too many requests wait. */
  rejectOverLimit(): void;
  /** Registers a request before its message is stored. */
  open(sessionId: string): Promise<SyncRequest>;
  /** True when the message was returned as the response to a request; otherwise the caller must post it. */
  wasAnswered(message: OutboundMessage): Promise<boolean>;
}

export function createSyncAnswers(
  gateway: () => Pick<Gateway, "outcome">,
  files: ChannelIo["files"],
  closing: AbortSignal,
  cluster: ClusterOptions,
): SyncAnswers {
  const waiting = new Map<string, Promise<unknown>>();
  const answeredDeliveries = new Set<string>();
  const { requests } = cluster;
  const addAnswered = async (ids: readonly string[]): Promise<boolean> => {
    if (requests) return ids.length === 0 || requests.claimForAnswer(ids);
    for (const id of ids) answeredDeliveries.add(id);
    for (const id of answeredDeliveries) {
      if (answeredDeliveries.size <= MAX_ANSWERED_DELIVERIES) break;
      answeredDeliveries.delete(id);
    }
    return true;
  };
  const getOutcome = async (traceId: string): Promise<TurnOutcome | undefined> => {
    using limit = deadline(MAX_WAIT_MS, closing);
    try {
      const outcome = await gateway().outcome(traceId, limit.signal);
      return (await addAnswered(outcome.deliveryIds ?? [])) ? outcome : undefined;
    } catch (error) {
      if (AppError.is(error) && error.code === "timed_out") return undefined;
      throw error;
    }
  };
  const toLine = ({ type, name, url }: Attachment) =>
    `[${name ? `${type}: ${name}` : type}] ${isStoredUrl(url) ? files.link(url, LINK_TTL_S) : url}`;
  const toText = ({ replies, notice, error }: TurnOutcome): string => {
    if (error && replies.length === 0)
      throw new AppError("upstream_failed", error.error, error.detail && { detail: error.detail });
    const texts = replies.map(({ content, attachments }) => [
      content,
      // Stickers are decoration, not part of the text.
      ...attachments.filter(({ type }) => type !== "sticker").map(toLine),
    ]);
    return (
      texts
        .map((lines) => lines.filter((line) => line !== "").join("\n"))
        .filter((text) => text !== "")
        .join("\n\n") || notice
    );
  };
  const toAnswer = async (traceId: string): Promise<SyncAnswer | undefined> => {
    const answer = getOutcome(traceId);
    const all = Promise.allSettled([waiting.get(traceId), answer]);
    waiting.set(traceId, all);
    try {
      const outcome = await answer;
      return outcome && { response_content: toText(outcome), delivery_id: outcome.deliveryIds?.[0] ?? null };
    } finally {
      if (waiting.get(traceId) === all) waiting.delete(traceId);
    }
  };
  return {
    rejectOverLimit() {
      if (waiting.size < MAX_WAITING) return;
      throw new AppError("unavailable", "too many requests wait for their answer", { retryAfterS: 5 });
    },
    async open(sessionId) {
      const id = await requests?.begin(sessionId);
      return {
        async answer(traceId) {
          if (id !== undefined) await requests?.setTrace(sessionId, id, traceId);
          return toAnswer(traceId);
        },
        async [Symbol.asyncDispose]() {
          if (id !== undefined) await requests?.end(sessionId, id);
        },
      };
    },
    async wasAnswered(message) {
      await waiting.get(message.traceId);
      return requests
        ? wasAnsweredOnAnyNode(message, { ...cluster, requests })
        : answeredDeliveries.delete(message.deliveryId);
    },
  };
}

/** Options by which nodes decide which of them delivers an answer. */
export interface ClusterOptions {
  /** Requests that wait on other nodes; undefined for a single process. */
  readonly requests: WaitingRequests | undefined;
  /** True when messages without a waiting request can be posted. */
  readonly canPost: boolean;
  readonly clock: Pick<Clock, "monotonic">;
}

async function wasAnsweredOnAnyNode(
  { deliveryId, sessionId, traceId }: OutboundMessage,
  { requests, canPost, clock }: ClusterOptions & { readonly requests: WaitingRequests },
): Promise<boolean> {
  const untilMs = clock.monotonic() + REMOTE_DECISION_TIMEOUT_MS;
  using changes = requests.subscribe(sessionId, deliveryId);
  while ((await requests.getRoute(deliveryId)) === undefined && (await requests.hasWaiting(sessionId, traceId))) {
    const leftMs = untilMs - clock.monotonic();
    if (leftMs <= 0) await requests.abandon(sessionId, traceId);
    else await changes.next(leftMs);
  }
  return (await (canPost ? requests.claimForPost(deliveryId) : requests.getRoute(deliveryId))) === "given";
}
