/** One message of a pasted conversation. */
export interface ConversationLine {
  readonly role: "user" | "assistant";
  readonly content: string;
}

const SPEAKER_LINE = /^\s*(?<who>[^\s:：][^:：]{0,39})[:：]\s*(?<text>[\s\S]*)$/;
const ASSISTANT_NAMES = /^(ai|a|assistant|bot|char|character|助手|角色|机器人)$/i;
const USER_NAMES = /^(user|u|me|you|human|用户|我|你)$/i;
const MAX_EARLIER_LINES = 50;

/**
 * Parses a pasted conversation: one message per line, prefixed `AI:` or `User:`; a line without a speaker continues
 * the previous message. Returns at most the last 51 messages.
 */
export function parseConversation(text: string, characterName = ""): readonly ConversationLine[] {
  const lines: ConversationLine[] = [];
  for (const line of text.split("\n")) {
    const { who = "", text: rest = "" } = SPEAKER_LINE.exec(line)?.groups ?? {};
    const role = toRole(who, characterName);
    const last = lines.at(-1);
    if (role) lines.push({ role, content: rest });
    else if (line.trim() === "") continue;
    else if (last) lines[lines.length - 1] = { ...last, content: `${last.content}\n${line}` };
    else lines.push({ role: "user", content: line });
  }
  return lines.filter(({ content }) => content.trim() !== "").slice(-MAX_EARLIER_LINES - 1);
}

function toRole(speaker: string, characterName: string): ConversationLine["role"] | undefined {
  const name = speaker.trim();
  if (ASSISTANT_NAMES.test(name) || (characterName !== "" && name.toLowerCase() === characterName.toLowerCase())) {
    return "assistant";
  }
  return USER_NAMES.test(name) ? "user" : undefined;
}

/** Parses scene lines such as `location: tavern, inn`. */
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
