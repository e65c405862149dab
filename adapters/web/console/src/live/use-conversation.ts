import type { Message } from "@parley/core";
import { useCallback, useEffect, useReducer, useState } from "react";
import { api, type Listed, query } from "../api/client.ts";
import { useLive } from "../parts/live.tsx";
import { type Conversation, EMPTY, type Frame, fetched, fetchedOlder, received, type Unsent } from "./conversation.ts";

const PAGE = 60;

type Step =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "page" | "older"; readonly page: readonly Message[] }
  | { readonly kind: "reset" };

function step(now: Conversation, action: Step): Conversation {
  if (action.kind === "frame") return received(now, action.frame);
  if (action.kind === "page") return fetched(now, action.page);
  return action.kind === "older" ? fetchedOlder(now, action.page) : EMPTY;
}

export interface LiveConversation extends Conversation {
  readonly unsent: readonly Unsent[];
  readonly hasOlder: boolean;
  readonly error: unknown;
  loadOlder(): Promise<void>;
  say(content: string): void;
  stop(): Promise<unknown>;
  regenerate(messageId?: string): Promise<void>;
  reload(): Promise<void>;
  dismiss(tempId: string): void;
}

/** A session as it happens: joined first, then fetched, so that nothing falls between. */
export function useConversation(sessionId: string): LiveConversation {
  const live = useLive();
  const [state, dispatch] = useReducer(step, EMPTY);
  const [unsent, setUnsent] = useState<readonly Unsent[]>([]);
  const [total, setTotal] = useState(0);
  const [error, setError] = useState<unknown>();
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/messages`;

  const reload = useCallback(async () => {
    try {
      const page = await api.get<Listed<Message>>(
        `${path}?${query({ order: "desc", limit: PAGE, include_system: true })}`,
      );
      setTotal(page.total);
      setError(undefined);
      dispatch({ kind: "page", page: page.items.toReversed() });
    } catch (thrown) {
      setError(thrown);
    }
  }, [path]);

  useEffect(() => {
    if (!live) return;
    dispatch({ kind: "reset" });
    setUnsent(live.unsent(sessionId).map(({ temp_id, content }) => ({ tempId: temp_id, sessionId, content })));
    const stop = live.subscribe((frame) => {
      if (frame.session_id !== sessionId) return;
      const { temp_id } = frame;
      if (frame.type === "local_sent") return setUnsent((all) => all.filter((one) => one.tempId !== temp_id));
      if (frame.type === "local_refused") {
        const refused = {
          tempId: String(temp_id),
          sessionId,
          content: String(frame.content),
          error: String(frame.error),
        };
        return setUnsent((all) => [...all.filter((one) => one.tempId !== temp_id), refused]);
      }
      dispatch({ kind: "frame", frame });
    });
    live.join(sessionId);
    void reload();
    return () => {
      stop();
      live.leave(sessionId);
    };
  }, [live, sessionId, reload]);

  useEffect(() => {
    if (state.isStale) void reload();
  }, [state.isStale, reload]);

  const [first] = state.messages;
  return {
    ...state,
    unsent,
    error,
    hasOlder: first !== undefined && state.messages.length < total,
    reload,
    async loadOlder() {
      if (!first) return;
      const asked = query({ order: "desc", limit: PAGE, before: first.id, include_system: true });
      const page = await api.get<Listed<Message>>(`${path}?${asked}`);
      dispatch({ kind: "older", page: page.items.toReversed() });
    },
    say(content) {
      const tempId = crypto.randomUUID?.() ?? `t-${Date.now()}-${Math.random().toString(36).slice(2)}`;
      setUnsent((all) => [...all, { tempId, sessionId, content }]);
      live?.say({ session_id: sessionId, content, temp_id: tempId });
    },
    stop: () => api.post("/api/stop", { session_id: sessionId }),
    async regenerate(messageId) {
      try {
        const chosen = messageId === undefined ? {} : { message_id: messageId };
        await api.post(`/api/sessions/${encodeURIComponent(sessionId)}/regenerate`, { ...chosen, wait: false });
        setError(undefined);
      } catch (thrown) {
        setError(thrown);
      }
    },
    dismiss: (tempId) => setUnsent((all) => all.filter((one) => one.tempId !== tempId)),
  };
}
