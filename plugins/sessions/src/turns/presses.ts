import {
  AppError,
  type Caller,
  type ChatRequest,
  type ErrorCode,
  HTTP_STATUS,
  type InboundMessage,
  type LocalizedError,
  listPressable,
  type Message,
  type PressRequest,
  reply,
  type Session,
  type Sessions,
  type TurnStarted,
  toSender,
} from "@parley/core";
import { isForParticipants } from "../messages/operator-only.ts";
import type { PressBody } from "../schemas/chat.ts";
import { assertNotArchived, type SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import { findUserMessage } from "./user-message-id.ts";

export interface PressDeps {
  readonly deps: SessionDeps;
  readonly assertAnswersEnabled: (session: Session) => void;
  readonly toInboundMessage: (session: Session, request: ChatRequest) => InboundMessage;
  /** Waits for the outcome of a turn, as a REST answer. */
  readonly waitFor: (started: TurnStarted, signal: AbortSignal) => Promise<{ data: object; notice: string }>;
}

/** Presses elements of stored messages. */
export interface Presses extends Pick<Sessions, "press"> {
  /** Handles the REST route: waits for the turn unless the body says otherwise. */
  handlePress(idOrKey: string, body: PressBody, caller: Caller, signal: AbortSignal): Promise<unknown>;
}

export function createPresses(deps: PressDeps): Presses {
  return {
    press: (idOrKey, request) => press(deps, idOrKey, request),
    async handlePress(idOrKey, { element_id, item_id, message_id, language, wait }, caller, signal) {
      const started = await press(deps, idOrKey, {
        elementId: element_id,
        itemId: item_id,
        messageId: message_id,
        sender: { ...toSender(caller), ...(language !== undefined && { language }) },
        source: "api",
      });
      if (!wait) return reply({ status: 202, data: { trace_id: started.traceId } });
      const { data, notice } = await deps.waitFor(started, signal);
      return reply({ data, message: notice });
    },
  };
}

async function press(
  { deps, assertAnswersEnabled, toInboundMessage }: PressDeps,
  idOrKey: string,
  { messageId, elementId, itemId, sender, source }: PressRequest,
): Promise<TurnStarted> {
  const { sessions, messages, gateway } = deps;
  const session = await sessions.get(idOrKey);
  assertNotArchived(session);
  assertPressable(session, await messages.find(session.id, messageId), elementId);
  assertAnswersEnabled(session);
  const message = toInboundMessage(session, { content: "", attachments: [], sender, source });
  const accepted = await gateway().press?.({ ...message, kind: "action", press: { elementId, itemId } });
  if (!accepted) throw sessionsTexts.error("unavailable", "no_presses");
  const { traceId, duplicated, refusalError } = accepted;
  if (refusalError) throw toAppError(refusalError);
  const { id } = await findUserMessage(deps, { sessionId: session.id, traceId, tempId: undefined }, false);
  return { traceId, duplicated, messageId: id, blocked: false, removedIds: [] };
}

/** Throws when the message has no such element, or asks the people of a channel. */
function assertPressable(session: Session, message: Message, elementId: string): void {
  if (!listPressable(message.elements ?? []).some(({ id }) => id === elementId))
    throw sessionsTexts.error("not_found", "no_element", {}, { field: "element_id" });
  if (session.channel_id !== "web" && isForParticipants(message))
    throw sessionsTexts.error("permission_denied", "asks_participants");
}

/** Converts a stored or returned error to one that can be thrown. */
export function toAppError({ code, error, detail }: LocalizedError): AppError {
  return new AppError(code in HTTP_STATUS ? (code as ErrorCode) : "internal", error, detail && { detail });
}
