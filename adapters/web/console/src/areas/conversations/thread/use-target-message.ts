import { useEffect, useState } from "react";
import { useSearchText } from "../../../shared/ui/page/address.ts";
import type { LiveConversation } from "./use-conversation.ts";

/** Returns the id of the message in the address once the pages back to it are loaded (all of them if it does not exist). */
export function useTargetMessage(conversation: LiveConversation): string | undefined {
  const targetId = useSearchText("message");
  const [foundId, setFoundId] = useState<string>();
  const { freshness, loadUntil } = conversation;
  const isReady = freshness !== "new";
  useEffect(() => {
    setFoundId(undefined);
    if (targetId === undefined || !isReady) return;
    let isCancelled = false;
    void loadUntil(({ id }) => id === targetId).then(() => isCancelled || setFoundId(targetId));
    return () => {
      isCancelled = true;
    };
  }, [targetId, isReady]);
  return foundId;
}
