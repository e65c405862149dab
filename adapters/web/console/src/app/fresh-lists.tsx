import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { CONSOLE_STREAM } from "../shared/live/link.ts";
import { useLive } from "../shared/live/live.tsx";
import { readAgain } from "../shared/live/read-again.ts";

const SESSION_EVENTS = new Set(["session_renamed", "session_updated", "ai_response", "message_updated"]);

/** Lists that others change are read again. */
export function FreshLists() {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(
    () =>
      live?.subscribe(({ type, kind, session_id }) => {
        if (type === "resync" && session_id === CONSOLE_STREAM) void readAgain(queries);
        if (type === "resource_changed") void readAgain(queries, [String(kind)]);
        if (SESSION_EVENTS.has(type)) void readAgain(queries, ["session"]);
        if (type === "workspace_file_changed") void readAgain(queries, ["workspace"]);
        if (type === "channel_status") {
          void readAgain(queries, ["status"]);
          void readAgain(queries, ["channel"]);
        }
      }),
    [live, queries],
  );
  return null;
}
