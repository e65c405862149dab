import { AppError, type Caller, explainedAs, saidOf, speakTo, toldFailure, toSpeakOrder } from "@parley/core";
import type { Adding, Stored } from "./adding.ts";
import type { SessionParts } from "./parts.ts";
import { markNotSent, placeOf, queuing } from "./said-as-bot.ts";
import { sessionFailure } from "./said-failures.ts";
import type { MessageDraft } from "./schemas/messages.ts";

const SEND_WAIT_MS = 10_000;

interface Sent {
  readonly status: number;
  readonly data: Stored & { readonly delivery: { readonly id: string; readonly status: string } | null };
}

export type OperatorSend = (idOrKey: string, draft: MessageDraft, caller: Caller) => Promise<Sent>;

/** What an operator says to the people of a channel, as the bot: stored like an answer of it, and sent. */
export function createOperatorSend(parts: SessionParts, adding: Adding): OperatorSend {
  const { sessions, messages, gateway } = parts;
  return async (idOrKey, draft, caller) => {
    const order = toSpeakOrder(caller);
    const session = await sessions.get(idOrKey);
    speakTo({ channelId: session.channel_id }, order);
    const conversationId = placeOf(parts, session);
    refuseUnlikeAnswer(draft);
    const replyTo = draft.reply_to && (await messages.platformIdOf(session.id, draft.reply_to));
    let deliveryIds: readonly string[] = [];
    let refusal: AppError | undefined;
    const queued = queuing(
      parts,
      session,
      conversationId,
      (sent) => {
        deliveryIds = sent.deliveryIds;
      },
      { replyTo, order },
    );
    const { stored, isNew } = await adding(
      session.id,
      { ...draft, sender: draft.sender ?? caller.username, metadata: { ...draft.metadata, sent_by_operator: true } },
      (message) =>
        queued(message).catch((cause) => {
          refusal = notSent(cause);
          return messages.append({ ...message, error: toldFailure(refusal) }, session.channel_id);
        }),
    );
    if (refusal) throw refusal;
    const { message } = stored;
    if (!isNew && message?.error)
      throw new AppError(
        "upstream_failed",
        message.error.error,
        message.error.detail && { detail: message.error.detail },
      );
    // What was said once is not said again.
    if (!message || !isNew) return { status: 200, data: { ...stored, delivery: null } };
    const id = deliveryIds.at(-1) ?? "";
    const status = await gateway().delivered(id, AbortSignal.timeout(SEND_WAIT_MS));
    if (status === "dead" || status === "expired") {
      const error = sessionFailure("upstream_failed", "not_taken");
      await markNotSent(parts, message, toldFailure(error));
      throw error;
    }
    const data = { ...stored, delivery: { id, status } };
    return { status: status === "delivered" ? 200 : 202, data };
  };
}

function notSent(cause: Error): AppError {
  const why = AppError.is(cause) ? saidOf(cause) : { en: cause.message, zh: cause.message };
  const said = { en: "it was not sent: {why}", zh: "未能发送：{because}" };
  return explainedAs("upstream_failed", "sessions.not_sent", said, { params: { why: why.en, because: why.zh } });
}

function refuseUnlikeAnswer({ role, insert_index, timestamp, hidden }: MessageDraft): void {
  if (role !== "assistant") throw sessionFailure("bad_request", "said_as_bot", {}, { field: "role" });
  if (insert_index !== undefined || timestamp !== undefined || hidden) {
    throw sessionFailure("bad_request", "said_now", {}, { field: "deliver" });
  }
}
