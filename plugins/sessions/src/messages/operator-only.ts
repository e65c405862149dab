import type { InboundMessage, Message } from "@parley/core";

/** Returns the metadata for messages of a turn that an operator requested privately in a channel conversation. */
export function toOperatorMetadata({ isOperatorOnly }: InboundMessage): Message["metadata"] {
  return isOperatorOnly ? { operator_only: true } : {};
}

/** True when the people of a channel may see the message. */
export function isForParticipants({ metadata }: Message): boolean {
  return metadata.operator_only !== true;
}
