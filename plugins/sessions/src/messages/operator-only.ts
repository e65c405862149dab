import type { InboundMessage, Message } from "@parley/core";

/** What marks the messages of a turn that an operator asked for themselves in a conversation of a channel. */
export function operatorMetadata({ isOperatorOnly }: InboundMessage): Message["metadata"] {
  return isOperatorOnly ? { operator_only: true } : {};
}

/** Whether the people of a channel may learn of it. */
export function isForParticipants({ metadata }: Message): boolean {
  return metadata.operator_only !== true;
}
