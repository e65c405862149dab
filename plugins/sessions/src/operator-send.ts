import {
  AppError,
  type Caller,
  explained,
  explainedAs,
  hasScope,
  isGroupSession,
  type Message,
  type Session,
  saidOf,
  toldFailure,
} from "@parley/core";
import type { Adding, Append, Stored } from "./adding.ts";
import { again } from "./message-store.ts";
import { type SessionParts, tellMessage } from "./parts.ts";
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
  const marked = async (message: Message, error: AppError) => {
    const next: Message = { ...message, error: toldFailure(error), revision: message.revision + 1 };
    await messages.replace(next);
    tellMessage(parts, "message_updated", next);
    return error;
  };
  return async (idOrKey, draft, caller) => {
    if (!hasScope(caller, "admin")) throw sessionFailure("permission_denied", "needs_admin", {}, { field: "deliver" });
    const session = await sessions.get(idOrKey);
    const conversationId = placeOf(parts, session);
    refuseUnlikeAnswer(draft);
    const replyTo = draft.reply_to && (await messages.platformIdOf(session.id, draft.reply_to));
    let deliveryIds: readonly string[] = [];
    let refusal: AppError | undefined;
    /** With what is to be sent, or not at all: a process that dies in between has said nothing, or will. */
    const queued: Append = (message) =>
      again(async () => {
        const [there] = message.temp_id === null ? [] : await messages.byIds([message.id]);
        if (there) return { message: there, isNew: false };
        const next = { ...message, seq: await messages.nextSeq(session.id) };
        const [first, ...others] = messages.appends(next, session.channel_id);
        const sendable = {
          channelId: session.channel_id,
          sessionId: session.id,
          conversation: { id: conversationId, isGroup: isGroupSession(session) },
          text: message.content,
          attachments: message.attachments,
          ...(replyTo && { replyTo }),
        };
        const writes = first ? [{ ...first, expect: 1 }, ...others] : [];
        ({ deliveryIds } = await gateway().deliver(sendable, writes));
        return { message: next, isNew: true };
      });
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
      throw await marked(message, sessionFailure("upstream_failed", "not_taken"));
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

function placeOf({ channels }: SessionParts, { channel_id, conversation_id }: Session): string {
  if (channel_id === "web" || conversation_id === null) {
    throw sessionFailure("bad_request", "nobody", {}, { field: "deliver" });
  }
  const channel = channels()?.get(channel_id);
  if (!channel?.enabled) throw sessionFailure("conflict", "channel_gone", { id: channel_id }, { field: "deliver" });
  if (!channels()?.link(channel_id)) throw explained("unavailable", "named_channel_not_connected", { id: channel_id });
  return conversation_id;
}

function refuseUnlikeAnswer({ role, insert_index, timestamp, hidden }: MessageDraft): void {
  if (role !== "assistant") throw sessionFailure("bad_request", "said_as_bot", {}, { field: "role" });
  if (insert_index !== undefined || timestamp !== undefined || hidden) {
    throw sessionFailure("bad_request", "said_now", {}, { field: "deliver" });
  }
}
