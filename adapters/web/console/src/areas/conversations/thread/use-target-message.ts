import { useEffect, useState } from "react";
import { useSearchText } from "../../../shared/ui/page/address.ts";
import type { LiveConversation } from "./use-conversation.ts";

/** The message that the address asks for: fetched, however old it is, and brought into sight. */
export function useTargetMessage(talk: LiveConversation): string | undefined {
  const targetId = useSearchText("message");
  const [foundId, setFoundId] = useState<string>();
  const { freshness: state, loadUntil } = talk;
  const isReady = state !== "new";
  useEffect(() => {
    setFoundId(undefined);
    if (targetId === undefined || !isReady) return;
    let isOver = false;
    void loadUntil(({ id }) => id === targetId).then(() => isOver || setFoundId(targetId));
    return () => {
      isOver = true;
    };
  }, [targetId, isReady]);
  return foundId;
}
