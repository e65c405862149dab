import type { LoreBook } from "./lore.ts";

export interface ChatMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** Name of its author. */
  readonly name?: string;
  /** Position in the conversation. */
  readonly seq?: number;
}

/** The texts that are searched for keywords. */
export interface ScanTexts {
  readonly user: string;
  readonly assistant_recent: string;
  /** The messages that the books may scan, oldest first. */
  readonly history: string;
  /** Returns the offset in the history from which the book is searched. */
  historyFrom(book: LoreBook): number;
  readonly scene: Readonly<Record<string, unknown>>;
  /** The scene as text, in which keywords are searched. */
  readonly scene_state: string;
}

const DEFAULT_MESSAGE_COUNT = 6;
const DEFAULT_MAX_CHARS = 2_000;
/** Maximum number of characters of the history that a book scans. */
const MAX_CHARS = 20_000;

export function createScanTexts(
  { message, before, scene }: ScanInput,
  depths: Iterable<number | undefined>,
): ScanTexts {
  let most = DEFAULT_MESSAGE_COUNT;
  for (const depth of depths) if (depth !== undefined && depth > most) most = depth;
  const read = before.slice(-most).map(({ content }) => content.normalize("NFC"));
  const starts: number[] = [];
  let length = 0;
  for (const content of read) {
    starts.push(length);
    length += content.length + 1;
  }
  const whole = read.join("\n");
  const history = takeLast(whole, MAX_CHARS);
  const cut = whole.length - history.length;
  const fromMessage = (count: number) =>
    count === 0 ? history.length : Math.max(0, (starts[Math.max(0, starts.length - count)] ?? 0) - cut);
  const usual = Math.max(
    fromMessage(DEFAULT_MESSAGE_COUNT),
    history.length - takeLast(history, DEFAULT_MAX_CHARS).length,
  );
  return {
    user: message.normalize("NFC"),
    assistant_recent: before.findLast(({ role }) => role === "assistant")?.content.normalize("NFC") ?? "",
    history,
    historyFrom: ({ scanDepth }) => (scanDepth === undefined ? usual : fromMessage(scanDepth)),
    scene,
    scene_state: Object.values(scene).flatMap(toTexts).join("\n"),
  };
}

export interface ScanInput {
  readonly message: string;
  /** Earlier messages, oldest first. */
  readonly before: readonly ChatMessage[];
  readonly scene: Readonly<Record<string, unknown>>;
}

/** Returns the texts in a value of the scene. */
export function toTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(toTexts);
  return typeof value === "object" || value === undefined ? [] : [String(value)];
}

function takeLast(text: string, most: number): string {
  if (text.length <= most) return text;
  const at = text.length - most;
  const unit = text.charCodeAt(at);
  return text.slice(unit >= 0xdc00 && unit < 0xe000 ? at + 1 : at);
}
