/**
 * Returns the conversation of a press in a private chat of Slack: the chat itself, and not a thread below the message with the button, as
 * the package takes it. Undefined for a press in another kind of conversation.
 */
export function findSlackPressPlace(press: unknown): string | undefined {
  const channel = readField(readField(press, "channel"), "id");
  if (typeof channel !== "string" || !channel.startsWith("D")) return undefined;
  const thread = readField(readField(press, "message"), "thread_ts");
  return typeof thread === "string" ? undefined : `slack:${channel}:`;
}

function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
