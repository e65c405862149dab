import { idOf, isObject } from "./frame.ts";

/** One piece of a message. */
export interface Segment {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const CODE = /\[CQ:([A-Za-z0-9_.-]+)((?:,[^,[\]]*)*)\]/g;

/** A message as pieces, whether it came as an array, one object or a CQ string (wire imA §5). */
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

export interface ReadMessage {
  readonly text: string;
  readonly images: readonly { readonly url: string; readonly name: string }[];
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
  const images: { url: string; name: string }[] = [];
  let text = "";
  let replyTo: string | undefined;
  let mentionsUs = false;
  let hasContent = false;
  for (const { type, data } of segments) {
    if (type === "reply") replyTo = idOf(data.id);
    else if (type === "at" && idOf(data.qq) === selfId) mentionsUs = true;
    else if (type === "image" && isHttps(data.url)) {
      images.push({ url: String(data.url), name: idOf(data.file) });
      hasContent = true;
    } else {
      const shown = shownOf(type, data);
      text += shown ?? `[unsupported: ${type}]`;
      hasContent ||= shown !== undefined && shown.trim() !== "";
    }
  }
  return { text: text.trim(), images, replyTo, mentionsUs, hasContent };
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
    case "image":
      return "[image]";
    case "record":
      return "[voice message]";
    case "video":
      return "[video]";
    case "file":
      return `[file ${idOf(data.name) || idOf(data.file)}]`;
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

function isHttps(url: unknown): boolean {
  return typeof url === "string" && /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}
