import type { ContentBlock } from "@modelcontextprotocol/sdk/types.js";
import type { ToolPart } from "@parley/core";

/** Converts a part of a tool result to the protocol's content block. */
export function toContentBlock(part: ToolPart): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "resource") {
    const { uri, mimeType, text } = part;
    return { type: "resource", resource: { uri, mimeType, text } };
  }
  return { type: part.type, data: Buffer.from(part.data).toString("base64"), mimeType: part.mimeType };
}
