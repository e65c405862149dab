import type { SharedMessage } from "./schema.ts";

/** Maximum characters of messages on a page, as written; the rest is on further pages. */
const MAX_PAGE_CHARS = 32_000;
/** Estimated characters of markup per message. */
const MESSAGE_OVERHEAD_CHARS = 200;
const MAX_FILES_PER_PIECE = 100;

/** A message, or a piece of one that is too long for a page. */
export interface PagedMessage extends SharedMessage {
  /** True for plain text, since a part of a Markdown text may not render. */
  readonly isPlain?: boolean;
}

/** Splits messages into pages of limited length, without rendering them. */
export function splitIntoPages(messages: readonly SharedMessage[]): readonly (readonly PagedMessage[])[] {
  const pages: PagedMessage[][] = [[]];
  let chars = 0;
  for (const message of messages.flatMap(splitMessage)) {
    const own = countChars(message);
    if (chars > 0 && chars + own > MAX_PAGE_CHARS) {
      pages.push([]);
      chars = 0;
    }
    pages.at(-1)?.push(message);
    chars += own;
  }
  return pages;
}

function splitMessage(message: SharedMessage): readonly PagedMessage[] {
  const { content, attachments } = message;
  if (content.length <= MAX_PAGE_CHARS && attachments.length <= MAX_FILES_PER_PIECE) return [message];
  const texts = content.match(new RegExp(`[^]{1,${MAX_PAGE_CHARS}}`, "gu")) ?? [];
  const pieces = texts.map((text): PagedMessage => ({ ...message, content: text, attachments: [], isPlain: true }));
  for (let at = 0; at < attachments.length; at += MAX_FILES_PER_PIECE)
    pieces.push({ ...message, content: "", attachments: attachments.slice(at, at + MAX_FILES_PER_PIECE) });
  return pieces;
}

function countChars({ content, sender, attachments }: SharedMessage): number {
  const files = attachments.reduce((sum, { name, url }) => sum + name.length + url.length + MESSAGE_OVERHEAD_CHARS, 0);
  return MESSAGE_OVERHEAD_CHARS + sender.length + content.length + files;
}
