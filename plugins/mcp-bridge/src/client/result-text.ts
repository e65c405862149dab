import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Files } from "@parley/core";
import { cleanText } from "./clean-text.ts";

const MAX_CHARS = 50_000;
const MAX_FILE_BYTES = 1024 * 1024;

/** Keeps a picture or a sound; undefined where files are not kept. */
export type KeepFiles = Pick<Files, "put"> | undefined;

/** What a server's tool answered, as text for a model: pictures and sounds are kept and named, and nothing is fetched. */
export async function resultText(
  { content, structuredContent }: CallToolResult,
  tool: string,
  files: KeepFiles,
  signal: AbortSignal,
): Promise<string> {
  const parts = await Promise.all((content ?? []).map((part) => partText(part, tool, files, signal)));
  const said = parts.filter((part) => part !== "");
  const text = said.length > 0 || structuredContent === undefined ? said.join("\n") : JSON.stringify(structuredContent);
  return cleanText(text, MAX_CHARS);
}

type Part = CallToolResult["content"][number];

async function partText(part: Part, tool: string, files: KeepFiles, signal: AbortSignal): Promise<string> {
  if (part.type === "text") return part.text;
  if (part.type === "resource_link") return `[a link to a resource, not fetched: ${part.uri}]`;
  if (part.type === "resource") {
    return "text" in part.resource ? part.resource.text : `[a resource, not shown: ${part.resource.uri}]`;
  }
  const bytes = Buffer.from(part.data, "base64");
  const shown = `${part.type}, ${part.mimeType}, ${Math.ceil(bytes.length / 1024)} KiB`;
  if (!files || bytes.length > MAX_FILE_BYTES) return `[${shown}: not kept]`;
  try {
    const { url } = await files.put(bytes, { name: tool, maxBytes: MAX_FILE_BYTES }, signal);
    return `[${shown}: kept as ${url}]`;
  } catch (error) {
    // The call is made: what it said besides the picture must not be lost with it.
    if (!AppError.is(error)) throw error;
    return `[${shown}: not kept, ${error.message}]`;
  }
}
