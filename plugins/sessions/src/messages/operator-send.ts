import {
  AppError,
  assertMaySpeak,
  type Caller,
  type Gateway,
  toLocalized,
  toLocalizedError,
  toSpeakOrder,
} from "@parley/core";
import type { MessageDraft } from "../schemas/messages.ts";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import type { AddMessage, StoreResult } from "./add-message.ts";
import { appendWithDelivery, requireConversationId } from "./deliver-message.ts";

const DELIVERY_WAIT_MS = 10_000;

interface SendReply {
  readonly status: number;
  readonly data: StoreResult & { readonly delivery: { readonly id: string; readonly status: string } | null };
}

export type SendAsOperator = (idOrKey: string, draft: MessageDraft, caller: Caller) => Promise<SendReply>;

/** Creates the function that sends an operator's message as the bot: it is stored like a reply, and delivered. */
export function createSendAsOperator(deps: SessionDeps, addMessage: AddMessage): SendAsOperator {
  const { sessions, messages, gateway } = deps;
  return async (idOrKey, draft, caller) => {
    const order = toSpeakOrder(caller);
    const session = await sessions.get(idOrKey);
    assertMaySpeak({ channelId: session.channel_id }, order);
    const conversationId = requireConversationId(deps, session);
    assertDeliverable(draft);
    const replyTo = draft.reply_to && (await messages.findPlatformId(session.id, draft.reply_to));
    let queued: Pick<Awaited<ReturnType<Gateway["deliver"]>>, "traceId" | "deliveryIds"> | undefined;
    let sendError: AppError | undefined;
    const append = appendWithDelivery(
      deps,
      session,
      conversationId,
      (sent) => {
        queued = sent;
      },
      { replyTo, order },
    );
    const { stored, isNew } = await addMessage(
      session.id,
      { ...draft, sender: draft.sender ?? caller.username, metadata: { ...draft.metadata, sent_by_operator: true } },
      (message) =>
        append(message).catch((cause) => {
          sendError = toNotSentError(cause);
          return messages.append({ ...message, error: toLocalizedError(sendError) }, session.channel_id);
        }),
    );
    if (sendError) throw sendError;
    const { message } = stored;
    if (!isNew && message?.error)
      throw new AppError(
        "upstream_failed",
        message.error.error,
        message.error.detail && { detail: message.error.detail },
      );
    // A message that was sent before is not sent again.
    if (!message || !isNew) return { status: 200, data: { ...stored, delivery: null } };
    const { traceId, deliveryIds } = queued ?? { traceId: "", deliveryIds: [] };
    const { status } = await gateway().sendingEnd(traceId, AbortSignal.timeout(DELIVERY_WAIT_MS));
    if (status === "dead" || status === "expired") throw sessionsTexts.error("upstream_failed", "not_taken");
    const data = { ...stored, delivery: { id: deliveryIds.at(-1) ?? "", status } };
    return { status: status === "delivered" ? 200 : 202, data };
  };
}

function toNotSentError(cause: Error): AppError {
  const why = AppError.is(cause) ? toLocalized(cause) : { en: cause.message, zh: cause.message };
  return sessionsTexts.error("upstream_failed", "not_sent", { why });
}

function assertDeliverable({ role, insert_index, timestamp, hidden }: MessageDraft): void {
  if (role !== "assistant") throw sessionsTexts.error("bad_request", "said_as_bot", {}, { field: "role" });
  if (insert_index !== undefined || timestamp !== undefined || hidden) {
    throw sessionsTexts.error("bad_request", "said_now", {}, { field: "deliver" });
  }
}
