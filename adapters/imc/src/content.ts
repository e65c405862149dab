import type { Attachment } from "@parley/core";
import { formatContent, formatLink, type MessageForm } from "@parley/core/channels";
import { isObject, parseJsonObject, toJsonObject } from "@parley/core/json";
import { cardToText } from "./card-text.ts";

/** A file of a message: its key, and the type with which it is requested. */
export interface ContentFile {
  readonly kind: Attachment["type"];
  readonly key: string;
  readonly type: "image" | "file";
  readonly name?: string;
}

const ATTACHMENT_TYPE_BY_KIND: Readonly<Record<string, Attachment["type"]>> = {
  file: "file",
  audio: "audio",
  media: "video",
};

/** Returns the files of a message, in order. */
export function listFiles(type: string, content: string): readonly ContentFile[] {
  const body = parseJsonObject(content) ?? {};
  if (type === "post") return listPostNodes(body).flatMap(toNodeFiles);
  if (type === "image") return toContentFiles("image", "image", body.image_key);
  const kind = ATTACHMENT_TYPE_BY_KIND[type];
  return kind ? toContentFiles(kind, "file", body.file_key, body.file_name) : [];
}

function toNodeFiles(node: PostNode): readonly ContentFile[] {
  if (node.tag === "img") return toContentFiles("image", "image", node.image_key);
  return node.tag === "media" ? toContentFiles("video", "file", node.file_key) : [];
}

function toContentFiles(
  kind: Attachment["type"],
  type: ContentFile["type"],
  key: unknown,
  name?: unknown,
): readonly ContentFile[] {
  if (typeof key !== "string" || key === "") return [];
  return [{ kind, type, key, ...(typeof name === "string" && name !== "" && { name: name.slice(0, 200) }) }];
}

/** Converts a message to text; undefined for unreadable types. `content` is untrusted JSON of the platform. */
export function toText(type: string, content: string): string | undefined {
  const body = parseJsonObject(content) ?? {};
  switch (type) {
    case "text":
      return asString(body.text);
    case "post":
      return postToText(body);
    case "image":
    case "file":
    case "audio":
    case "media":
      return "";
    case "sticker":
      return formatContent("sticker");
    case "location":
      return formatContent("location", body.name, toCoordinates(body));
    case "share_chat":
      return formatContent("shared chat", body.chat_name ?? body.chat_id);
    case "share_user":
      return formatContent("shared contact", body.user_name ?? body.user_id);
    case "hongbao":
      return formatContent("red packet", body.text);
    case "calendar":
    case "share_calendar_event":
    case "general_calendar":
      return describeOrUndefined("event", body.summary, toIsoTime(body.start_time), toIsoTime(body.end_time));
    case "vote":
      return describeOrUndefined("vote", body.topic, ...(Array.isArray(body.options) ? body.options : []));
    case "todo":
      return describeOrUndefined("task", postToText(toJsonObject(body.summary)), toIsoTime(body.due_time));
    case "video_chat":
      return describeOrUndefined("video call", body.topic, toIsoTime(body.start_time));
    case "interactive":
      return cardToText(body) || undefined;
    case "folder":
      return describeOrUndefined("folder", body.file_name);
    case "system":
      return "";
    default:
      return undefined;
  }
}

/** Returns undefined when the message has no details. */
function describeOrUndefined(form: MessageForm, ...details: readonly unknown[]): string | undefined {
  const isExplained = details.some((detail) => typeof detail === "string" && detail !== "");
  return isExplained ? formatContent(form, ...details) : undefined;
}

interface PostNode {
  readonly tag?: unknown;
  readonly text?: unknown;
  readonly href?: unknown;
  readonly user_id?: unknown;
  readonly user_name?: unknown;
  readonly emoji_type?: unknown;
  readonly image_key?: unknown;
  readonly file_key?: unknown;
}

/** Converts a rich text, which may have its lines below a language, to text. */
function postToText(body: Readonly<Record<string, unknown>>): string {
  const title = asString(getPost(body).title);
  const postLines = getPostLines(body).map((line) => line.map(nodeToText).join(""));
  return [...(title === "" ? [] : [title]), ...postLines].join("\n").trim();
}

function getPost(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Array.isArray(body.content) ? body : (Object.values(body).find(isObject) ?? {});
}

function getPostLines(body: Readonly<Record<string, unknown>>): readonly (readonly PostNode[])[] {
  const { content } = getPost(body);
  const lines = Array.isArray(content) ? content : [];
  return lines.map((line) => (Array.isArray(line) ? line.filter(isObject) : []));
}

function listPostNodes(body: Readonly<Record<string, unknown>>): readonly PostNode[] {
  return getPostLines(body).flat();
}

function nodeToText(node: PostNode): string {
  const text = asString(node.text);
  switch (node.tag) {
    case "a":
      return formatLink(text, asString(node.href));
    case "at":
      // A user_id with @ is the key of a mention, whose name is listed beside the content.
      return asString(node.user_id).startsWith("@")
        ? asString(node.user_id)
        : `@${node.user_name || node.user_id || ""}`;
    case "img":
    case "media":
      return "";
    case "emotion":
      return `[${asString(node.emoji_type)}]`;
    case "code_block":
      return `\n\`\`\`\n${text}\n\`\`\`\n`;
    case "hr":
      return "\n---\n";
    default:
      return text;
  }
}

function toCoordinates({ latitude, longitude }: Readonly<Record<string, unknown>>): string {
  const [lat, lon] = [latitude, longitude].map((value) =>
    typeof value === "number" ? String(value) : asString(value),
  );
  return lat && lon ? `${lat},${lon}` : "";
}

function toIsoTime(ms: unknown): string {
  const at = new Date(Number(ms));
  return Number(ms) > 0 && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
}

function asString(value: unknown): string {
  return typeof value === "string" ? value : "";
}
