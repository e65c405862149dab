import { AppError, type Attachment, fitsMessage, type InboundMessage, type WebhookRequest } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { decodeUtf8 } from "@parley/core/http";
import { isObject } from "@parley/core/json";
import { type GenericSettings, MAPPED_KEYS, type MappedKey } from "./settings.ts";
import type { SignatureHeaders } from "./signature.ts";

const MAX_ID_CHARS = 128;
const MAX_SENDER_CHARS = 64;
const MAX_ATTACHMENTS = 10;
const MAX_NESTING = 32;
const ATTACHMENT_TYPES = ["image", "file", "audio", "video"] as const;
/** Keys of the text in a body; the first one present is used. */
const TEXT_KEYS = ["content", "text", "message"] as const;

/** The message of a body, or the problem of a field that cannot be used. */
export type DecodeResult = { readonly message: InboundMessage } | { readonly problem: string };

/** Parses the body; throws `bad_request` when it is not an object, so that the platform does not retry. */
export function parseBody({ headers, body }: WebhookRequest): Readonly<Record<string, unknown>> {
  if (headers["content-encoding"] !== undefined) throw new AppError("bad_request", "compressed bodies are not taken");
  let text: string;
  try {
    text = decodeUtf8(body);
  } catch {
    throw new AppError("bad_request", "the body is not UTF-8");
  }
  if (/^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "")) return parseForm(text);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new AppError("bad_request", "the body is not JSON");
  }
  if (!isObject(parsed)) throw new AppError("bad_request", "the body is no object");
  if (measureDepth(parsed) > MAX_NESTING) throw new AppError("bad_request", "the body is nested too deeply");
  return parsed;
}

/** Decodes a request body to one message. */
export function decodeBody(
  channelId: string,
  body: Readonly<Record<string, unknown>>,
  { mapping }: Pick<GenericSettings, "mapping">,
  signed?: Pick<SignatureHeaders, "nonce" | "signature">,
): DecodeResult {
  const given = Object.fromEntries(MAPPED_KEYS.map((key) => [key, readField(body, key, mapping[key])])) as Record<
    MappedKey,
    unknown
  >;
  const text = given.content ?? "";
  if (typeof text !== "string" || !fitsMessage(text))
    return { problem: "content: must be a text of at most 32,000 characters" };
  const ids = {
    conversation: parseId(given.conversation_id),
    user: parseId(given.user_id),
    message: parseId(given.message_id ?? getOwn(body, "event_id")),
    replyTo: parseId(given.reply_to),
  };
  const wrong = Object.entries(ids).find(([, value]) => value === null);
  if (wrong) return { problem: `${wrong[0]}: must be an id of at most 128 characters` };
  const conversation = ids.conversation ?? ids.user;
  if (!conversation) return { problem: "conversation_id, user_id: one of them is needed" };
  const attachments = parseAttachments(given.attachments);
  if (attachments === undefined)
    return { problem: "attachments: must be at most 10 of {type, url} with https addresses" };
  const isGroup = isTrue(given.is_group);
  const isMention = isGroup && isTrue(given.mentioned);
  if (text.trim() === "" && attachments.length === 0 && !isMention) return { problem: "content: is missing" };
  const dedupeKey = ids.message ?? (signed && `signed:${signed.signature}`);
  const time = parseTime(given.timestamp);
  return {
    message: {
      channelId,
      sessionId: sessionIdOf(channelId, conversation),
      conversation: { id: conversation, isGroup },
      kind: "message",
      sender: {
        id: ids.user ?? conversation,
        name: typeof given.sender === "string" ? given.sender.slice(0, MAX_SENDER_CHARS) : "",
        isAdmin: false,
      },
      text,
      attachments,
      addressed: !isGroup || isMention,
      source: channelId,
      raw: body,
      ...(dedupeKey !== undefined && { dedupeKey }),
      ...(signed && { nonce: signed.nonce }),
      ...(ids.message && { platformMessageId: ids.message }),
      ...(ids.replyTo && { replyTo: ids.replyTo }),
      ...(time !== undefined && { platformTime: time }),
    },
  };
}

function readField(body: Readonly<Record<string, unknown>>, key: MappedKey, path: string | undefined): unknown {
  if (path !== undefined) return getAtPath(body, path);
  if (key !== "content") return getOwn(body, key);
  return TEXT_KEYS.map((name) => getOwn(body, name)).find((value) => value !== undefined);
}

/** Returns the value at a path; inherited properties are ignored. */
function getAtPath(body: unknown, path: string): unknown {
  let value = body;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) value = getOwn(value, name ?? index ?? "");
  return value;
}

function getOwn(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Returns the id; undefined when it is missing, null when it is invalid. */
function parseId(value: unknown): string | undefined | null {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string" && !Number.isSafeInteger(value)) return null;
  const id = String(value);
  return id.length > MAX_ID_CHARS || /[\p{Cc}/]/u.test(id) ? null : id;
}

function parseAttachments(value: unknown): readonly Attachment[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_ATTACHMENTS) return undefined;
  const attachments: Attachment[] = [];
  for (const one of value) {
    const [type, url, name] = [getOwn(one, "type"), getOwn(one, "url"), getOwn(one, "name")];
    const kind = ATTACHMENT_TYPES.find((known) => known === type);
    const size = getOwn(one, "size");
    if (!kind || typeof url !== "string" || !isFetchable(url)) return undefined;
    attachments.push({
      type: kind,
      url,
      ...(typeof name === "string" && { name: name.slice(0, 200) }),
      ...(Number.isSafeInteger(size) && { size: size as number }),
    });
  }
  return attachments;
}

/** True for https, and for http on this machine, which is reachable only if the operator allows it. */
function isFetchable(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed?.username || parsed?.password) return false;
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed?.hostname ?? "");
  return parsed?.protocol === "https:" || (parsed?.protocol === "http:" && isLocal);
}

function parseTime(value: unknown): string | undefined {
  const ms =
    typeof value === "number"
      ? value * (value < 1e11 ? 1_000 : 1)
      : typeof value === "string"
        ? Date.parse(value)
        : Number.NaN;
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === "1";
}

function parseForm(text: string): Readonly<Record<string, unknown>> {
  const form = new URLSearchParams(text);
  const names = [...form.keys()];
  if (new Set(names).size !== names.length) throw new AppError("bad_request", "the form has a field twice");
  return Object.fromEntries(form);
}

function measureDepth(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_NESTING) return depth;
  return Math.max(depth, ...Object.values(value).map((one) => measureDepth(one, depth + 1)));
}
