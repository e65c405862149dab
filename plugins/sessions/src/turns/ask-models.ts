import { type Caller, type ChatRequest, type InboundMessage, newId, type Session, toSender } from "@parley/core";
import { resolveAttachments } from "../messages/attachments.ts";
import type { AskModelsBody } from "../schemas/chat.ts";
import { assertChatModel, assertNotArchived, type SessionDeps } from "../session-deps.ts";
import type { QueueLimit } from "./queue-limit.ts";
import { assertHasContent } from "./turn-stages.ts";
import { toMessageIdOfTempId } from "./user-message-id.ts";

export interface AskModelsResult {
  /** Trace ids of one turn per model, in their order; only the first one when the filter blocks the message. */
  readonly trace_ids: readonly string[];
  readonly message_id: string;
  readonly blocked: boolean;
}

export interface AskModelsDeps {
  readonly deps: SessionDeps;
  readonly withQueueLimit: QueueLimit;
  readonly assertAnswersEnabled: (session: Session) => void;
  readonly toInboundMessage: (session: Session, request: ChatRequest) => InboundMessage;
  readonly isBlocked: (session: Session, request: ChatRequest) => Promise<boolean>;
}

/**
 * Creates the function that sends one message to several models, one turn after another: the first turn answers it, the
 * others add variants of that answer. All turns are stored when it resolves, and only once for a `temp_id`.
 */
export function createAskModels({
  deps,
  withQueueLimit,
  assertAnswersEnabled,
  toInboundMessage,
  isBlocked,
}: AskModelsDeps) {
  const { sessions, messages, clock, gateway } = deps;
  return async (idOrKey: string, body: AskModelsBody, caller: Caller): Promise<AskModelsResult> => {
    const { content, model_ids: modelIds, reply_to: replyTo, temp_id: tempId = newId("t", clock.now()) } = body;
    const session = await sessions.get(idOrKey);
    assertNotArchived(session);
    assertHasContent(content, body.attachments);
    await Promise.all(modelIds.map((id) => assertChatModel(deps, id)));
    const attachments = await resolveAttachments(deps, session.id, body.attachments);
    if (replyTo !== undefined) await messages.find(session.id, replyTo);
    assertAnswersEnabled(session);
    const request: ChatRequest = {
      content,
      attachments,
      sender: toSender(caller),
      source: "api",
      tempId,
      ...(replyTo !== undefined && { replyTo }),
    };
    const blocked = await isBlocked(session, request);
    const first = toInboundMessage(session, request);
    const message_id = toMessageIdOfTempId(session.id, tempId);
    const { tempId: _one, replyTo: _other, ...shared } = first;
    const [modelId = "", ...otherIds] = modelIds;
    // A message that will be blocked is sent to one model only.
    const others = (blocked ? [] : otherIds).map((id, at): InboundMessage => {
      const dedupeKey = `${first.dedupeKey}:${at + 1}`;
      return { ...shared, kind: "regenerate", messageId: message_id, modelId: id, modelIds, dedupeKey };
    });
    // All turns are stored in one transaction: no other message comes between them, and a crash leaves all or none.
    const accept = () => gateway().acceptTogether([{ ...first, modelId, modelIds }, ...others]);
    const accepted = await withQueueLimit(session.id, accept, others.length + 1);
    return { trace_ids: accepted.map(({ traceId }) => traceId), message_id, blocked };
  };
}
