import type { OutboundMessage } from "@parley/core";
import { toPlainText } from "@parley/core/markdown";
import type { Segment } from "./segment.ts";

/** Encodes a part as an array of segments, so that no text can become a code of the bridge. */
export function encodeMessage({ text, attachments, replyTo, part, conversation }: OutboundMessage): readonly Segment[] {
  const segments: Segment[] = [];
  if (replyTo !== undefined && part === 1 && conversation.isGroup)
    segments.push({ type: "reply", data: { id: replyTo } });
  if (text !== "") segments.push({ type: "text", data: { text: toPlainText(text) } });
  for (const { type, url, name } of attachments) {
    const isPicture = (type === "image" || type === "sticker") && /^(https:\/\/|base64:\/\/)/.test(url);
    if (isPicture) segments.push({ type: "image", data: { file: url } });
    else segments.push({ type: "text", data: { text: name === undefined ? url : `${name}: ${url}` } });
  }
  return segments;
}
