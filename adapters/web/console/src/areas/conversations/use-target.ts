import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { LiveConversation } from "./use-conversation.ts";

/** The message that the address asks for: fetched, however old it is, and brought into sight. */
export function useTarget(talk: LiveConversation): string | undefined {
  const { message: wanted } = useSearch({ strict: false }) as { readonly message?: string };
  const [found, setFound] = useState<string>();
  const { state, reach } = talk;
  const isReady = state !== "new";
  useEffect(() => {
    setFound(undefined);
    if (wanted === undefined || !isReady) return;
    let isOver = false;
    void reach(({ id }) => id === wanted).then(() => isOver || setFound(wanted));
    return () => {
      isOver = true;
    };
  }, [wanted, isReady]);
  return found;
}
