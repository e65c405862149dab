import { AppError } from "../errors.ts";
import type { InboundKind, InboundMessage, InboundPress } from "../message.ts";

const KINDS: ReadonlySet<InboundKind | InboundPress["kind"]> = new Set([
  "message",
  "edit",
  "recall",
  "regenerate",
  "task",
  "action",
]);
const MAX_ID = 128;
const MAX_KEY = 512;

/** Throws `bad_request` for an invalid channel message: a missing or mistyped field, an unknown kind, another channel, or a session of another channel. */
export function checkInbound(message: InboundMessage | InboundPress, channelId: string): void {
  const reject = (field: string, rule: string): never => {
    throw new AppError("bad_request", `${field}: ${rule}`);
  };
  // Adapters read foreign payloads, so values may not match their types.
  const { conversation, sender, ...fields } = message as Partial<InboundMessage | InboundPress>;
  const id = (field: string, value: unknown, maxLength = MAX_ID) => {
    if (typeof value !== "string" || value === "" || value.length > maxLength)
      reject(field, `must be a text of 1 to ${maxLength} characters`);
  };
  const optional = (field: string, value: unknown) => value === undefined || id(field, value, MAX_KEY);
  if (fields.channelId !== channelId) reject("channelId", `must be '${channelId}'`);
  if (!fields.kind || !KINDS.has(fields.kind)) reject("kind", `must be one of ${[...KINDS].join(", ")}`);
  id("conversation.id", conversation?.id);
  if (typeof conversation?.isGroup !== "boolean") reject("conversation.isGroup", "must be true or false");
  id("sessionId", fields.sessionId, MAX_KEY);
  if (channelId !== "web" && fields.kind !== "task" && !fields.sessionId?.startsWith(`${channelId}:`))
    reject("sessionId", `must begin with '${channelId}:'`);
  // Some platforms do not report who withdrew a message.
  if (fields.kind !== "recall" || sender?.id !== "") id("sender.id", sender?.id);
  if (typeof sender?.name !== "string") reject("sender.name", "must be a text");
  if (sender?.language !== undefined && typeof sender.language !== "string")
    reject("sender.language", "must be a text");
  if (typeof fields.text !== "string") reject("text", "must be a text");
  if (!Array.isArray(fields.attachments)) reject("attachments", "must be a list");
  if (typeof fields.addressed !== "boolean") reject("addressed", "must be true or false");
  if (fields.kind === "action") {
    id("press.elementId", fields.press?.elementId);
    id("press.itemId", fields.press?.itemId);
  }
  optional("dedupeKey", fields.dedupeKey);
  optional("nonce", fields.nonce);
  optional("platformMessageId", fields.platformMessageId);
}
