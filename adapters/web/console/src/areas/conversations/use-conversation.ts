import type { Attachment, Message } from "@parley/core";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { ApiError, parley } from "../../shared/api/client.ts";
import { type TodoItem, todoCardOf } from "../../shared/live/cards.ts";
import { type Conversation, EMPTY, type Frame, type Pending } from "../../shared/live/conversation.ts";
import { fetched, fetchedOlder, outdated, todosFetched } from "../../shared/live/history-pages.ts";
import { useLive } from "../../shared/live/live.tsx";
import { acknowledged, forgotten, said, stopped } from "../../shared/live/outgoing.ts";
import { received } from "../../shared/live/received.ts";
import { settled } from "./doomed.ts";

const MESSAGES = "/api/sessions/{session_id}/messages";
const PAGE = 60;
const OLDER = 200;
const MOST = 500;

/** Which model each turn asks that this page began; of others nobody knows until the answer is there. */
export const askedByTrace = new Map<string, string>();

type First = Pick<Asked, "content" | "attachments"> & { readonly models?: readonly string[] | undefined };

/** What is to be said first in conversations that were just made, by session: once the page listens to them. */
const firstSaid = new Map<string, readonly First[]>();
const listening = new Map<string, (first: First) => void>();
export function sayFirst(sessionId: string, first: First): void {
  const listener = listening.get(sessionId);
  if (listener) listener(first);
  else firstSaid.set(sessionId, [...(firstSaid.get(sessionId) ?? []), first]);
}

/** A step of a conversation: what happened to it. */
type Step = (now: Conversation) => Conversation;

export interface LiveConversation extends Conversation {
  readonly sessionId: string;
  readonly isRunning: boolean;
  readonly error: unknown;
  loadOlder(): Promise<void>;
  /** Loads older ones until there is one of these, or no more. */
  reach(isWanted: (message: Message) => boolean): Promise<readonly Message[]>;
  say(content: string, attachments: readonly Attachment[], replyTo?: string): void;
  /** Says something that several models answer. */
  askModels(content: string, attachments: readonly Attachment[], models: readonly string[], replyTo?: string): void;
  /** Says something refused once more. */
  sayAgain(tempId: string): void;
  dismiss(tempId: string): void;
  /** Takes back what waits for its turn; undefined when it does not wait any more. */
  takeBack(tempId: string): Promise<Pending | undefined>;
  /** Ends the reply that is being said; what waits goes on. */
  stop(): Promise<void>;
  /** `deliver`: in a conversation of a channel, the new answer goes to its people. */
  regenerate(messageId?: string, deliver?: boolean, modelId?: string): Promise<void>;
  /** Asks for more of the last answer; in a conversation of a channel it stays here. */
  goOn(): Promise<void>;
  reload(): void;
}

/** A session as it happens: joined first, then fetched, so that nothing falls between. */
export function useConversation(sessionId: string): LiveConversation {
  const live = useLive();
  const [state, change] = useReducer((now: Conversation, step: Step) => step(now), EMPTY);
  const [error, setError] = useState<unknown>();
  const { state: freshness, demand } = state;
  /** Whom else what was said asks, to ask them again. */
  const several = useRef(new Map<string, readonly string[]>());
  const latest = useRef(state);
  latest.current = state;
  const limit = Math.min(MOST, Math.max(PAGE, state.messages.length));

  useEffect(() => {
    if (!live) return;
    change(() => EMPTY);
    for (const { temp_id, content, attachments, reply_to, error: reason } of live.unsent(sessionId)) {
      change((now) => said(now, temp_id, content, attachments, reply_to));
      if (reason) change((now) => acknowledged(now, temp_id, { type: "ack", ok: false, error: reason }));
    }
    const stop = live.subscribe((frame: Frame) => {
      if (frame.session_id !== sessionId) return;
      if (frame.type === "local_ack") change((now) => acknowledged(now, String(frame.temp_id), frame));
      else change((now) => received(now, frame));
    });
    // Joining brings a `resync`, and so the first page; without a connection the page is shown all the same.
    live.join(sessionId);
    if (live.phase() !== "open") change(outdated);
    const first = firstSaid.get(sessionId) ?? [];
    firstSaid.delete(sessionId);
    const begin = ({ content, attachments, models }: First) => {
      if (models) askModels(content, attachments, models);
      else tell(newTempId(), content, attachments);
    };
    for (const one of first) begin(one);
    listening.set(sessionId, begin);
    return () => {
      stop();
      live.leave(sessionId);
      listening.delete(sessionId);
    };
  }, [live, sessionId]);

  // One fetch for each demand, not for each message.
  useEffect(() => {
    if (freshness === "fresh" || demand === 0) return;
    const cancel = new AbortController();
    const query = { order: "desc", limit, include_system: true } as const;
    parley.get(MESSAGES, { path: { session_id: sessionId }, query, signal: cancel.signal }).then(
      ({ items, total }) => {
        setError(undefined);
        change((now) => fetched(now, items.toReversed(), total, demand));
      },
      (thrown) => cancel.signal.aborted || setError(thrown),
    );
    return () => cancel.abort();
  }, [sessionId, freshness, demand]);

  useEffect(() => {
    if (demand === 0) return;
    const cancel = new AbortController();
    const seen = todoCardOf(latest.current.cards);
    storedTodos(sessionId, cancel.signal).then(
      (todos) => change((now) => todosFetched(now, todos, seen)),
      (thrown) => cancel.signal.aborted || setError(thrown),
    );
    return () => cancel.abort();
  }, [sessionId, demand]);

  useEffect(() => {
    if (state.isTorn) live?.mend(sessionId);
  }, [live, sessionId, state.isTorn]);

  const tried = useCallback(async (work: () => Promise<unknown>) => {
    try {
      setError(undefined);
      await work();
    } catch (thrown) {
      setError(thrown);
    }
  }, []);
  const tell = (tempId: string, content: string, attachments: readonly Attachment[], replyTo?: string) => {
    change((now) => said(now, tempId, content, attachments, replyTo));
    const message = { session_id: sessionId, content, temp_id: tempId, attachments };
    const send = () => live?.say({ ...message, ...(replyTo !== undefined && { reply_to: replyTo }) });
    const deleted = settled(sessionId);
    if (deleted) void deleted.then(send);
    else send();
  };
  const dismiss = (tempId: string) => {
    change((now) => forgotten(now, tempId));
    live?.forget(tempId);
  };
  const askModels: LiveConversation["askModels"] = (content, attachments, models, replyTo) => {
    const tempId = newTempId();
    several.current.set(tempId, models);
    change((now) => said(now, tempId, content, attachments, replyTo));
    askedOf(sessionId, { content, attachments, models, replyTo, tempId }).then(
      (ack) => change((now) => acknowledged(now, tempId, ack)),
      // It stays where it stands, with the reason, and can be said again.
      (thrown) => change((now) => acknowledged(now, tempId, refusalOf(thrown))),
    );
  };
  const [first] = state.messages;
  return {
    ...state,
    sessionId,
    isRunning: state.running !== undefined,
    error,
    reload: () => change(outdated),
    loadOlder: () =>
      tried(async () => {
        if (!first) return;
        const query = { order: "desc", limit: OLDER, before: first.id, include_system: true } as const;
        const { items } = await parley.get(MESSAGES, { path: { session_id: sessionId }, query });
        change((now) => fetchedOlder(now, items.toReversed(), items.length === OLDER));
      }),
    async reach(isWanted) {
      const { messages, hasOlder } = latest.current;
      let all = messages;
      await tried(async () => {
        if (!hasOlder || messages.some(isWanted)) return;
        const { older, isAll } = await olderUntil(sessionId, messages[0]?.id ?? "", isWanted);
        change((now) => fetchedOlder(now, older, !isAll));
        all = [...older, ...messages];
      });
      return all;
    },
    goOn: () =>
      tried(async () => {
        await settled(sessionId);
        await parley.post("/api/sessions/{session_id}/continue", {
          path: { session_id: sessionId },
          body: { wait: false },
        });
      }),
    say: (content, attachments, replyTo) => tell(newTempId(), content, attachments, replyTo),
    askModels,
    sayAgain(tempId) {
      const earlier = state.pending.find((one) => one.tempId === tempId);
      dismiss(tempId);
      if (!earlier) return;
      const { content, attachments, replyTo } = earlier;
      const models = several.current.get(tempId);
      if (models) askModels(content, attachments, models, replyTo);
      else tell(newTempId(), content, attachments, replyTo);
    },
    dismiss,
    stop: () =>
      tried(async () => {
        const { trace_ids } = await parley.post("/api/stop", { body: { session_id: sessionId } });
        change((now) => stopped(now, trace_ids));
      }),
    async takeBack(tempId) {
      const one = state.pending.find((waits) => waits.tempId === tempId);
      let isOurs = false;
      await tried(async () => {
        const body = { session_id: sessionId, ...(one?.traceId !== undefined && { trace_id: one.traceId }) };
        const { trace_ids } = await parley.post("/api/stop", { body });
        isOurs = trace_ids.length > 0 && !latest.current.messages.some(({ temp_id }) => temp_id === tempId);
        if (isOurs) change((now) => forgotten(now, tempId));
      });
      return isOurs ? one : undefined;
    },
    regenerate: (messageId, deliver = false, modelId) =>
      tried(async () => {
        await settled(sessionId);
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

/** All messages before one, back to the page that has a wanted one; oldest first. */
async function olderUntil(session_id: string, from: string, isWanted: (message: Message) => boolean) {
  const older: Message[] = [];
  for (let before = from; ; ) {
    const query = { order: "desc", limit: MOST, before, include_system: true } as const;
    const { items } = await parley.get(MESSAGES, { path: { session_id }, query });
    older.unshift(...items.toReversed());
    const isAll = items.length < MOST;
    before = older[0]?.id ?? before;
    if (isAll || items.some(isWanted)) return { older, isAll };
  }
}

async function storedTodos(sessionId: string, signal: AbortSignal): Promise<readonly TodoItem[]> {
  try {
    const { todos } = await parley.get("/api/sessions/{session_id}/todos", { path: { session_id: sessionId }, signal });
    return todos;
  } catch (error) {
    // Without the plugin of tools there are no todos.
    if (error instanceof ApiError && error.code === "not_found") return [];
    throw error;
  }
}

// `randomUUID` exists on secure pages only; a service on a home network is often reached without TLS.
export function newTempId(): string {
  return `t-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("")}`;
}

interface Asked {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly models: readonly string[];
  readonly replyTo: string | undefined;
  readonly tempId: string;
}

/** Asks several models; gives what the service would answer to something said. */
async function askedOf(sessionId: string, { content, attachments, models, replyTo, tempId }: Asked): Promise<Frame> {
  await settled(sessionId);
  const body = { content, attachments: [...attachments], model_ids: [...models], temp_id: tempId };
  const { trace_ids, blocked } = await parley.post("/api/sessions/{session_id}/ask-models", {
    path: { session_id: sessionId },
    body: { ...body, ...(replyTo !== undefined && { reply_to: replyTo }) },
  });
  for (const [at, trace] of trace_ids.entries()) askedByTrace.set(trace, models[at] ?? "");
  return { type: "ack", ok: true, trace_id: trace_ids[0], blocked };
}

function refusalOf(thrown: unknown): Frame {
  if (!(thrown instanceof ApiError)) throw thrown;
  const { code, message, key, params, chinese } = thrown;
  return {
    type: "ack",
    ok: false,
    code,
    error: message,
    ...(key !== undefined && { detail: { key, params, chinese } }),
  };
}
