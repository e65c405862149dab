/** One line of a pasted conversation. */
export interface ConversationLine {
  readonly role: "user" | "assistant";
  readonly content: string;
}

const SPEAKER_LINE = /^\s*(?<who>[^\s:：][^:：]{0,39})[:：]\s*(?<said>[\s\S]*)$/;
const ASSISTANT_NAMES = /^(ai|a|assistant|bot|char|character|助手|角色|机器人)$/i;
const USER_NAMES = /^(user|u|me|you|human|用户|我|你)$/i;
const MAX_LINES = 50;

/**
 * Parses a pasted conversation: one message per line, prefixed `AI:` or `User:`; a line without a speaker continues
 * the previous message. The last message is the new one.
 */
export function parseConversation(text: string, characterName = ""): readonly ConversationLine[] {
  const lines: ConversationLine[] = [];
  for (const line of text.split("\n")) {
    const { who = "", said: rest = "" } = SPEAKER_LINE.exec(line)?.groups ?? {};
    const role = toRole(who, characterName);
    const last = lines.at(-1);
    if (role) lines.push({ role, content: rest });
    else if (line.trim() === "") continue;
    else if (last) lines[lines.length - 1] = { ...last, content: `${last.content}\n${line}` };
    else lines.push({ role: "user", content: line });
  }
  return lines.filter(({ content }) => content.trim() !== "").slice(-MAX_LINES - 1);
}

function toRole(who: string, characterName: string): ConversationLine["role"] | undefined {
  const name = who.trim();
  if (ASSISTANT_NAMES.test(name) || (characterName !== "" && name.toLowerCase() === characterName.toLowerCase())) {
    return "assistant";
  }
  return USER_NAMES.test(name) ? "user" : undefined;
}

/** `location: tavern, inn`, a line each. */
export function parseScene(text: string): Readonly<Record<string, string | readonly string[]>> {
  const lines = text.split("\n").map((line) => /^\s*([^:：]+)[:：]\s*(.+)$/.exec(line));
  const pairs = lines.flatMap((found): [string, string | readonly string[]][] => {
    const [key = "", value = ""] = found?.slice(1) ?? [];
    const values = value
      .split(/[,，]/)
      .map((one) => one.trim())
      .filter((one) => one !== "");
    const [first] = values;
    if (key.trim() === "" || first === undefined) return [];
    return [[key.trim(), values.length === 1 ? first : values]];
  });
  return Object.fromEntries(pairs);
}

/** A piece of a text; `mark` is the keyword found there. */
export interface TextPiece {
  readonly text: string;
  readonly mark?: string;
  readonly at: number;
}

/** A text with the places of keywords in it. */
export function splitByKeywords(
  text: string,
  keywords: readonly string[],
  exact: readonly Range[] = [],
): readonly TextPiece[] {
  const lower = text.toLowerCase();
  const ranges: Range[] = [...exact];
  // What becomes longer in small letters cannot be told by its places.
  for (const keyword of lower.length === text.length ? keywords : []) {
    const wanted = keyword.toLowerCase();
    if (wanted === "") continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      ranges.push({ start: at, end: at + wanted.length, keyword });
    }
  }
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { start, end, keyword } of ranges.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at || end > text.length) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), at });
    pieces.push({ text: text.slice(start, end), mark: keyword, at: start });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), at });
  return pieces;
}

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly keyword: string;
}
