import { idOf, isObject } from "./frame.ts";

/** One piece of a message. */
export interface Segment {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const CODE = /\[CQ:([A-Za-z0-9_.-]+)((?:,[^,[\]]*)*)\]/g;

/** A message as pieces, whether it came as an array, one object or a CQ string. */
export function segmentsOf(message: unknown): readonly Segment[] {
  if (typeof message === "string") return fromCq(message);
  const list = Array.isArray(message) ? message : [message];
  return list.filter(isObject).map((one) => ({
    type: String(one.type ?? ""),
    data: isObject(one.data) ? one.data : {},
  }));
}

function fromCq(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  const plain = (part: string) => {
    if (part !== "") segments.push({ type: "text", data: { text: unescaped(part) } });
  };
  for (const match of text.matchAll(CODE)) {
    const [whole, type = "", values = ""] = match;
    plain(text.slice(at, match.index));
    at = match.index + whole.length;
    const pairs = values.split(",").filter((pair) => pair !== "");
    const data = Object.fromEntries(
      pairs.map((pair) => {
        const cut = pair.indexOf("=");
        return cut < 0 ? [pair, ""] : [pair.slice(0, cut), unescaped(pair.slice(cut + 1).replaceAll("&#44;", ","))];
      }),
    );
    segments.push({ type, data });
  }
  plain(text.slice(at));
  return segments;
}

function unescaped(text: string): string {
  return text.replaceAll("&#91;", "[").replaceAll("&#93;", "]").replaceAll("&amp;", "&");
}

/** A file as a piece of a message; "" for what is not told. */
export interface FilePiece {
  readonly type: "image" | "record" | "video" | "file";
  readonly file: string;
  readonly fileId: string;
  /** http or https. */
  readonly url: string;
  readonly name: string;
}

export interface ReadMessage {
  readonly text: string;
  readonly files: readonly FilePiece[];
  /** The platform message that is quoted. */
  readonly replyTo: string | undefined;
  readonly mentionsUs: boolean;
  /** False when nothing but what cannot be shown is in it. */
  readonly hasContent: boolean;
}

const TITLES = ["title", "content", "name"] as const;
const MAX_TITLE = 1_000;

/** Text, pictures and signs of a message's pieces. */
export function readSegments(segments: readonly Segment[], selfId: string): ReadMessage {
  const files: FilePiece[] = [];
  let text = "";
  let replyTo: string | undefined;
  let mentionsUs = false;
  let hasContent = false;
  for (const { type, data } of segments) {
    if (type === "reply") replyTo = idOf(data.id);
    else if (type === "at" && idOf(data.qq) === selfId) mentionsUs = true;
    else if (isFile(type)) {
      files.push(pieceOf(type, data));
      hasContent = true;
    } else {
      const shown = shownOf(type, data);
      text += shown ?? `[unsupported: ${type}]`;
      hasContent ||= shown !== undefined && shown.trim() !== "";
    }
  }
  return { text: text.trim(), files, replyTo, mentionsUs, hasContent };
}

/** A piece in words; undefined for kinds that nobody knows. */
function shownOf(type: string, data: Segment["data"]): string | undefined {
  switch (type) {
    case "text":
      return typeof data.text === "string" ? data.text : "";
    case "at":
      return `@${data.qq === "all" ? "all" : idOf(data.name) || idOf(data.qq)} `;
    case "face":
      return `[face:${idOf(data.id)}]`;
    case "forward":
      return "[forwarded messages]";
    case "mface":
    case "dice":
    case "rps":
    case "shake":
    case "poke":
      return `[${type}]`;
    case "json":
    case "xml":
    case "markdown":
    case "share":
    case "location":
    case "contact":
    case "music":
      return titleOf(type, data);
    default:
      return undefined;
  }
}

function titleOf(type: string, data: Segment["data"]): string {
  const title = TITLES.map((key) => data[key]).find((value) => typeof value === "string" && value !== "");
  return title === undefined ? `[${type}]` : `[${type}: ${String(title).slice(0, MAX_TITLE)}]`;
}

const FILES: ReadonlySet<string> = new Set<FilePiece["type"]>(["image", "record", "video", "file"]);

function isFile(type: string): type is FilePiece["type"] {
  return FILES.has(type);
}

function pieceOf(type: FilePiece["type"], data: Segment["data"]): FilePiece {
  const url = typeof data.url === "string" && /^https?:$/.test(URL.parse(data.url)?.protocol ?? "") ? data.url : "";
  const file = idOf(data.file);
  // Some bridges give an address or a path as the file: neither is a name.
  const name = idOf(data.name) || (/^[^/\\]{1,200}$/.test(file) ? file : "");
  return { type, file, fileId: idOf(data.file_id), url, name };
}
