import { AppError } from "./errors.ts";
import type { InboundKind, InboundMessage } from "./message.ts";

const KINDS: ReadonlySet<InboundKind> = new Set(["message", "edit", "recall", "regenerate", "task"]);
const MAX_ID = 128;
const MAX_KEY = 512;

/**
 * Refuses (`bad_request`) what is no message of a channel: a field that is missing or of another type, an unknown kind, a
 * session or a channel that is not its own. Whatever is accepted can be worked on.
 */
export function checkInbound(message: InboundMessage, channelId: string): void {
  const refuse = (field: string, rule: string): never => {
    throw new AppError("bad_request", `${field}: ${rule}`);
  };
  // Adapters read payloads of others: what their types say is not what they give.
  const { conversation, sender, ...given } = message as Partial<InboundMessage>;
  const id = (field: string, value: unknown, most = MAX_ID) => {
    if (typeof value !== "string" || value === "" || value.length > most)
      refuse(field, `must be a text of 1 to ${most} characters`);
  };
  const optional = (field: string, value: unknown) => value === undefined || id(field, value, MAX_KEY);
  if (given.channelId !== channelId) refuse("channelId", `must be '${channelId}'`);
  if (!given.kind || !KINDS.has(given.kind)) refuse("kind", `must be one of ${[...KINDS].join(", ")}`);
  id("conversation.id", conversation?.id);
  if (typeof conversation?.isGroup !== "boolean") refuse("conversation.isGroup", "must be true or false");
  id("sessionId", given.sessionId, MAX_KEY);
  if (channelId !== "web" && given.kind !== "task" && !given.sessionId?.startsWith(`${channelId}:`))
    refuse("sessionId", `must begin with '${channelId}:'`);
  // Not every platform says who withdrew a message.
  if (given.kind !== "recall" || sender?.id !== "") id("sender.id", sender?.id);
  if (typeof sender?.name !== "string") refuse("sender.name", "must be a text");
  if (sender?.language !== undefined && typeof sender.language !== "string")
    refuse("sender.language", "must be a text");
  if (typeof given.text !== "string") refuse("text", "must be a text");
  if (!Array.isArray(given.attachments)) refuse("attachments", "must be a list");
  if (typeof given.addressed !== "boolean") refuse("addressed", "must be true or false");
  optional("dedupeKey", given.dedupeKey);
  optional("nonce", given.nonce);
  optional("platformMessageId", given.platformMessageId);
}
