import { createHash } from "node:crypto";
import { attachmentTypeOf, type ChannelConfig, channelFileUrl, type InboundMessage } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import EmailReplyParser from "email-reply-parser";
import type { ParsedMail } from "mailparser";
import { type EmailConfig, getConfig } from "./settings.ts";

/** Returns the reason to ignore a mail; undefined where it is answered. */
export function getSkipReason(mail: ParsedMail, { address, authserv_id }: EmailConfig): string | undefined {
  const from = getSender(mail);
  if (from === "") return "it has no sender";
  if (from === address.toLowerCase()) return "it comes from the mailbox itself";
  // Automatic mails are not answered, which prevents loops between programs (RFC 3834).
  if (!/^(no)?$/i.test(listHeaders(mail, "auto-submitted")[0] ?? "")) return "a machine wrote it";
  const isForMany =
    listHeaders(mail, "list-id").length > 0 || /bulk|list|junk/i.test(listHeaders(mail, "precedence")[0] ?? "");
  if (isForMany) return "it was sent to many";
  if (authserv_id === "") return undefined;
  // The newest header is first; a server removes headers that others wrote in its name (RFC 8601 §5).
  const results = listHeaders(mail, "authentication-results").find((one) => one.split(/[;\s]/, 1)[0] === authserv_id);
  return /\bdmarc=pass\b/i.test(results ?? "") ? undefined : "its sender is not verified";
}

/** Converts a mail to a message; the sender's address is the conversation. */
export function decodeMail(channel: ChannelConfig, mail: ParsedMail, uid: number): InboundMessage {
  const conversation = getSender(mail);
  const id = mail.messageId ?? `uid:${uid}`;
  const text = (mail.text ?? "").trim();
  return {
    kind: "message",
    channelId: channel.id,
    sessionId: sessionIdOf(channel.id, conversation),
    conversation: { id: conversation, isGroup: false, ...(mail.subject && { title: mail.subject }) },
    sender: { id: conversation, name: mail.from?.value[0]?.name || conversation, isAdmin: false },
    text: getConfig(channel).keep_quotes ? text : new EmailReplyParser().parseReply(text).trim(),
    attachments: mail.attachments.map(({ contentType, filename, size }, index) => ({
      type: attachmentTypeOf(contentType),
      url: channelFileUrl({ uid: String(uid), index: String(index) }),
      mime_type: contentType,
      size,
      ...(filename && { name: filename }),
    })),
    // Senders choose the ids of their mails, so the key includes the conversation: nobody can hide the mail of another.
    dedupeKey: createHash("sha256").update(`${conversation} ${id}`).digest("hex"),
    platformMessageId: id,
    addressed: true,
    ...(mail.date && { platformTime: mail.date.toISOString() }),
    source: channel.id,
  };
}

function getSender({ from }: ParsedMail): string {
  return from?.value[0]?.address?.toLowerCase() ?? "";
}

/** Lists the raw values of a header, from top to bottom. */
function listHeaders({ headerLines }: ParsedMail, name: string): readonly string[] {
  return headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) =>
      line
        .slice(name.length + 1)
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}
