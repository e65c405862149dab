import type { Message } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { MAX_LIMIT_QUERY, parley } from "../../../shared/api/client.ts";
import { refetch } from "../../../shared/live/refetch.ts";

const FAVORITES_PATH = "/api/sessions/{session_id}/message-favorites";
const MAX_TITLE_LENGTH = 80;

export interface SavedMessages {
  isSaved(messageId: string): boolean;
  /** Adds a message to the favorites, or removes it. */
  toggle(message: Message): Promise<void>;
}

/** Returns the saved messages of a conversation; the same object until they change. */
export function useSavedMessages(sessionId: string): SavedMessages {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["saved", "in", sessionId],
    queryFn: () => parley.get(FAVORITES_PATH, { path: { session_id: sessionId }, query: MAX_LIMIT_QUERY }),
  });
  return useMemo(() => {
    const path = { session_id: sessionId };
    const findCollection = (id: string) => data?.items.find(({ message_ids }) => message_ids.includes(id));
    return {
      isSaved: (id) => findCollection(id) !== undefined,
      async toggle({ id, content }) {
        const collection = findCollection(id);
        const title = content.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH).toWellFormed().trim();
        const body = collection
          ? { collection_id: collection.id, message_ids: collection.message_ids.filter((one) => one !== id) }
          : { message_ids: [id], ...(title !== "" && { title }) };
        await parley.put(FAVORITES_PATH, { path, body });
        await refetch(queries, ["saved"]);
      },
    };
  }, [data, queries, sessionId]);
}
