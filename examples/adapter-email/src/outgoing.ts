import { type ChannelIo, DeliveryError, isStoredUrl, type OutboundMessage } from "@parley/core";
import { openForSending, truncateWithEllipsis } from "@parley/core/channels";
import { toPlainText } from "@parley/core/markdown";
import type { ParsedMail } from "mailparser";
import { createTransport } from "nodemailer";
import { type EmailConfig, getLogin, parseServerUrl } from "./settings.ts";

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };
const RETRY_AFTER_MS = 60_000;
const MAX_SUBJECT_CHARS = 60;

/** Sends a mail; resolves with its Message-ID when the server has accepted it. Throws `DeliveryError`. */
export async function sendMail(
  config: EmailConfig,
  io: Pick<ChannelIo, "secret" | "files">,
  { deliveryId, conversation, text, attachments, replyTo }: OutboundMessage,
  repliedMail: ParsedMail | undefined,
): Promise<string> {
  // Equal for every repetition, so mail programs show the mail once.
  const messageId = `<${deliveryId}@${config.address.split("@")[1]}>`;
  const files = await Promise.all(
    attachments.filter(({ url }) => isStoredUrl(url)).map(({ url }) => openForSending(io.files, url)),
  );
  const links = attachments.filter(({ url }) => !isStoredUrl(url)).map(({ url }) => url);
  const plainText = toPlainText(text);
  const transport = createSmtpTransport(config, io);
  try {
    await transport.sendMail({
      from: config.address,
      to: { name: "", address: conversation.id },
      subject: toSubject(repliedMail, plainText),
      messageId,
      ...(replyTo?.startsWith("<") && {
        inReplyTo: replyTo,
        references: [repliedMail?.references ?? [], replyTo].flat(),
      }),
      headers: { "Auto-Submitted": "auto-replied" },
      text: [plainText, ...links].filter((line) => line !== "").join("\n"),
      attachments: files.map((file) => ({ filename: file.name, contentType: file.mimeType, content: file.stream() })),
      disableUrlAccess: true,
      disableFileAccess: true,
    });
    return messageId;
  } catch (error) {
    throw toDeliveryError(error as SmtpError);
  } finally {
    transport.close();
  }
}

function createSmtpTransport(config: EmailConfig, io: Pick<ChannelIo, "secret">) {
  const { host, port, isSecure, isPlain } = parseServerUrl(config.smtp_url, { secure: 465, plain: 587 });
  const security = { secure: isSecure, requireTLS: !isSecure && !isPlain, ignoreTLS: isPlain };
  try {
    return createTransport({ host, port, ...security, auth: getLogin(config, io.secret), ...TIMEOUTS });
  } catch (error) {
    throw new DeliveryError("auth", (error as Error).message);
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function toDeliveryError({ code, syscall = "", responseCode, response }: SmtpError): DeliveryError {
  if (code === "EAUTH") return new DeliveryError("auth", "the SMTP server refuses the user or the password");
  if (responseCode === undefined) {
    // When the connection could not be opened, nothing was sent.
    const isBefore = /^(connect|getaddrinfo)/.test(syscall) || code === "EDNS" || code === "ETLS";
    return new DeliveryError(isBefore ? "not_sent" : "ambiguous", `the SMTP server did not answer (${code})`);
  }
  const message = `the SMTP server says: ${response}`;
  const options = { platformCode: String(responseCode) };
  if (responseCode === 421 || responseCode === 450)
    return new DeliveryError("throttled", message, { ...options, retryAfterMs: RETRY_AFTER_MS });
  return new DeliveryError(responseCode < 500 ? "unavailable" : "permanent", message, options);
}

/** Returns the subject of the answered mail, else the beginning of the text. */
function toSubject(answered: ParsedMail | undefined, text: string): string {
  if (answered?.subject) return /^re:/i.test(answered.subject) ? answered.subject : `Re: ${answered.subject}`;
  const [line = ""] = text.trim().split("\n", 1);
  return truncateWithEllipsis(line, MAX_SUBJECT_CHARS) || "Message";
}
