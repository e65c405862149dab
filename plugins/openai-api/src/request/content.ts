import { openaiTexts } from "../texts.ts";
import type { ChatMessage, ContentPart } from "./body.ts";

/** Returns the text of a message. */
export function toText({ content = "" }: ChatMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ type, text = "" }) => (type === "text" ? [text] : [])).join("\n");
}

/** Returns the addresses of a message's pictures, in order. */
export function listPictures({ content }: ChatMessage): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap(({ type, image_url }: ContentPart) => (type === "image_url" ? [image_url?.url ?? ""] : []));
}

/** Throws `bad_request` for content of a type that is not supported. */
export function rejectOtherContent(messages: readonly ChatMessage[]): void {
  for (const { role, content } of messages) {
    if (!Array.isArray(content)) continue;
    const other = content.find(
      ({ type }: ContentPart) => type !== "text" && !(type === "image_url" && role === "user"),
    );
    if (other) throw openaiTexts.error("bad_request", "unsupported_part", { type: other.type }, { field: "messages" });
  }
}

/** Returns the instructions of the client: all system and developer messages. */
export function toInstructions(messages: readonly ChatMessage[]): string {
  const texts = messages.filter(({ role }) => role === "system" || role === "developer").map(toText);
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}
