import { type InboundPress, parsePress } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { DecodeContext } from "../decode.ts";
import type { EventBody } from "../event-security.ts";

/** Type of the event of a pressed card. */
export const PRESS_EVENT = "card.action.trigger";

interface PressEvent {
  readonly operator?: { readonly open_id?: string };
  readonly action?: { readonly value?: { readonly press?: unknown }; readonly option?: unknown };
  readonly context?: { readonly open_message_id?: string; readonly open_chat_id?: string };
}

/** A press, the value of the pressed item, and the message below whose text it is. */
export interface CardPress {
  readonly press: InboundPress;
  readonly value: string;
  readonly messageId: string;
}

/** Decodes the press of a card that the service sent; undefined for any other event and card. */
export function decodePress(
  body: EventBody,
  { channelId, appId }: Pick<DecodeContext, "channelId" | "appId">,
): CardPress | undefined {
  if (body.header?.event_type !== PRESS_EVENT) return undefined;
  const { operator, action, context } = (body.event ?? {}) as PressEvent;
  const value = action?.option ?? action?.value?.press;
  const { open_message_id: messageId, open_chat_id: chat } = context ?? {};
  if (typeof value !== "string" || !operator?.open_id || !messageId || !chat) return undefined;
  const [type, id = ""] = value.split("/");
  const press = parsePress(id);
  if (!press) return undefined;
  return {
    value,
    messageId,
    press: {
      channelId,
      sessionId: sessionIdOf(channelId, chat),
      conversation: { id: chat, isGroup: type === "group" },
      kind: "action",
      press,
      sender: { id: operator.open_id, name: "", isAdmin: false },
      text: "",
      attachments: [],
      addressed: true,
      account: appId,
      source: channelId,
      raw: body,
      ...(body.header.event_id !== undefined && { dedupeKey: `${appId}:press:${body.header.event_id}` }),
    },
  };
}
