import type { OutboundMessage } from "@parley/core";
import type { Segment } from "./segments.ts";

/** Markdown as plain text: what a chat without formatting shows. Code stays as it is. */
export function plainText(markdown: string): string {
  return markdown
    .split(/(```[^\n]*\n[\s\S]*?(?:```|$)|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeOf(part) : withoutMarks(part)))
    .join("");
}

function codeOf(part: string): string {
  return part.startsWith("```") ? part.replace(/^```[^\n]*\n/, "").replace(/\n?```$/, "") : part.slice(1, -1);
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/!\[([^\]\n]*)\]\(([^)\s]+)\)/g, "$1 $2")
    .replaceAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g, "$1 ($2)")
    .replaceAll(/\*\*([^*\n]+)\*\*/g, "$1")
    .replaceAll(/^#{1,6} +/gm, "");
}

/** A part as pieces; always an array, so that no text can become a code of the bridge. */
export function encodeMessage({ text, attachments, replyTo, part, conversation }: OutboundMessage): readonly Segment[] {
  const segments: Segment[] = [];
  if (replyTo !== undefined && part === 1 && conversation.isGroup)
    segments.push({ type: "reply", data: { id: replyTo } });
  if (text !== "") segments.push({ type: "text", data: { text: plainText(text) } });
  for (const { type, url, name } of attachments) {
    const isPicture = (type === "image" || type === "sticker") && /^(https:\/\/|base64:\/\/)/.test(url);
    if (isPicture) segments.push({ type: "image", data: { file: url } });
    else segments.push({ type: "text", data: { text: name === undefined ? url : `${name}: ${url}` } });
  }
  return segments;
}
