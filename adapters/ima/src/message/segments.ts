import { isObject } from "@parley/core/json";
import { toIdText } from "../bridge/frame.ts";
import type { Segment } from "./segment.ts";
import { getMentionedId, segmentToText } from "./segment-text.ts";

const CQ_CODE = /\[CQ:([A-Za-z0-9_.-]+)((?:,[^,[\]]*)*)\]/g;

/** Types of segments by their other names, which some bridges and a newer protocol use. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["mention", "at"],
  ["voice", "record"],
  ["audio", "record"],
  ["new_dice", "dice"],
  ["new_rps", "rps"],
  ["ark", "json"],
  ["longmsg", "forward"],
]);

/** Returns the segments of a message, which is an array, a single object or a CQ string. */
export function toSegments(message: unknown): readonly Segment[] {
  if (typeof message === "string") return parseCq(message);
  const list = Array.isArray(message) ? message : [message];
  return list.filter(isObject).map((one) => {
    const type = String(one.type ?? "");
    return { type: OTHER_NAMES.get(type) ?? type, data: isObject(one.data) ? one.data : {} };
  });
}

function parseCq(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  const addText = (part: string) => {
    if (part !== "") segments.push({ type: "text", data: { text: unescapeCq(part) } });
  };
  for (const match of text.matchAll(CQ_CODE)) {
    const [whole, type = "", values = ""] = match;
    addText(text.slice(at, match.index));
    at = match.index + whole.length;
    const pairs = values.split(",").filter((pair) => pair !== "");
    const data = Object.fromEntries(
      pairs.map((pair) => {
        const cut = pair.indexOf("=");
        return cut < 0 ? [pair, ""] : [pair.slice(0, cut), unescapeCq(pair.slice(cut + 1).replaceAll("&#44;", ","))];
      }),
    );
    segments.push({ type: OTHER_NAMES.get(type) ?? type, data });
  }
  addText(text.slice(at));
  return segments;
}

function unescapeCq(text: string): string {
  return text.replaceAll("&#91;", "[").replaceAll("&#93;", "]").replaceAll("&amp;", "&");
}

/** A file segment of a message; "" for missing values. */
export interface FileSegment {
  readonly type: "image" | "record" | "video" | "file";
  readonly file: string;
  readonly fileId: string;
  /** Address with http or https. */
  readonly url: string;
  readonly name: string;
}

export interface ReadMessage {
  readonly text: string;
  readonly files: readonly FileSegment[];
  /** Id of the quoted platform message. */
  readonly replyTo: string | undefined;
  readonly mentionsUs: boolean;
  /** True when the message contains something that can be displayed. */
  readonly hasContent: boolean;
  /** Type of the first unknown segment. */
  readonly unknown: string | undefined;
}

/** Reads the text, files, mentions and reply of a message from its segments. */
export function readSegments(segments: readonly Segment[], selfId: string, depth = 0): ReadMessage {
  const files: FileSegment[] = [];
  let text = "";
  let replyTo: string | undefined;
  let mentionsUs = false;
  let hasContent = false;
  let unknown: string | undefined;
  for (const { type, data } of segments) {
    if (type === "reply") replyTo = toIdText(data.id ?? data.message_id);
    else if (type === "at" && getMentionedId(data) === selfId) mentionsUs = true;
    else if (type === "node") {
      const node = readNode(data, depth);
      text = joinLines(text, node.text);
      files.push(...node.files);
      hasContent = true;
    } else if (isFileType(type)) {
      files.push(toFileSegment(type, data));
      hasContent = true;
    } else {
      const shown = segmentToText({ type, data });
      text += shown ?? `[unsupported: ${type}]`;
      if (shown === undefined) unknown ??= type;
      hasContent ||= shown !== undefined && shown.trim() !== "";
    }
  }
  return { text: text.trim(), files, replyTo, mentionsUs, hasContent, unknown };
}

const MAX_NODE_DEPTH = 3;

/** Reads a forwarded message that is written out: its author and content. */
function readNode(data: Segment["data"], depth: number): Pick<ReadMessage, "text" | "files"> {
  const content = data.content ?? data.message;
  if (content === undefined || depth >= MAX_NODE_DEPTH) return { text: "[forwarded messages]", files: [] };
  const { text, files } = readSegments(toSegments(content), "", depth + 1);
  const { card, nickname, name } = isObject(data.sender) ? data.sender : data;
  const author = toIdText(card) || toIdText(nickname) || toIdText(name);
  return { text: author === "" || text === "" ? text : `${author}: ${text}`, files };
}

function joinLines(text: string, line: string): string {
  return text === "" || text.endsWith("\n") ? text + line : `${text}\n${line}`;
}

const FILE_TYPES: ReadonlySet<string> = new Set<FileSegment["type"]>(["image", "record", "video", "file"]);

function isFileType(type: string): type is FileSegment["type"] {
  return FILE_TYPES.has(type);
}

function toFileSegment(type: FileSegment["type"], data: Segment["data"]): FileSegment {
  const url = typeof data.url === "string" && /^https?:$/.test(URL.parse(data.url)?.protocol ?? "") ? data.url : "";
  const file = toIdText(data.file);
  // Some bridges send a URL or path as the file, which is no name.
  const name = toIdText(data.name) || (/^[^/\\]{1,200}$/.test(file) ? file : "");
  return { type, file, fileId: toIdText(data.file_id), url, name };
}
