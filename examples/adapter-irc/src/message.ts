import type { ChannelConfig, InboundMessage } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { toPlainText } from "@parley/core/markdown";
import { foldName, type Line, stripFormatting } from "./line.ts";

/** Marks a request between clients. */
const CTCP = "\u0001";
/** Maximum bytes of a text: a whole line has 512 bytes, with `:nick!user@host PRIVMSG target :` before the text, whose parts may have the maximum lengths of networks. */
const MAX_BYTES = 512 - ":!@ PRIVMSG  :\r\n".length - 32 - 12 - 64 - 64;

export const isChannel = (name: string) => /^[#&+!]/.test(name);

/** Decodes a message; undefined where it needs no reply. `self` is the link's own nick. */
export function decodeMessage({ id }: ChannelConfig, line: Line, self: string): InboundMessage | undefined {
  const { command, nick, tags, params } = line;
  const [target = "", body = ""] = params;
  // Not answered: notices, lines of servers, and the echoes of own lines.
  if (command !== "PRIVMSG" || !line.isPerson || tags.has("bot") || foldName(nick) === foldName(self)) return;
  const isGroup = isChannel(target);
  if (!isGroup && foldName(target) !== foldName(self)) return;
  const plainBody = stripFormatting(body).trim();
  if (plainBody === "" || body.startsWith(CTCP)) return;
  const meant = isGroup ? parseAddressed(self, plainBody) : plainBody;
  const account = tags.get("account");
  // Anyone can take a nick that is free, so a signed-in person is identified by the account; no nick contains its `$`.
  const conversation = foldName(isGroup ? target : account ? `${nick}$${account}` : nick);
  const msgid = tags.get("msgid");
  return {
    kind: "message",
    channelId: id,
    sessionId: sessionIdOf(id, conversation),
    conversation: { id: conversation, isGroup, ...(isGroup && { title: target }) },
    sender: { id: foldName(account ? `$${account}` : nick), name: nick, isAdmin: false },
    text: meant || plainBody,
    attachments: [],
    ...(msgid && { dedupeKey: msgid, platformMessageId: msgid }),
    addressed: meant !== undefined,
    source: id,
  };
}

/** Returns the text after `nick: `, `nick, ` or `@nick `; undefined where it addresses nobody or another nick. */
function parseAddressed(nick: string, text: string): string | undefined {
  const [head = "", at, named] = /^(?:@([^\s:,]+)[:,]?(?:\s+|$)|([^\s:,]+)[:,]\s*)/.exec(text) ?? [];
  return foldName(at ?? named ?? "") === foldName(nick) ? text.slice(head.length) : undefined;
}

/** Returns the target of replies: the nick without its account, or the channel. */
export const toTarget = (conversation: string) =>
  isChannel(conversation) ? conversation : (conversation.split("$")[0] ?? "");

/** Splits an answer into lines of valid length, without Markdown, which IRC clients do not render. */
export const toLines = (markdown: string) => splitLines(toPlainText(markdown));

/** Splits a text into lines of valid length. */
export function splitLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .flatMap((line) => wrapLine(line.replaceAll(/\p{Cc}/gu, " ")))
    .filter((line) => line.trim() !== "");
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Wraps a line between words, or else between graphemes. */
function wrapLine(line: string): readonly string[] {
  if (Buffer.byteLength(line) <= MAX_BYTES) return [line.trimEnd()];
  let room = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    if (Buffer.byteLength(line.slice(0, index + segment.length)) > MAX_BYTES) break;
    room = index + segment.length;
  }
  // A grapheme longer than a line is cut; a code point has at most four bytes.
  room ||= [...line].slice(0, MAX_BYTES / 4).join("").length;
  const at = line.slice(0, room).search(/\s\S*$/) + 1 || room;
  return [line.slice(0, at).trimEnd(), ...wrapLine(line.slice(at))];
}
