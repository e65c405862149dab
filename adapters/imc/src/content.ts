import { type Attachment, formInWords, linkInWords } from "@parley/core";

/** A file of a message: its key and how it is asked for. */
export interface ContentFile {
  readonly kind: Attachment["type"];
  readonly key: string;
  readonly type: "image" | "file";
  readonly name?: string;
}

const FILE_KINDS: Readonly<Record<string, Attachment["type"]>> = { file: "file", audio: "audio", media: "video" };

/** The files of a message, in order. */
export function filesOf(type: string, content: string): readonly ContentFile[] {
  const body = parsed(content);
  if (type === "post") return postNodes(body).flatMap(nodeFile);
  if (type === "image") return fileWith("image", "image", body.image_key);
  const kind = FILE_KINDS[type];
  return kind ? fileWith(kind, "file", body.file_key, body.file_name) : [];
}

function nodeFile(node: Node): readonly ContentFile[] {
  if (node.tag === "img") return fileWith("image", "image", node.image_key);
  return node.tag === "media" ? fileWith("video", "file", node.file_key) : [];
}

function fileWith(
  kind: Attachment["type"],
  type: ContentFile["type"],
  key: unknown,
  name?: unknown,
): readonly ContentFile[] {
  if (typeof key !== "string" || key === "") return [];
  return [{ kind, type, key, ...(typeof name === "string" && name !== "" && { name: name.slice(0, 200) }) }];
}

/** What a message says, in words; undefined for kinds that cannot be read. `content` is JSON of the platform: untrusted. */
export function textOf(type: string, content: string): string | undefined {
  const body = parsed(content);
  switch (type) {
    case "text":
      return textIn(body.text);
    case "post":
      return postText(body);
    case "image":
    case "file":
    case "audio":
    case "media":
      return "";
    case "sticker":
      return formInWords("sticker");
    case "location":
      return formInWords("location", body.name, placeOf(body));
    case "share_chat":
      return formInWords("shared chat", body.chat_name);
    case "share_user":
      return formInWords("shared contact", body.user_name);
    case "hongbao":
      return formInWords("red packet", body.text);
    case "share_calendar_event":
    case "general_calendar":
      return formInWords("event", body.summary, timeIn(body.start_time), timeIn(body.end_time));
    case "system":
      return "";
    default:
      return undefined;
  }
}

interface Node {
  readonly tag?: unknown;
  readonly text?: unknown;
  readonly href?: unknown;
  readonly user_id?: unknown;
  readonly user_name?: unknown;
  readonly emoji_type?: unknown;
  readonly image_key?: unknown;
  readonly file_key?: unknown;
}

/** Lines of a rich text, with or without a language level. */
function postText(body: Readonly<Record<string, unknown>>): string {
  const title = textIn(postIn(body).title);
  const said = postLines(body).map((line) => line.map(nodeText).join(""));
  return [...(title === "" ? [] : [title]), ...said].join("\n").trim();
}

function postIn(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Array.isArray(body.content) ? body : (Object.values(body).find(isObject) ?? {});
}

function postLines(body: Readonly<Record<string, unknown>>): readonly (readonly Node[])[] {
  const { content } = postIn(body);
  const lines = Array.isArray(content) ? content : [];
  return lines.map((line) => (Array.isArray(line) ? line.filter(isObject) : []));
}

function postNodes(body: Readonly<Record<string, unknown>>): readonly Node[] {
  return postLines(body).flat();
}

function nodeText(node: Node): string {
  const text = textIn(node.text);
  switch (node.tag) {
    case "a":
      return linkInWords(text, textIn(node.href));
    case "at":
      return textIn(node.user_id) || `@${textIn(node.user_name)}`;
    case "img":
    case "media":
      return "";
    case "emotion":
      return `[${textIn(node.emoji_type)}]`;
    case "code_block":
      return `\n\`\`\`\n${text}\n\`\`\`\n`;
    case "hr":
      return "\n---\n";
    default:
      return text;
  }
}

function placeOf({ latitude, longitude }: Readonly<Record<string, unknown>>): string {
  const [lat, lon] = [latitude, longitude].map((value) => (typeof value === "number" ? String(value) : textIn(value)));
  return lat && lon ? `${lat},${lon}` : "";
}

function timeIn(ms: unknown): string {
  const at = new Date(Number(ms));
  return Number(ms) > 0 && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
}

function parsed(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
