import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { AppError } from "../../errors.ts";
import type { Files } from "../../services/storage/files.ts";
import { isToolParts, type ToolPart } from "./tool-parts.ts";

/** A tool result as stored: the text for a model, and the URLs of its stored pictures. */
export interface ToolResult {
  readonly text: string;
  readonly pictures: readonly string[];
}

/** A picture in the form in which a model receives it. */
export interface Picture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** The picture types that every provider with vision accepts. */
const VIEWABLE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const MAX_PICTURES = 8;
const MAX_TOTAL_BYTES = 12 * 1024 * 1024;

/** Reads a tool's return value; stores its pictures under the name of the tool. */
export async function readToolResult(
  value: unknown,
  tool: string,
  files: Pick<Files, "put"> | undefined,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (typeof value === "string") return { text: value, pictures: [] };
  if (!isToolParts(value)) return { text: JSON.stringify(value) ?? "null", pictures: [] };
  const read = await Promise.all(value.parts.map((part) => readPart(part, tool, files, signal)));
  return {
    text: read.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n"),
    pictures: read.flatMap(({ url }) => (url === undefined ? [] : [url])),
  };
}

/** Converts the error of a tool to its result for a model. Pictures are included when the error's `cause` was made by `toolParts`. */
export async function readToolFailure(
  error: unknown,
  tool: string,
  files: Pick<Files, "put"> | undefined,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (!AppError.is(error)) return { text: "internal: the tool failed", pictures: [] };
  const { pictures } = isToolParts(error.cause)
    ? await readToolResult(error.cause, tool, files, signal)
    : { pictures: [] };
  return { text: `${error.code}: ${error.message}`, pictures };
}

async function readPart(
  part: ToolPart,
  name: string,
  files: Pick<Files, "put"> | undefined,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly url?: string }> {
  if ("text" in part) return { text: part.text };
  const { type, mimeType, data, url } = part;
  if (type !== "image") return { text: url === undefined ? `[${type}, ${mimeType}]` : "" };
  if (url !== undefined) return { text: "", url };
  const summary = `${type}, ${mimeType}, ${Math.ceil(data.length / 1024)} KiB`;
  if (!files || data.length > MAX_PICTURE_BYTES) return { text: `[${summary}: not kept]` };
  try {
    const stored = await files.put(data, { name, maxBytes: MAX_PICTURE_BYTES }, signal);
    return { text: `[${summary}: kept as ${stored.url}]`, url: stored.url };
  } catch (error) {
    // The tool has already run, so its other content must be preserved.
    if (!AppError.is(error)) throw error;
    return { text: `[${summary}: not kept, ${error.message}]` };
  }
}

/** Returns the bytes of a stored picture; undefined for types models cannot see, or when it is too large. */
export async function openPicture(url: string, files: Pick<Files, "open">): Promise<Picture | undefined> {
  const file = await files.open(url);
  if (!VIEWABLE_TYPES.has(file.mimeType) || file.size > MAX_PICTURE_BYTES) return undefined;
  return { mimeType: file.mimeType, bytes: await file.bytes() };
}

/** Returns the first pictures that fit into one request, by URL and in the given order. */
export function fittingPictures(given: Iterable<readonly [url: string, Picture]>): ReadonlyMap<string, Picture> {
  const fitting = new Map<string, Picture>();
  let totalBytes = 0;
  for (const [url, picture] of given) {
    const size = picture.bytes.length;
    if (fitting.has(url) || fitting.size >= MAX_PICTURES || totalBytes + size > MAX_TOTAL_BYTES) continue;
    totalBytes += size;
    fitting.set(url, picture);
  }
  return fitting;
}

/** Builds the tool output for a model: the text, and the pictures that fit. */
export function toolOutput(
  { text, pictures }: ToolResult,
  isOk: boolean,
  picturesByUrl: ReadonlyMap<string, Picture>,
): LanguageModelV4ToolResultPart["output"] {
  const visiblePictures = pictures.flatMap((url) => picturesByUrl.get(url) ?? []);
  // A failure with pictures is described by its text: no output type has both.
  if (visiblePictures.length === 0) return { type: isOk ? "text" : "error-text", value: text };
  const files = visiblePictures.map(
    ({ mimeType: mediaType, bytes: data }) => ({ type: "file", mediaType, data: { type: "data", data } }) as const,
  );
  return { type: "content", value: [{ type: "text", text }, ...files] };
}
