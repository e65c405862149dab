import type { Attachment, Message } from "@parley/core";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { ApiError, parley } from "../../../shared/api/client.ts";
import { findTodoCard, type TodoItem } from "../../../shared/live/cards.ts";
import {
  type Conversation,
  EMPTY_CONVERSATION,
  type Frame,
  type PendingMessage,
} from "../../../shared/live/conversation.ts";
import { applyNewestPage, applyOlderPage, applyTodos, markStale } from "../../../shared/live/history-pages.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";
import { addPending, applyAck, markStopped, removePending } from "../../../shared/live/pending-messages.ts";
import { reduceFrame } from "../../../shared/live/reduce-frame.ts";
import { flushDeletions } from "./pending-deletion.ts";

const MESSAGES_PATH = "/api/sessions/{session_id}/messages";
const PAGE_SIZE = 60;
const OLDER_PAGE_SIZE = 200;
const MAX_PAGE_SIZE = 500;

/** Model ids of the turns this page started, by trace; those of other turns are unknown until their answer exists. */
export const modelIdByTrace = new Map<string, string>();

type FirstMessage = Pick<ModelsRequest, "content" | "attachments"> & {
  readonly models?: readonly string[] | undefined;
};

/** First messages of new conversations by session, until the page has joined it. */
const firstMessages = new Map<string, readonly FirstMessage[]>();
const firstMessageListeners = new Map<string, (first: FirstMessage) => void>();
/** Sends a message to a new conversation as soon as the page has joined it. */
export function sendFirstMessage(sessionId: string, first: FirstMessage): void {
  const listener = firstMessageListeners.get(sessionId);
  if (listener) listener(first);
  else firstMessages.set(sessionId, [...(firstMessages.get(sessionId) ?? []), first]);
}

type StateUpdate = (now: Conversation) => Conversation;

export interface LiveConversation extends Conversation {
  readonly sessionId: string;
  readonly isRunning: boolean;
  readonly error: unknown;
  loadOlder(): Promise<void>;
  /** Loads older messages until one is wanted or none is left; returns all loaded messages. Sets `error` on failure. */
  loadUntil(isWanted: (message: Message) => boolean): Promise<readonly Message[]>;
  ask(content: string, attachments: readonly Attachment[], replyTo?: string): void;
  /** Sends a message that several models answer. */
  askModels(content: string, attachments: readonly Attachment[], models: readonly string[], replyTo?: string): void;
  /** Sends a rejected message again. */
  resend(tempId: string): void;
  dismiss(tempId: string): void;
  /** Withdraws a waiting message and returns it; undefined if its turn has begun or the request fails. */
  withdraw(tempId: string): Promise<PendingMessage | undefined>;
  /** Stops the running reply; pending messages continue. */
  stop(): Promise<void>;
  /** Regenerates a reply; with `deliver` in a channel conversation, the new one is sent to its people. */
  regenerate(messageId?: string, deliver?: boolean, modelId?: string): Promise<void>;
  /** Continues the last reply; in a channel conversation the rest is not sent to its people. */
  continueReply(): Promise<void>;
  reload(): void;
}

/** The live state of a session. It is joined before its history is fetched, so that no message is missed in between. */
export function useConversation(sessionId: string): LiveConversation {
  const live = useLive();
  const [state, update] = useReducer((now: Conversation, step: StateUpdate) => step(now), EMPTY_CONVERSATION);
  const [error, setError] = useState<unknown>();
  const { freshness, requestNumber } = state;
  /** Models that several-model messages ask, by temporary id; needed to send a rejected one again. */
  const comparedModelIds = useRef(new Map<string, readonly string[]>());
  const latest = useRef(state);
  latest.current = state;
  const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, state.messages.length));

  useEffect(() => {
    if (!live) return;
    update(() => EMPTY_CONVERSATION);
    for (const { temp_id, content, attachments, reply_to, error: reason } of live.listUnsent(sessionId)) {
      update((now) => addPending(now, temp_id, content, attachments, reply_to));
      if (reason) update((now) => applyAck(now, temp_id, { type: "ack", ok: false, error: reason }));
    }
    const unsubscribe = live.subscribe((frame: Frame) => {
      if (frame.session_id !== sessionId) return;
      if (frame.type === "local_ack") update((now) => applyAck(now, String(frame.temp_id), frame));
      else update((now) => reduceFrame(now, frame));
    });
    // Joining triggers a `resync`, which loads the first page; without a connection the page is loaded directly.
    live.join(sessionId);
    if (live.getPhase() !== "open") update(markStale);
    const first = firstMessages.get(sessionId) ?? [];
    firstMessages.delete(sessionId);
    const askFirst = ({ content, attachments, models }: FirstMessage) => {
      if (models) askModels(content, attachments, models);
      else sendMessage(createTempId(), content, attachments);
    };
    for (const one of first) askFirst(one);
    firstMessageListeners.set(sessionId, askFirst);
    return () => {
      unsubscribe();
      live.leave(sessionId);
      firstMessageListeners.delete(sessionId);
    };
  }, [live, sessionId]);

  // Fetches once per request number, not once per message.
  useEffect(() => {
    if (freshness === "fresh" || requestNumber === 0) return;
    const controller = new AbortController();
    const query = { order: "desc", limit, include_system: true } as const;
    parley.get(MESSAGES_PATH, { path: { session_id: sessionId }, query, signal: controller.signal }).then(
      ({ items, total }) => {
        setError(undefined);
        update((now) => applyNewestPage(now, items.toReversed(), total, requestNumber));
      },
      (thrown) => controller.signal.aborted || setError(thrown),
    );
    return () => controller.abort();
  }, [sessionId, freshness, requestNumber]);

  useEffect(() => {
    if (requestNumber === 0) return;
    const controller = new AbortController();
    const shownTodoCard = findTodoCard(latest.current.cards);
    fetchTodos(sessionId, controller.signal).then(
      (todos) => update((now) => applyTodos(now, todos, shownTodoCard)),
      (thrown) => controller.signal.aborted || setError(thrown),
    );
    return () => controller.abort();
  }, [sessionId, requestNumber]);

  useEffect(() => {
    if (state.hasStreamGap) live?.rejoin(sessionId);
  }, [live, sessionId, state.hasStreamGap]);

  const runAction = useCallback(async (work: () => Promise<unknown>) => {
    try {
      setError(undefined);
      await work();
    } catch (thrown) {
      setError(thrown);
    }
  }, []);
  const sendMessage = (tempId: string, content: string, attachments: readonly Attachment[], replyTo?: string) => {
    update((now) => addPending(now, tempId, content, attachments, replyTo));
    const message = { session_id: sessionId, content, temp_id: tempId, attachments };
    const send = () => live?.send({ ...message, ...(replyTo !== undefined && { reply_to: replyTo }) });
    const deleted = flushDeletions(sessionId);
    if (deleted) void deleted.then(send);
    else send();
  };
  const dismiss = (tempId: string) => {
    update((now) => removePending(now, tempId));
    live?.discard(tempId);
  };
  const askModels: LiveConversation["askModels"] = (content, attachments, models, replyTo) => {
    const tempId = createTempId();
    comparedModelIds.current.set(tempId, models);
    update((now) => addPending(now, tempId, content, attachments, replyTo));
    requestModels(sessionId, { content, attachments, models, replyTo, tempId }).then(
      (ack) => update((now) => applyAck(now, tempId, ack)),
      // The pending message stays, with the reason, and can be sent again.
      (thrown) => update((now) => applyAck(now, tempId, toRejectedAck(thrown))),
    );
  };
  const [first] = state.messages;
  return {
    ...state,
    sessionId,
    isRunning: state.runningTraceId !== undefined,
    error,
    reload: () => update(markStale),
    loadOlder: () =>
      runAction(async () => {
        if (!first) return;
        const query = { order: "desc", limit: OLDER_PAGE_SIZE, before: first.id, include_system: true } as const;
        const { items } = await parley.get(MESSAGES_PATH, { path: { session_id: sessionId }, query });
        update((now) => applyOlderPage(now, items.toReversed(), items.length === OLDER_PAGE_SIZE));
      }),
    async loadUntil(isWanted) {
      const { messages, hasOlder } = latest.current;
      let all = messages;
      await runAction(async () => {
        if (!hasOlder || messages.some(isWanted)) return;
        const { older, isComplete } = await fetchOlderUntil(sessionId, messages[0]?.id ?? "", isWanted);
        update((now) => applyOlderPage(now, older, !isComplete));
        all = [...older, ...messages];
      });
      return all;
    },
    continueReply: () =>
      runAction(async () => {
        await flushDeletions(sessionId);
        await parley.post("/api/sessions/{session_id}/continue", {
          path: { session_id: sessionId },
          body: { wait: false },
        });
      }),
    ask: (content, attachments, replyTo) => sendMessage(createTempId(), content, attachments, replyTo),
    askModels,
    resend(tempId) {
      const earlier = state.pending.find((one) => one.tempId === tempId);
      dismiss(tempId);
      if (!earlier) return;
      const { content, attachments, replyTo } = earlier;
      const models = comparedModelIds.current.get(tempId);
      if (models) askModels(content, attachments, models, replyTo);
      else sendMessage(createTempId(), content, attachments, replyTo);
    },
    dismiss,
    stop: () =>
      runAction(async () => {
        const { trace_ids } = await parley.post("/api/stop", { body: { session_id: sessionId } });
        update((now) => markStopped(now, trace_ids));
      }),
    async withdraw(tempId) {
      const one = state.pending.find((pending) => pending.tempId === tempId);
      let isWithdrawn = false;
      await runAction(async () => {
        const body = { session_id: sessionId, ...(one?.traceId !== undefined && { trace_id: one.traceId }) };
        const { trace_ids } = await parley.post("/api/stop", { body });
        isWithdrawn = trace_ids.length > 0 && !latest.current.messages.some(({ temp_id }) => temp_id === tempId);
        if (isWithdrawn) update((now) => removePending(now, tempId));
      });
      return isWithdrawn ? one : undefined;
    },
    regenerate: (messageId, deliver = false, modelId) =>
      runAction(async () => {
        await flushDeletions(sessionId);
        await parley.post("/api/sessions/{session_id}/regenerate", {
          path: { session_id: sessionId },
          body: {
            ...(messageId && { message_id: messageId }),
            ...(modelId && { model_id: modelId }),
            wait: false,
            deliver,
          },
        });
      }),
  };
}

/** Fetches the messages before one, back to the page with a wanted message; oldest first. */
async function fetchOlderUntil(session_id: string, from: string, isWanted: (message: Message) => boolean) {
  const older: Message[] = [];
  for (let before = from; ; ) {
    const query = { order: "desc", limit: MAX_PAGE_SIZE, before, include_system: true } as const;
    const { items } = await parley.get(MESSAGES_PATH, { path: { session_id }, query });
    older.unshift(...items.toReversed());
    const isComplete = items.length < MAX_PAGE_SIZE;
    before = older[0]?.id ?? before;
    if (isComplete || items.some(isWanted)) return { older, isComplete };
  }
}

async function fetchTodos(sessionId: string, signal: AbortSignal): Promise<readonly TodoItem[]> {
  try {
    const { todos } = await parley.get("/api/sessions/{session_id}/todos", { path: { session_id: sessionId }, signal });
    return todos;
  } catch (error) {
    // Without the tools plugin there are no to-dos.
    if (error instanceof ApiError && error.code === "not_found") return [];
    throw error;
  }
}

// `randomUUID` needs a secure page, and a service on a home network is often reached without TLS.
export function createTempId(): string {
  return `t-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("")}`;
}

interface ModelsRequest {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly models: readonly string[];
  readonly replyTo: string | undefined;
  readonly tempId: string;
}

/** Asks several models; returns the same acknowledgement as for one message. */
async function requestModels(
  sessionId: string,
  { content, attachments, models, replyTo, tempId }: ModelsRequest,
): Promise<Frame> {
  await flushDeletions(sessionId);
  const body = { content, attachments: [...attachments], model_ids: [...models], temp_id: tempId };
  const { trace_ids, blocked } = await parley.post("/api/sessions/{session_id}/ask-models", {
    path: { session_id: sessionId },
    body: { ...body, ...(replyTo !== undefined && { reply_to: replyTo }) },
  });
  for (const [at, trace] of trace_ids.entries()) modelIdByTrace.set(trace, models[at] ?? "");
  return { type: "ack", ok: true, trace_id: trace_ids[0], blocked };
}

function toRejectedAck(thrown: unknown): Frame {
  if (!(thrown instanceof ApiError)) throw thrown;
  const { code, message } = thrown;
  return { type: "ack", ok: false, code, error: message };
}
