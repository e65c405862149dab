import type { Effect, LocalizedError, Message, Turn } from "@parley/core";
import { publishMessage, type SessionDeps } from "../session-deps.ts";

/** Marks the user's message as unanswered or partly answered; with several models, names them. */
export function toErrorEffect(
  deps: SessionDeps,
  { inbound, unansweredReason }: Turn,
  message: Message,
  error: LocalizedError,
): Effect {
  const { modelIds, modelId = "" } = inbound;
  const failed = { ...(message.metadata.failed_models as object | undefined), [modelId]: error };
  const more = modelIds
    ? { failed_models: failed }
    : { ...(unansweredReason && { unanswered_reason: unansweredReason }) };
  return toChangeEffect(deps, { ...message, error, metadata: { ...message.metadata, ...more } });
}

/** Stores with the user's message why it got no answer. A message that is answered again keeps its earlier answer. */
export function toUnansweredEffects(
  deps: SessionDeps,
  { inbound, userMessage, unansweredReason, answeredWith }: Turn,
): readonly Effect[] {
  if (!userMessage || inbound.kind !== "message" || inbound.isHidden) return [];
  const together = answeredWith !== undefined && { answered_with: answeredWith };
  const metadata = { ...userMessage.metadata, unanswered_reason: unansweredReason, ...together };
  return [toChangeEffect(deps, { ...userMessage, metadata })];
}

/** Returns the message without its error and reason, because it is answered now; undefined when it has neither. */
export function clearUnanswered(message: Message): Message | undefined {
  const { unanswered_reason: reason, ...metadata } = message.metadata;
  if (message.error === null && reason === undefined) return undefined;
  return { ...message, error: null, metadata, revision: message.revision + 1 };
}

function toChangeEffect(deps: SessionDeps, message: Message): Effect {
  const next: Message = { ...message, revision: message.revision + 1 };
  return {
    // A concurrent change takes precedence.
    writes: deps.messages.replaceWrites(next, "if it is as before"),
    applied: ([changed]) => {
      if (changed?.changes === 1) publishMessage(deps, "message_updated", next);
    },
  };
}
