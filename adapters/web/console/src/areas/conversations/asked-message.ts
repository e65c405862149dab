import { useRouterState } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import type { LiveConversation } from "./use-conversation.ts";

/** Shows the message that the address names behind `#`; older ones are loaded until it is there, or there are no more. */
export function useAskedMessage(
  { messages, state, hasOlder, loadOlder }: LiveConversation,
  frame: RefObject<HTMLElement | null>,
  show: (message: Element) => void,
): void {
  const asked = useRouterState({ select: ({ location }) => location.hash });
  const shown = useRef("");
  useEffect(() => {
    if (asked === "" || shown.current === asked || state !== "fresh") return;
    const found = frame.current?.querySelector(`[data-message-id="${CSS.escape(asked)}"]`);
    if (!found) {
      if (hasOlder) void loadOlder();
      return;
    }
    shown.current = asked;
    found.setAttribute("data-asked", "");
    show(found);
  }, [asked, messages, state]);
}
