import { AppError, BY_SERVICE, type LocalizedError, toLocalizedError } from "@parley/core";
import type { AddMessage } from "../messages/add-message.ts";
import { appendWithDelivery, markUndelivered, requireConversationId } from "../messages/deliver-message.ts";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import { toMessageIdOfTempId } from "../turns/user-message-id.ts";
import { isDenied } from "./audience.ts";
import type { Recipient } from "./schema.ts";
import type { BroadcastStore, StoredBroadcast } from "./store.ts";

export interface SendDeps {
  readonly deps: SessionDeps;
  readonly addMessage: AddMessage;
  readonly store: BroadcastStore;
}

/** Thrown to abort the transaction when nothing more should be sent. */
const STOPPED = new Error("the broadcast was stopped");

/** Errors that a retry cannot fix. Any other error fails the job, which is retried. */
const FINAL_ERROR_CODES = new Set(["not_found", "bad_request", "conflict", "too_large", "permission_denied"]);

/**
 * Sends to one recipient. Message, deliveries and state are one transaction, which is skipped when the broadcast was
 * stopped or the recipient is done. Returns false when nothing more should be sent.
 */
export async function sendToRecipient(
  sending: SendDeps,
  broadcast: StoredBroadcast,
  recipient: Recipient,
): Promise<boolean> {
  const { deps, store } = sending;
  const markFailed = async (error: LocalizedError) => {
    await deps.database().write([store.outcomeWrite(broadcast.id, recipient, "failed", error)]);
    return true;
  };
  try {
    const rules = await enqueueMessage(sending, broadcast, recipient);
    return rules
      ? await markFailed(toLocalizedError(sessionsTexts.error("conflict", "withheld", { rules: rules.join(", ") })))
      : true;
  } catch (error) {
    if (error === STOPPED) return false;
    if (!AppError.is(error) || !(FINAL_ERROR_CODES.has(error.code) || isUnconnected(error))) throw error;
    return markFailed(toLocalizedError(error));
  }
}

const isUnconnected = ({ detail }: AppError) => detail?.key === "named_channel_not_connected";

/** Stores the message with its deliveries. Returns the rules that blocked it; undefined when it was queued. */
async function enqueueMessage({ deps, addMessage, store }: SendDeps, broadcast: StoredBroadcast, recipient: Recipient) {
  const session = await deps.sessions.get(recipient.session_id);
  const conversationId = requireConversationId(deps, session);
  if (isDenied(session, deps.channels())) throw sessionsTexts.error("conflict", "denied");
  const writes = async () => {
    const { state, run } = await store.get(broadcast.id);
    if (state !== "running" || run !== broadcast.run) throw STOPPED;
    return store.markSentWrites(broadcast, recipient);
  };
  const draft = {
    content: broadcast.text,
    role: "assistant",
    sender: broadcast.created_by,
    attachments: [],
    hidden: false,
    deliver: true,
    metadata: { sent_by_operator: true, broadcast_id: broadcast.id },
    temp_id: broadcast.id,
  } as const;
  const append = appendWithDelivery(deps, session, conversationId, () => undefined, {
    traceId: recipient.trace_id,
    writes,
    order: BY_SERVICE,
  });
  const { stored, isNew } = await addMessage(session.id, draft, append);
  // An earlier run sent the message; its outcome is queried.
  if (!isNew) await deps.database().write([store.outcomeWrite(broadcast.id, recipient, "sent", null)]);
  return stored.blocked ? stored.rule_ids : undefined;
}

/** Determines the outcome of a message; returns true when it is known. */
export async function resolveOutcome(
  { deps, store }: SendDeps,
  broadcast: Pick<StoredBroadcast, "id">,
  recipient: Recipient,
  signal: AbortSignal,
): Promise<boolean> {
  const outcome = await deps
    .gateway()
    .sendingEnd(recipient.trace_id, signal)
    .catch((error) => {
      if (!AppError.is(error) || error.code !== "not_found") throw error;
      return { status: "dead" as const, error: null };
    });
  if (outcome.status === "pending") return false;
  if (outcome.status === "delivered") {
    await deps.database().write([store.outcomeWrite(broadcast.id, recipient, "delivered", null)]);
    return true;
  }
  const error = outcome.error ?? toLocalizedError(sessionsTexts.error("upstream_failed", "unknown_end"));
  const [message] = await deps.messages.byIds([toMessageIdOfTempId(recipient.session_id, broadcast.id)]);
  // A failed delivery was reported already, and someone may have retried it.
  if (message && outcome.error === null && !message.error) await markUndelivered(deps, message, error);
  await deps.database().write([store.outcomeWrite(broadcast.id, recipient, "failed", error)]);
  return true;
}
