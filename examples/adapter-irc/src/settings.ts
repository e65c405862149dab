import { type ChannelConfig, type ChannelIo, Joi, labelled } from "@parley/core";

const nick = Joi.string().pattern(/^[a-z[\]\\`_^{|}][\w[\]\\`^{|}-]{0,29}$/i, "a nick of IRC");
const channel = Joi.string().pattern(/^[#&+!][^\s,:\p{Cc}]{1,49}$/u, "a channel such as #parley");

export const settings = Joi.object({
  server: labelled(Joi.string().uri({ scheme: ["ircs", "irc"] }), {
    title: { en: "Server", zh: "服务器" },
  })
    .required()
    .description("Such as ircs://irc.example.org; irc:// is not encrypted, and no password goes over it"),
  nick: labelled(nick, { title: { en: "Nick", zh: "昵称" } })
    .required()
    .description("Name on the network; with an underscore behind it while somebody else has it"),
  channels: labelled(Joi.array().items(channel).max(20).unique().default([]), {
    title: { en: "Channels", zh: "频道" },
  }).description("Channels to join, such as #parley"),
  account: labelled(Joi.string().allow("").max(64).pattern(/^\S*$/).default(""), {
    title: { en: "Account", zh: "账号" },
  }).description("NickServ account to sign in with (SASL); empty: without one"),
  password_env: labelled(Joi.string().default("IRC_PASSWORD"), {
    title: { en: "Variable with the account's password", zh: "存放账号密码的变量" },
  }).description("Variable with the password of the account"),
  server_password_env: labelled(Joi.string().allow("").default(""), {
    title: { en: "Variable with the server's password", zh: "存放服务器密码的变量" },
  }).description("Variable with the password of the server; empty: it has none"),
  pause_ms: labelled(Joi.number().integer().min(0).max(60_000).default(2_000), {
    title: { en: "Milliseconds between two lines", zh: "两行之间的毫秒数" },
  }).description("After five lines at once one follows in so many milliseconds: servers throw out who is faster"),
});

/** A channel's settings, as `settings` leaves them. */
export interface IrcConfig {
  readonly server: string;
  readonly nick: string;
  readonly channels: readonly string[];
  readonly account: string;
  readonly password_env: string;
  readonly server_password_env: string;
  readonly pause_ms: number;
}

export function configOf({ config }: ChannelConfig): IrcConfig {
  return config as unknown as IrcConfig;
}

export function addressOf({ server }: IrcConfig) {
  const { protocol, hostname, port } = new URL(server);
  const isSecure = protocol === "ircs:";
  return { host: hostname.replaceAll(/[[\]]/g, ""), port: Number(port) || (isSecure ? 6697 : 6667), isSecure };
}

/** The passwords that the settings name. Throws when one is not set, or would be readable on its way. */
export function passwordsOf(config: IrcConfig, secret: ChannelIo["secret"]) {
  const { host, isSecure } = addressOf(config);
  const isReadable = !isSecure && !/^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host);
  const read = (variable: string) => {
    const value = secret(variable);
    if (value === undefined) throw new Error(`${variable} is not set: it should hold a password`);
    if (isReadable) throw new Error("a password only goes to a server at ircs://");
    return value;
  };
  return {
    account: config.account === "" ? undefined : read(config.password_env),
    server: config.server_password_env === "" ? undefined : read(config.server_password_env),
  };
}
