import { type ChannelIo, Joi, withLabel, withPattern } from "@parley/core";

const nick = withPattern(Joi.string(), /^[a-z[\]\\`_^{|}][\w[\]\\`^{|}-]{0,29}$/i, {
  en: "must be a nick of IRC",
  zh: "须为 IRC 昵称",
});
const channel = withPattern(Joi.string(), /^[#&+!][^\s,:\p{Cc}]{1,49}$/u, {
  en: "must be a channel such as #parley",
  zh: "须为频道，例如 #parley",
});
const server = Joi.string().uri({ scheme: ["ircs", "irc"] });
const channels = Joi.array().items(channel).max(20).unique().default([]);
const account = Joi.string().allow("").max(64).pattern(/^\S*$/).default("");
const variable = Joi.string().default("IRC_PASSWORD");
const pause = Joi.number().integer().min(0).max(60_000).default(2_000);

const withTitle = (schema: Parameters<typeof withLabel>[0], en: string, zh: string, description: string) =>
  withLabel(schema, { title: { en, zh } }).description(description);

export const settings = Joi.object({
  server: withTitle(server.required(), "Server", "服务器", "Such as ircs://irc.example.org; irc:// is not encrypted"),
  nick: withTitle(
    nick.required(),
    "Nick",
    "昵称",
    "Name on the network; with an underscore while somebody else has it",
  ),
  channels: withTitle(channels, "Channels", "频道", "Channels to join, such as #parley"),
  account: withTitle(account, "Account", "账号", "NickServ account to sign in with (SASL); empty: without one"),
  password_env: withTitle(
    variable,
    "Variable with the password",
    "存放密码的变量",
    "Variable with the account's password",
  ),
  pause_ms: withTitle(pause, "Milliseconds between lines", "每行间隔毫秒数", "From the sixth line on: servers want it"),
});

/** A channel's settings after validation by `settings`. */
export interface IrcConfig {
  readonly server: string;
  readonly nick: string;
  readonly channels: readonly string[];
  readonly account: string;
  readonly password_env: string;
  readonly pause_ms: number;
}

export function getAddress({ server }: IrcConfig) {
  const { protocol, hostname, port } = new URL(server);
  const isSecure = protocol === "ircs:";
  return { host: hostname.replaceAll(/[[\]]/g, ""), port: Number(port) || (isSecure ? 6697 : 6667), isSecure };
}

/** Returns the account's password; undefined without an account. Throws when it is not set, or would be sent unencrypted. */
export function readPassword(config: IrcConfig, secret: ChannelIo["secret"]): string | undefined {
  if (config.account === "") return undefined;
  const { host, isSecure } = getAddress(config);
  const value = secret(config.password_env);
  if (value === undefined) throw new Error(`${config.password_env} is not set: it should hold a password`);
  if (!isSecure && !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host))
    throw new Error("a password only goes to a server at ircs://");
  return value;
}
