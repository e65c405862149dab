import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Files, type ToolPart, toolParts } from "@parley/core";
import { sanitizeText } from "./sanitize-text.ts";

const MAX_CHARS = 50_000;
const MAX_FILE_BYTES = 1024 * 1024;
/** Maximum size of a picture shown to models. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** Storage of pictures and sounds; undefined when no plugin stores files. */
export type MediaStore = Pick<Files, "put"> | undefined;

/** Converts a tool's result to text and to the value for a model, including stored pictures. Downloads nothing. */
export async function readResult(
  { content, structuredContent }: CallToolResult,
  tool: string,
  files: MediaStore,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly value: unknown }> {
  const parts = await Promise.all((content ?? []).map((part) => readPart(part, tool, files, signal)));
  const texts = parts.map(({ text }) => text).filter((text) => text !== "");
  const isStructured = texts.length === 0 && structuredContent !== undefined;
  const text = sanitizeText(isStructured ? JSON.stringify(structuredContent) : texts.join("\n"), MAX_CHARS);
  const pictures = parts.flatMap(({ picture }) => picture ?? []);
  return { text, value: pictures.length === 0 ? text : toolParts([{ type: "text", text }, ...pictures]) };
}

type ResultPart = CallToolResult["content"][number];
type ReadPart = { readonly text: string; readonly picture?: ToolPart };

async function readPart(part: ResultPart, tool: string, files: MediaStore, signal: AbortSignal): Promise<ReadPart> {
  if (part.type === "text") return { text: part.text };
  if (part.type === "resource_link") return { text: `[a link to a resource, not fetched: ${part.uri}]` };
  if (part.type !== "resource") return readMedia(part.type, part.data, part.mimeType, tool, files, signal);
  const { resource } = part;
  if ("text" in resource) return { text: resource.text };
  const { mimeType = "" } = resource;
  if (mimeType.startsWith("image/")) return readMedia("image", resource.blob, mimeType, tool, files, signal);
  return { text: `[a resource, not shown: ${resource.uri}]` };
}

async function readMedia(
  type: "image" | "audio",
  base64: string,
  mimeType: string,
  name: string,
  files: MediaStore,
  signal: AbortSignal,
): Promise<ReadPart> {
  const data = Buffer.from(base64, "base64");
  const shown = `${type}, ${mimeType}, ${Math.ceil(data.length / 1024)} KiB`;
  const maxBytes = type === "image" ? MAX_PICTURE_BYTES : MAX_FILE_BYTES;
  if (!files || data.length > maxBytes) return { text: `[${shown}: not kept]` };
  try {
    const { url } = await files.put(data, { name, maxBytes }, signal);
    const text = `[${shown}: kept as ${url}]`;
    return type === "image" ? { text, picture: { type, data, mimeType, url } } : { text };
  } catch (error) {
    // The call was already made, so its other content must be preserved.
    if (!AppError.is(error)) throw error;
    return { text: `[${shown}: not kept, ${error.message}]` };
  }
}
