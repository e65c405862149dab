import type { Message } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ALL, parley } from "../../shared/api/client.ts";
import { readAgain } from "../../shared/live/read-again.ts";

const FAVORITES = "/api/sessions/{session_id}/message-favorites";
const MOST_LETTERS = 80;

export interface Keeping {
  isKept(messageId: string): boolean;
  /** Keeps a copy of a message, or does not any more. */
  toggle(message: Message): Promise<void>;
}

/** Which messages of a conversation somebody keeps; the same object until that changes. */
export function useKept(sessionId: string): Keeping {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["kept", "in", sessionId],
    queryFn: () => parley.get(FAVORITES, { path: { session_id: sessionId }, query: ALL }),
  });
  return useMemo(() => {
    const path = { session_id: sessionId };
    const collectionOf = (id: string) => data?.items.find(({ message_ids }) => message_ids.includes(id));
    return {
      isKept: (id) => collectionOf(id) !== undefined,
      async toggle({ id, content }) {
        const collection = collectionOf(id);
        const title = content.replaceAll(/\s+/g, " ").trim().slice(0, MOST_LETTERS).toWellFormed().trim();
        const body = collection
          ? { collection_id: collection.id, message_ids: collection.message_ids.filter((one) => one !== id) }
          : { message_ids: [id], ...(title !== "" && { title }) };
        await parley.put(FAVORITES, { path, body });
        await readAgain(queries, ["kept"]);
      },
    };
  }, [data, queries, sessionId]);
}
