import { deliveryFailure, isStoredUrl, type OutboundMessage } from "@parley/core";
import { toPlainText } from "@parley/core/markdown";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import { readSdkHistory, type SdkMessage } from "../sdk/sdk-message.ts";
import { toDeliveryFailure } from "./to-delivery-failure.ts";

const MAX_MESSAGES_CHECKED = 30;

/**
 * Looks for a message in the platform's history: `delivered` when the bot's own message with this text is there and its id is not known
 * yet, `absent` when no unknown message of the bot is, else `unknown`, since platforms rewrite texts.
 */
export async function reconcileByHistory(
  adapter: SdkAdapter,
  message: OutboundMessage,
  sentIds: Set<string>,
): Promise<"delivered" | "absent" | "unknown"> {
  // The text of a message does not identify its files, and a message with elements is a card without text.
  if (message.elements?.length || message.attachments.some(({ url }) => isStoredUrl(url))) return "unknown";
  assertKnowsItself(adapter);
  const history = await fetchHistory(adapter, message.conversation.id);
  if (!history) return "unknown";
  const answered = history.findIndex(({ id }) => id === message.replyTo);
  const candidates = history.slice(answered + 1).filter(({ id, author }) => author.isMe === true && !sentIds.has(id));
  const wanted = toComparable(message.text);
  const match = candidates.find(({ text }) => toComparable(text) === wanted);
  if (!match) return candidates.some(isSimilar(wanted)) ? "unknown" : "absent";
  sentIds.add(match.id);
  return "delivered";
}

/** Rejects while the package does not know its own account, as after a failed first request: then no message counts as the bot's. */
function assertKnowsItself({ botUserId }: SdkAdapter): void {
  if (typeof botUserId === "string") return;
  throw deliveryFailure("not_sent", "credentials", { words: "the platform did not say who the bot is" });
}

/** Fetches the newest messages of a conversation; undefined when the platform gives none. Rejects while it is not reached. */
async function fetchHistory(adapter: SdkAdapter, threadId: string): Promise<readonly SdkMessage[] | undefined> {
  const options = { limit: MAX_MESSAGES_CHECKED };
  const readThread = async () => readSdkHistory(await adapter.fetchMessages(threadId, options));
  // A conversation without threads has its history in the channel.
  const readChannel = async () =>
    readSdkHistory(await adapter.fetchChannelMessages?.(adapter.channelIdFromThreadId(threadId), options));
  const errors: unknown[] = [];
  for (const read of [readThread, readChannel]) {
    try {
      return await read();
    } catch (error) {
      errors.push(error);
    }
  }
  const unreachable = errors
    .map((error) => toDeliveryFailure(adapter.name, error))
    .find(({ failure }) => failure === "not_sent");
  if (unreachable) throw unreachable;
  return undefined;
}

/** Returns a text without white space and marks, since platforms change both. */
function toComparable(text: string): string {
  return toPlainText(text)
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, "");
}

const SIMILAR_LENGTH = 20;

/** Returns a check for messages that begin or end like the wanted text: it may be that one in another form. */
function isSimilar(wanted: string): (message: SdkMessage) => boolean {
  return ({ text }) => {
    const found = toComparable(text);
    return found.startsWith(wanted.slice(0, SIMILAR_LENGTH)) || found.endsWith(wanted.slice(-SIMILAR_LENGTH));
  };
}
