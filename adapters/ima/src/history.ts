import { DeliveryError, type OutboundMessage } from "@parley/core";
import type { Bridge } from "./bridge.ts";
import { encodeMessage } from "./encode.ts";
import { type BridgeEvent, idOf, isObject, numberOf } from "./frame.ts";
import { carriesFile } from "./media.ts";
import { readSegments, segmentsOf } from "./segments.ts";

const LOOKED_AT = 20;

/**
 * The newest messages of a conversation (`group:<id>` or `private:<id>`), as the bridge lists them. Undefined where it
 * answers without a list, as bridges do that cannot look.
 */
export async function historyOf(
  bridge: Bridge,
  conversation: string,
  count: number,
): Promise<readonly BridgeEvent[] | undefined> {
  const [kind, id = ""] = conversation.split(":");
  const answer =
    kind === "group"
      ? await bridge.call("get_group_msg_history", { group_id: numberOf(id), count })
      : await bridge.call("get_friend_msg_history", { user_id: numberOf(id), count });
  const list = isObject(answer) ? answer.messages : answer;
  if (!Array.isArray(list)) return undefined;
  return list.filter(isObject).map((one) => ({
    ...one,
    post_type: "message",
    message_type: kind === "group" ? "group" : "private",
  }));
}

/** Gives what was said in a conversation since an instant to `take`, oldest first. */
export async function catchUp(
  bridge: Bridge,
  conversation: string,
  sinceMs: number,
  take: (event: BridgeEvent) => Promise<void>,
): Promise<void> {
  const events = (await historyOf(bridge, conversation, LOOKED_AT)) ?? [];
  const [kind, id = ""] = conversation.split(":");
  const place = kind === "group" ? { group_id: id } : {};
  for (const event of events) {
    if (Number(event.time) * 1_000 >= sinceMs) await take({ ...event, ...place });
  }
}

/**
 * Whether a message whose send ended in doubt is there: one of ours with the same content that no receipt is known of.
 * `unknown` where the bridge has no history to look at.
 */
export async function reconcileByHistory(
  bridge: Bridge,
  message: OutboundMessage,
  selfId: string,
  ours: Set<string>,
): Promise<"delivered" | "absent" | "unknown"> {
  // One picture looks like another.
  if (carriesFile(message.attachments)) return "unknown";
  let found: readonly BridgeEvent[] | undefined;
  try {
    found = await historyOf(bridge, message.conversation.id, LOOKED_AT);
  } catch (error) {
    // A bridge that is away can be asked later.
    if (DeliveryError.is(error) && error.failure === "not_sent") throw error;
    return "unknown";
  }
  if (!found) return "unknown";
  const wanted = readSegments(encodeMessage(message), "").text;
  const match = found.find((event) => {
    const sender = isObject(event.sender) ? idOf(event.sender.user_id) : "";
    const isMine = (idOf(event.user_id) || sender) === selfId;
    return isMine && !ours.has(idOf(event.message_id)) && readSegments(segmentsOf(event.message), "").text === wanted;
  });
  if (!match) return "absent";
  ours.add(idOf(match.message_id));
  return "delivered";
}
