import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { CONSOLE_STREAM } from "../shared/live/link.ts";
import { useLive } from "../shared/live/live.tsx";
import { readAgain } from "../shared/live/read-again.ts";

const SESSION_EVENTS = new Set(["session_renamed", "session_updated", "ai_response", "message_updated"]);

/** `session_activity` is of conversations that are not open here, the others of the open one. */
const ACTIVITY = new Set(["session_activity", "new_message", "messages_removed"]);
/** The queries that show the last messages of conversations and today's counts. */
const OF_ACTIVITY = [
  ["session", "list"],
  ["session", "recent"],
  ["stats", "today"],
] as const;
/** The shortest time between two reads of these lists, however many messages arrive. */
const AT_MOST_EVERY_MS = 1_000;

/** Lists that others change are read again; what is not shown just now is, once it is shown. */
export function FreshLists() {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => {
    const activity = createFollower(() => {
      for (const key of OF_ACTIVITY) void readAgain(queries, key);
    });
    const stop = live?.subscribe(({ type, kind, session_id }) => {
      if (ACTIVITY.has(type)) activity.happened();
      if (type === "resync" && session_id === CONSOLE_STREAM) void readAgain(queries);
      // Pages, fields and names come from the plugins too.
      if (type === "resource_changed") void readAgain(queries, kind === "plugin" ? [] : [String(kind)]);
      if (SESSION_EVENTS.has(type)) void readAgain(queries, ["session"]);
      if (type === "workspace_file_changed") void readAgain(queries, ["workspace"]);
      if (type === "channel_status") {
        void readAgain(queries, ["status"]);
        void readAgain(queries, ["channel"]);
      }
    });
    return () => {
      activity[Symbol.dispose]();
      stop?.();
    };
  }, [live, queries]);
  return null;
}

/** Does its work at once when something happens, and for all that happens soon after once more. */
function createFollower(work: () => void): Disposable & { happened(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBehind = false;
  const happened = () => {
    isBehind = timer !== undefined;
    if (isBehind) return;
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isBehind) happened();
    }, AT_MOST_EVERY_MS);
  };
  return { happened, [Symbol.dispose]: () => clearTimeout(timer) };
}
