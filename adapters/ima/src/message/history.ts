import { DeliveryError, type OutboundMessage } from "@parley/core";
import { isObject } from "@parley/core/json";
import type { Bridge } from "../bridge/bridge.ts";
import { type BridgeEvent, toBridgeId, toIdText } from "../bridge/frame.ts";
import { encodeMessage } from "./encode.ts";
import { hasStoredFile } from "./media.ts";
import { readSegments, toSegments } from "./segments.ts";

const MAX_MESSAGES_CHECKED = 20;

/**
 * Fetches the newest messages of a conversation (`group:<id>` or `private:<id>`). Undefined where the response has no
 * list, as from bridges without history, or a list without a readable message.
 */
export async function fetchHistory(
  bridge: Bridge,
  conversation: string,
  count: number,
): Promise<readonly BridgeEvent[] | undefined> {
  const [kind, id = ""] = conversation.split(":");
  const answer =
    kind === "group"
      ? await bridge.call("get_group_msg_history", { group_id: toBridgeId(id), count })
      : await bridge.call("get_friend_msg_history", { user_id: toBridgeId(id), count });
  const list = isObject(answer) ? answer.messages : answer;
  if (!Array.isArray(list)) return undefined;
  const messages = list.filter(isObject).map((one) => ({ ...one, message: one.message ?? one.raw_message }));
  // Unreadable messages do not show that a message is absent; an empty list does.
  if (list.length > 0 && !messages.some(({ message }) => hasContent(message))) return undefined;
  return messages.map((one) => ({
    ...one,
    post_type: "message",
    message_type: kind === "group" ? "group" : "private",
  }));
}

function hasContent(message: unknown): boolean {
  return toSegments(message).some(({ type }) => type !== "");
}

/** Removes white space before texts are compared, because platforms change it. */
function withoutSpace(text: string): string {
  return text.normalize("NFC").replaceAll(/[\s\u200b-\u200d\u2060\ufeff]+/g, "");
}

/** Passes the messages of a conversation since a time to `onEvent`, in the order of the bridge; of the newest 20 only. */
export async function replayMissed(
  bridge: Bridge,
  conversation: string,
  sinceMs: number,
  onEvent: (event: BridgeEvent) => Promise<void>,
): Promise<void> {
  const events = (await fetchHistory(bridge, conversation, MAX_MESSAGES_CHECKED)) ?? [];
  const [kind, id = ""] = conversation.split(":");
  const place = kind === "group" ? { group_id: id } : {};
  for (const event of events) {
    if (Number(event.time) * 1_000 >= sinceMs) await onEvent({ ...event, ...place });
  }
}

/** Looks among the newest 20 for a message of ours with the same text and an id not in `sentIds`; adds its id. `unknown` for stored files and unreadable histories. Rejects while disconnected. */
export async function reconcileByHistory(
  bridge: Bridge,
  message: OutboundMessage,
  selfId: string,
  sentIds: Set<string>,
): Promise<"delivered" | "absent" | "unknown"> {
  // The text of a message does not identify its stored files.
  if (hasStoredFile(message.attachments)) return "unknown";
  let found: readonly BridgeEvent[] | undefined;
  try {
    found = await fetchHistory(bridge, message.conversation.id, MAX_MESSAGES_CHECKED);
  } catch (error) {
    // The bridge is disconnected and can be asked later.
    if (DeliveryError.is(error) && error.failure === "not_sent") throw error;
    return "unknown";
  }
  if (!found) return "unknown";
  const wanted = withoutSpace(readSegments(encodeMessage(message), "").text);
  const match = found.find((event) => {
    const sender = isObject(event.sender) ? toIdText(event.sender.user_id) : "";
    const isMine = (toIdText(event.user_id) || sender) === selfId;
    const text = withoutSpace(readSegments(toSegments(event.message), "").text);
    return isMine && !sentIds.has(toIdText(event.message_id)) && text === wanted;
  });
  if (!match) return "absent";
  sentIds.add(toIdText(match.message_id));
  return "delivered";
}
