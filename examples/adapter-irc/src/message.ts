import { type ChannelConfig, type InboundMessage, sessionIdOf } from "@parley/core";
import { type Line, withoutFormatting } from "./line.ts";

const CTCP = "\u0001";
const FENCE = /^ {0,3}(`{3,}|~{3,})\S*\s*$/;
/**
 * 512 bytes hold a whole line: `:nick!user@host PRIVMSG target :` before the text, each part as long as networks let it be,
 * what marks an action, and the line end.
 */
const MAX_BYTES = 512 - ":!@ PRIVMSG  :\r\n".length - 32 - 12 - 64 - 64 - "\u0001ACTION \u0001".length + "/me ".length;

/** Who the link is, and how its server compares names. */
export interface Self {
  readonly nick: string;
  fold(name: string): string;
}

export const isChannel = (name: string) => /^[#&+!]/.test(name);

/** What somebody said, as the service takes it; undefined: it is nothing to answer. */
export function decodeMessage({ id }: ChannelConfig, line: Line, self: Self): InboundMessage | undefined {
  const { command, source, tags, params } = line;
  const [target = "", body = ""] = params;
  const [nick = ""] = source.split("!");
  const isProgram = tags.has("bot") || tags.has("inspircd.org/bot");
  // Notices are never answered; a server says its own without a user; own lines are echoed.
  if (command !== "PRIVMSG" || !source.includes("!") || isProgram || self.fold(nick) === self.fold(self.nick)) return;
  const isGroup = isChannel(target);
  if (!isGroup && self.fold(target) !== self.fold(self.nick)) return;
  const said = textOf(nick, body);
  if (!said) return;
  const meant = isGroup ? addressedTo(self, said) : said;
  const account = tags.get("account");
  // A nick belongs to whoever has it just now: who is signed in is known by the account, which no nick can look like.
  const conversation = self.fold(isGroup ? target : account ? `${nick}$${account}` : nick);
  const msgid = tags.get("msgid");
  const time = Date.parse(tags.get("time") ?? "");
  return {
    kind: "message",
    channelId: id,
    sessionId: sessionIdOf(id, conversation),
    conversation: { id: conversation, isGroup, ...(isGroup && { title: target }) },
    sender: { id: self.fold(account ? `$${account}` : nick), name: nick, isAdmin: false },
    text: meant || said,
    attachments: [],
    ...(msgid && { dedupeKey: msgid, platformMessageId: msgid }),
    addressed: meant !== undefined,
    ...(!Number.isNaN(time) && { platformTime: new Date(time).toISOString() }),
    source: id,
  };
}

/** Undefined: a program asks a program something. */
function textOf(nick: string, body: string): string | undefined {
  if (!body.startsWith(CTCP)) return withoutFormatting(body).trim();
  const [, kind, rest = ""] = /^(\S+) ?(.*)$/s.exec(body.replaceAll(CTCP, "")) ?? [];
  return kind === "ACTION" ? `* ${nick} ${withoutFormatting(rest).trim()}` : undefined;
}

/** The rest of `nick: text`, `nick, text` and `@nick text`; undefined: it is said to nobody, or to somebody else. */
function addressedTo({ nick, fold }: Self, text: string): string | undefined {
  const isAt = text.startsWith("@");
  const from = isAt ? 1 : 0;
  const rest = text.slice(from + nick.length);
  const isNamed = fold(text.slice(from, from + nick.length)) === fold(nick);
  return isNamed && (isAt ? /^([:,\s]|$)/ : /^[:,]/).test(rest) ? rest.replace(/^[:,]?\s*/, "") : undefined;
}

/** Where to send what answers a conversation: the nick without its account, or the channel. */
export const targetOf = (conversation: string) =>
  isChannel(conversation) ? conversation : (conversation.split("$")[0] ?? "");

/** A text in lines that the network takes; marks of code blocks, which nobody sees as such, are left out. */
export function toLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !FENCE.test(line))
    .flatMap((line) => cut(line.replaceAll(/\p{Cc}/gu, " ")))
    .filter((line) => line.trim() !== "");
}

/** The text of a line as it goes out: `/me waves` is an action. */
export const encodeLine = (line: string) =>
  line.startsWith("/me ") ? `${CTCP}ACTION ${line.slice("/me ".length)}${CTCP}` : line;

const bytes = (text: string) => Buffer.byteLength(text);
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Between two words, else between two characters as people see them. */
function cut(line: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const word of line.split(/(?<=\s)/)) {
    for (const unit of bytes(word) <= MAX_BYTES ? [word] : charactersOf(word)) {
      if (bytes(piece + unit) > MAX_BYTES) {
        pieces.push(piece.trimEnd());
        piece = "";
      }
      piece += unit;
    }
  }
  return [...pieces, piece.trimEnd()];
}

function charactersOf(word: string): readonly string[] {
  return [...graphemes.segment(word)].flatMap(({ segment }) => (bytes(segment) > MAX_BYTES ? [...segment] : [segment]));
}
