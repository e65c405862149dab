import { type InboundPress, parsePress } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";

/** A pressed button, or a choice of a list. */
export interface SdkAction {
  readonly adapter: SdkAdapter;
  readonly actionId: string;
  readonly value?: string;
  readonly threadId: string;
  readonly messageId: string;
  readonly user: { readonly userId: string; readonly userName?: string; readonly fullName?: string };
  readonly raw?: unknown;
}

/** Converts a press; undefined for an item that the service did not send, such as a button of an earlier bot. */
export function toPress(channelId: string, action: SdkAction): InboundPress | undefined {
  const { adapter, actionId, value, threadId, messageId, user, raw } = action;
  const press = parsePress(value ?? "") ?? parsePress(actionId);
  if (!press || threadId === "") return undefined;
  return {
    channelId,
    sessionId: sessionIdOf(channelId, threadId),
    conversation: { id: threadId, isGroup: !(adapter.isDM?.(threadId) ?? true) },
    kind: "action",
    press,
    sender: { id: user.userId, name: user.fullName || user.userName || user.userId, isAdmin: false },
    text: "",
    attachments: [],
    addressed: true,
    source: channelId,
    ...toPressKey(messageId, raw),
  };
}

/** Returns the key of a press: the id of its interaction; absent where the platform gives none. */
function toPressKey(messageId: string, raw: unknown): Pick<InboundPress, "dedupeKey"> {
  const given: unknown =
    typeof raw === "object" && raw !== null ? (Reflect.get(raw, "trigger_id") ?? Reflect.get(raw, "id")) : undefined;
  return typeof given === "string" && given !== "" ? { dedupeKey: `press ${messageId} ${given}` } : {};
}
