import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { cleanText } from "./clean-text.ts";

const MAX_CHARS = 50_000;

/** What a server's tool answered, as text for a model: what is no text is named, and nothing is fetched. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = (content ?? []).map(partText).filter((part) => part !== "");
  const text =
    parts.length > 0 || structuredContent === undefined ? parts.join("\n") : JSON.stringify(structuredContent);
  return cleanText(text, MAX_CHARS);
}

function partText(part: CallToolResult["content"][number]): string {
  if (part.type === "text") return part.text;
  if (part.type === "image" || part.type === "audio") {
    return `[${part.type}, ${part.mimeType}, ${Math.round((part.data.length * 3) / 4 / 1024)} KiB: not shown]`;
  }
  if (part.type === "resource_link") return `[a link to a resource, not fetched: ${part.uri}]`;
  return "text" in part.resource ? part.resource.text : `[a resource, not shown: ${part.resource.uri}]`;
}
