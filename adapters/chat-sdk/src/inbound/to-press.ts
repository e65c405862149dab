import { type InboundPress, parsePress } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { KnownPackage } from "../packages/known-packages.ts";
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
export function toPress(
  channelId: string,
  known: KnownPackage | undefined,
  action: SdkAction,
): InboundPress | undefined {
  const press = parsePress(action.value ?? "") ?? parsePress(action.actionId);
  const threadId = known?.findPressPlace?.(action.raw) ?? action.threadId;
  if (!press || threadId === "") return undefined;
  return {
    ...toPlace(channelId, action.adapter, threadId),
    kind: "action",
    press,
    sender: toSender(action.user),
    ...{ text: "", attachments: [], addressed: true, source: channelId },
    ...toPressKey(action.messageId, action.raw),
  };
}

/** Returns the place of an event in a conversation. */
export function toPlace(channelId: string, adapter: SdkAdapter, threadId: string) {
  const isGroup = !(adapter.isDM?.(threadId) ?? true);
  return { channelId, sessionId: sessionIdOf(channelId, threadId), conversation: { id: threadId, isGroup } };
}

function toSender({ userId, userName, fullName }: SdkAction["user"]): InboundPress["sender"] {
  return { id: userId, name: fullName || userName || userId, isAdmin: false };
}

/** Returns the key of a press: the id of its interaction; absent where the platform gives none. */
function toPressKey(messageId: string, raw: unknown): Pick<InboundPress, "dedupeKey"> {
  const given: unknown =
    typeof raw === "object" && raw !== null ? (Reflect.get(raw, "trigger_id") ?? Reflect.get(raw, "id")) : undefined;
  return typeof given === "string" && given !== "" ? { dedupeKey: `press ${messageId} ${given}` } : {};
}
