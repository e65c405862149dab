/** Returns the text of a message event without the mention of the app, as Google gives it; undefined for another event. */
export function readGoogleText(request: unknown): string | undefined {
  const message = readField(readField(readField(request, "chat"), "messagePayload"), "message");
  const text = readField(message, "argumentText") ?? readField(message, "text");
  if (typeof text !== "string") return undefined;
  return readField(message, "argumentText") === undefined ? text : text.replace(/^\s/, "");
}

function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
