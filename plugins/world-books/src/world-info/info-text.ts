import type { ChatMessage } from "../activation/scan-texts.ts";

/** The messages of a conversation as one text, in which World Info searches keywords. */
export interface InfoText {
  readonly text: string;
  /** Returns the offset at which the newest messages of this number begin. */
  startOf(depth: number): number;
  /** Returns the position of a range in the new message, or in the messages before it. */
  locate(
    start: number,
    end: number,
  ): { readonly place: "user" | "history"; readonly start: number; readonly end: number };
}

/** Maximum number of characters that are searched; older ones are left out. */
const MAX_CHARS = 100_000;
/** Stands before each message, so that expressions can find where one begins. */
const MESSAGE_MARK = "\u0001";

/** Creates the text of the newest `depth` messages, each with the name of its author, in composed letters. */
export function createInfoText(messages: readonly ChatMessage[], depth: number): InfoText {
  const read = depth === 0 ? [] : messages.slice(-depth).map(toLine);
  while (read.length > 1 && read.reduce((sum, { line }) => sum + line.length, 0) > MAX_CHARS) read.shift();
  const starts: number[] = [];
  let text = "";
  for (const { line } of read) {
    if (text !== "") text += "\n";
    starts.push(text.length);
    text += line;
  }
  const last = text.length - (read.at(-1)?.content.length ?? 0);
  const lastStart = starts.at(-1) ?? 0;
  return {
    text,
    startOf: (count) => (count === 0 ? text.length : (starts[Math.max(0, starts.length - count)] ?? 0)),
    locate(start, end) {
      if (start < lastStart) return { place: "history", start, end };
      return { place: "user", start: Math.max(0, start - last), end: Math.max(0, end - last) };
    },
  };
}

function toLine({ name, content }: ChatMessage) {
  const composed = content.normalize("NFC").slice(-MAX_CHARS);
  return { content: composed, line: `${MESSAGE_MARK}${name ? `${name.normalize("NFC")}: ` : ""}${composed}` };
}
