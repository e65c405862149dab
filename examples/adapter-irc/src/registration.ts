import type { Line } from "./line.ts";
import type { IrcConfig } from "./settings.ts";

const WANTED = ["message-tags", "server-time", "account-tag", "batch", "echo-message", "labeled-response"];
const CHUNK = 400;
const MOST_NICKS = 5;

/** What a server and its client agreed on. */
export interface Welcome {
  readonly nick: string;
  readonly capabilities: ReadonlySet<string>;
  /** What the server says of itself in numeric 005, such as `CASEMAPPING`. */
  readonly support: ReadonlyMap<string, string>;
}

interface RegistrationParts {
  readonly config: IrcConfig;
  readonly passwords: { readonly account: string | undefined; readonly server: string | undefined };
  write(line: string): void;
}

/**
 * Introduces itself to a server. Each line goes in; the welcome comes out when the server has said all of it. Throws where
 * the server refuses, and where it would let in without the account that was asked for.
 */
export function createRegistration({ config, passwords, write }: RegistrationParts) {
  const offered = new Set<string>();
  const capabilities = new Set<string>();
  const support = new Map<string, string>();
  let { nick } = config;
  let isSignedIn = passwords.account === undefined;
  write("CAP LS 302");
  if (passwords.server !== undefined) write(`PASS :${passwords.server}`);
  write(`NICK ${nick}`);
  write(`USER ${config.nick} 0 * :${config.nick}`);

  const refuse = ({ params }: Line): never => {
    throw new Error(`the server says: ${params.at(-1)}`);
  };
  const another = (line: Line) => {
    if (nick.length >= config.nick.length + MOST_NICKS) refuse(line);
    nick += "_";
    write(`NICK ${nick}`);
  };
  const steps: Readonly<Record<string, (line: Line) => void>> = {
    CAP({ params: [, kind, ...rest] }) {
      const names = (rest.at(-1) ?? "").split(" ").map((name) => name.split("=", 1)[0] ?? "");
      if (kind === "LS") {
        for (const name of names) offered.add(name);
        if (rest.length > 1) return;
        const wanted = [...WANTED, ...(isSignedIn ? [] : ["sasl"])].filter((name) => offered.has(name));
        write(wanted.length > 0 ? `CAP REQ :${wanted.join(" ")}` : "CAP END");
      } else if (kind === "ACK") {
        for (const name of names) capabilities.add(name);
        write(capabilities.has("sasl") ? "AUTHENTICATE PLAIN" : "CAP END");
      } else if (kind === "NAK") write("CAP END");
    },
    AUTHENTICATE() {
      const words = Buffer.from(`\0${config.account}\0${passwords.account}`).toString("base64");
      for (let from = 0; from <= words.length; from += CHUNK)
        write(`AUTHENTICATE ${words.slice(from, from + CHUNK) || "+"}`);
    },
    "903"() {
      isSignedIn = true;
      write("CAP END");
    },
    "001"({ params: [given = nick] }) {
      if (!isSignedIn) throw new Error("the server has no SASL: it would let in without the account");
      nick = given;
    },
    "005"({ params }) {
      for (const [name = "", value = ""] of params.map((part) => part.split("=", 2))) support.set(name, value);
    },
    "433": another,
    "436": another,
    "437": another,
  };
  return (line: Line): Welcome | undefined => {
    const step = steps[line.command] ?? (/^(43[12]|46[345]|90[24568])$/.test(line.command) ? refuse : undefined);
    step?.(line);
    return /^(376|422)$/.test(line.command) ? { nick, capabilities, support } : undefined;
  };
}
