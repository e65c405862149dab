import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { CONSOLE_STREAM } from "../shared/live/connection.ts";
import { useLive } from "../shared/live/live-provider.tsx";
import { refetch } from "../shared/live/refetch.ts";

const SESSION_EVENTS = new Set(["session_renamed", "session_updated", "ai_response", "message_updated"]);

/** Events of new and removed messages: `session_activity` for conversations not open here, the others for the open one. */
const ACTIVITY_EVENTS = new Set(["session_activity", "new_message", "messages_removed"]);
/** The queries that show the last messages of conversations and today's counts. */
const ACTIVITY_QUERIES = [
  ["session", "list"],
  ["session", "recent"],
  ["stats", "today"],
] as const;
/** The shortest time between two reads of these lists, however many messages arrive. */
const MIN_INTERVAL_MS = 1_000;

/** Refetches lists when the service reports changes: mounted ones at once, the rest when they are next mounted. */
export function LiveListRefresh() {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => {
    const activity = createThrottle(() => {
      for (const key of ACTIVITY_QUERIES) void refetch(queries, key);
    });
    const unsubscribe = live?.subscribe(({ type, kind, session_id }) => {
      if (ACTIVITY_EVENTS.has(type)) activity.trigger();
      if (type === "resync" && session_id === CONSOLE_STREAM) void refetch(queries);
      // A plugin may change pages, fields and names anywhere, so a changed plugin refetches everything.
      if (type === "resource_changed") void refetch(queries, kind === "plugin" ? [] : [String(kind)]);
      if (SESSION_EVENTS.has(type)) void refetch(queries, ["session"]);
      if (type === "workspace_file_changed") void refetch(queries, ["workspace"]);
      if (type === "channel_status") {
        void refetch(queries, ["status"]);
        void refetch(queries, ["channel"]);
      }
    });
    return () => {
      activity[Symbol.dispose]();
      unsubscribe?.();
    };
  }, [live, queries]);
  return null;
}

/** Runs the work at the first trigger, and once per interval for further ones. */
function createThrottle(work: () => void): Disposable & { trigger(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasPending = false;
  const trigger = () => {
    hasPending = timer !== undefined;
    if (hasPending) return;
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (hasPending) trigger();
    }, MIN_INTERVAL_MS);
  };
  return { trigger, [Symbol.dispose]: () => clearTimeout(timer) };
}
