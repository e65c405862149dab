import type { ChannelLink, InboundMessage, Logger } from "@parley/core";
import { isConsoleOnly } from "../../deliver/deliveries.ts";

/** Delay before the indicator is shown, because a quick reply needs none. */
const DELAY_MS = 700;
const EVERY_MS = 4_000;
const REPLY_DONE = new DOMException("the answer is there", "AbortError");

/** Shows a typing indicator on the platform until the returned function is called. */
export function showTyping(message: InboundMessage, link: ChannelLink | undefined, logger: Logger): () => void {
  const { conversation, addressed, kind } = message;
  if (!addressed || kind !== "message" || isConsoleOnly(message)) return () => {};
  return repeatTyping(conversation.id, link, logger, DELAY_MS);
}

/** Shows a typing indicator in a conversation after a delay until the returned function is called. */
export function repeatTyping(
  conversationId: string,
  link: ChannelLink | undefined,
  logger: Logger,
  delayMs: number,
): () => void {
  if (!link?.typing) return () => {};
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    timer = setTimeout(show, EVERY_MS);
    link.typing?.(conversationId, over.signal).catch((error) => logger.debug("typing could not be shown", { error }));
  };
  timer = setTimeout(show, delayMs);
  return () => {
    clearTimeout(timer);
    over.abort(REPLY_DONE);
  };
}
