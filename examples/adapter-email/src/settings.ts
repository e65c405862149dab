import { type ChannelConfig, Joi } from "@parley/core";

export const settings = Joi.object({
  address: Joi.string().email({ tlds: false }).required().description("Address of the mailbox; answers come from it"),
  user: Joi.string().allow("").default("").description("User name for both servers; empty: the address"),
  password_env: Joi.string().default("EMAIL_PASSWORD").description("Variable with the password for both servers"),
  imap_url: Joi.string()
    .uri({ scheme: ["imaps", "imap"] })
    .required()
    .description("Where mail is read, such as imaps://imap.example.org; imap:// is encrypted by STARTTLS"),
  smtp_url: Joi.string()
    .uri({ scheme: ["smtps", "smtp"] })
    .required()
    .description("Where answers are handed in, such as smtps://smtp.example.org; smtp:// is encrypted by STARTTLS"),
  folder: Joi.string().default("INBOX").description("Folder whose unread mail is answered"),
  authserv_id: Joi.string()
    .allow("")
    .default("")
    .description("Your server's name in Authentication-Results: only mail with dmarc=pass is answered. Empty: all is"),
  keep_quotes: Joi.boolean().default(false).description("Keep signatures and the quoted mail below an answer"),
  per_minute: Joi.number().integer().min(1).max(1_000).default(30).description("Most mails sent in a minute"),
});

/** A channel's settings after validation by `settings`. */
export interface EmailConfig {
  readonly address: string;
  readonly user: string;
  readonly password_env: string;
  readonly imap_url: string;
  readonly smtp_url: string;
  readonly folder: string;
  readonly authserv_id: string;
  readonly keep_quotes: boolean;
  readonly per_minute: number;
}

export function getConfig({ config }: ChannelConfig): EmailConfig {
  return config as unknown as EmailConfig;
}

/** Parses the address of a server; without encryption only one on this machine is accepted. */
export function parseServerUrl(url: string, ports: { readonly secure: number; readonly plain: number }) {
  const { protocol, hostname: host, port } = new URL(url);
  const isSecure = /s:$/.test(protocol);
  const standard = isSecure ? ports.secure : ports.plain;
  return { host, port: Number(port) || standard, isSecure, isPlain: !isSecure && host === "127.0.0.1" };
}

/** Throws while the variable is not set: nothing is tried without a password. */
export function getLogin(
  { user, address, password_env }: EmailConfig,
  secret: (variable: string) => string | undefined,
) {
  const pass = secret(password_env);
  if (pass === undefined) throw new Error(`${password_env} is not set: it should hold the password of the mailbox`);
  return { user: user || address, pass };
}
