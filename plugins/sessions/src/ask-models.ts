import { type Caller, type ChatRequest, type InboundMessage, newId, type Session, toSender } from "@parley/core";
import { settled } from "./attached.ts";
import { checkModel, refuseArchived, type SessionParts } from "./parts.ts";
import { idOfTemp } from "./said-once.ts";
import type { AskModelsBody } from "./schemas/chat.ts";
import { refuseNothing } from "./turn-stages.ts";
import type { WaitingLine } from "./waiting-line.ts";

/** What was begun by asking several models. */
export interface AskedModels {
  /** One turn for each model, in their order; of a message that the filter blocks only the first. */
  readonly trace_ids: readonly string[];
  readonly message_id: string;
  readonly blocked: boolean;
}

export interface AskModelsParts {
  readonly parts: SessionParts;
  readonly inLine: WaitingLine;
  readonly refuseOff: (session: Session) => void;
  readonly inboundOf: (session: Session, request: ChatRequest) => InboundMessage;
  readonly isBlocked: (session: Session, request: ChatRequest) => Promise<boolean>;
}

/**
 * Asks several models the same, one turn after another: the first answers the message, each of the others makes a variant of
 * that answer. All turns are stored when it resolves; under the same `temp_id` none is stored twice.
 */
export function createAskModels({ parts, inLine, refuseOff, inboundOf, isBlocked }: AskModelsParts) {
  const { sessions, messages, clock, gateway } = parts;
  return async (idOrKey: string, body: AskModelsBody, caller: Caller): Promise<AskedModels> => {
    const { content, model_ids: modelIds, reply_to: replyTo, temp_id: tempId = newId("t", clock.now()) } = body;
    const session = await sessions.get(idOrKey);
    refuseArchived(session);
    refuseNothing(content, body.attachments);
    await Promise.all(modelIds.map((id) => checkModel(parts, id)));
    const attachments = await settled(parts, session.id, body.attachments);
    if (replyTo !== undefined) await messages.find(session.id, replyTo);
    refuseOff(session);
    const request: ChatRequest = {
      content,
      attachments,
      sender: toSender(caller),
      source: "api",
      tempId,
      ...(replyTo !== undefined && { replyTo }),
    };
    const blocked = await isBlocked(session, request);
    const first = inboundOf(session, request);
    const message_id = idOfTemp(session.id, tempId);
    const { tempId: _one, replyTo: _other, ...again } = first;
    const [modelId = "", ...otherIds] = modelIds;
    // What the filter ends is said to one.
    const others = (blocked ? [] : otherIds).map((id, at): InboundMessage => {
      const dedupeKey = `${first.dedupeKey}:${at + 1}`;
      return { ...again, kind: "regenerate", messageId: message_id, modelId: id, modelIds, dedupeKey };
    });
    // Together: nothing that is said meanwhile comes between them, and a crash leaves all or none.
    const enter = () => gateway().acceptTogether([{ ...first, modelId, modelIds }, ...others]);
    const accepted = await inLine(session.id, enter, others.length + 1);
    return { trace_ids: accepted.map(({ traceId }) => traceId), message_id, blocked };
  };
}
