import { once } from "node:events";
import { connect as connectPlain } from "node:net";
import { connect as connectSecure } from "node:tls";
import { DeliveryError } from "@parley/core";
import { foldName, type Line, readLines } from "./line.ts";
import { getAddress, type IrcConfig } from "./settings.ts";

const REQUESTED_CAPABILITIES = ["message-tags", "account-tag"];
const NICK_ERRORS = /^43[1-8]$/;
const WELCOME_TIMEOUT_MS = 30_000;
const PING_INTERVAL_MS = 60_000;
/** Converts an error reply: an absent user may return, as after a netsplit, and a rate limit ends, so both are temporary. */
const toDeliveryError = ({ command, params }: Line) =>
  new DeliveryError(/^(401|439)$/.test(command) ? "unavailable" : "permanent", `the server says: ${params.at(-1)}`, {
    platformCode: command,
  });

/** Opens a session of a nick: connects once, and signs in when there is a password. `onLine` gets every line that is not a response. */
export function openSession(
  config: IrcConfig,
  password: string | undefined,
  { onStarted, onLine }: { onStarted(): void; onLine(line: Line): void },
) {
  const { isSecure, ...address } = getAddress(config);
  const socket = isSecure ? connectSecure(address) : connectPlain(address);
  const unconfirmed = new Map<string, PromiseWithResolvers<void>>();
  let { nick } = config;
  let isSignedIn = password === undefined;
  let isWelcome = false;
  let hasJoined = false;
  let count = 0;
  let seenBytes = 0;
  const end = (reason: string) => void socket.destroy(new Error(reason));
  // A line end within the text would inject a command.
  const write = (line: string) => void (socket.writable && socket.write(`${line.replaceAll(/[\r\n\0]+/g, " ")}\r\n`));
  const ended = run();
  return {
    nick: () => nick,
    isOpen: () => isWelcome && socket.writable,
    sendLine,
    /** Rejects with the reason when the connection ends. */
    ended,
    end,
  };

  async function run(): Promise<void> {
    const late = setTimeout(() => isWelcome || end("the server did not let in in time"), WELCOME_TIMEOUT_MS);
    const timer = setInterval(checkConnection, PING_INTERVAL_MS);
    try {
      // With TLS, nothing is written before the server is authenticated.
      await once(socket, isSecure ? "secureConnect" : "connect");
      // Otherwise a second line waits until the server has confirmed the first one.
      socket.setNoDelay(true);
      for (const name of REQUESTED_CAPABILITIES) write(`CAP REQ :${name}`);
      write(isSignedIn ? "CAP END" : "CAP REQ :sasl");
      write(`NICK ${nick}`);
      write(`USER ${nick} 0 * :${nick}`);
      for await (const line of readLines(socket)) {
        if (line.command === "PING") write(`PONG :${line.params.at(-1)}`);
        else if (line.command === "ERROR") throw new Error(`the server says: ${line.params.at(-1)}`);
        else if (isWelcome) handleLine(line);
        else register(line);
      }
    } finally {
      clearTimeout(late);
      clearInterval(timer);
      const error = new DeliveryError("ambiguous", "the connection ended before the server confirmed");
      for (const one of unconfirmed.values()) one.reject(error);
    }
  }

  function checkConnection(): void {
    if (socket.bytesRead === seenBytes) end("the server is silent");
    seenBytes = socket.bytesRead;
    write("PING :still-there");
    if (isWelcome && foldName(nick) !== foldName(config.nick)) write(`NICK ${config.nick}`);
  }

  /** Handles a line during the sign-in. Throws when the server rejects, or would accept the nick without its account. */
  function register({ command, params }: Line): void {
    const reason = params.at(-1)?.trim() ?? "";
    const step = command === "CAP" ? `${params[1]} ${reason}` : command;
    if (step === "ACK sasl") write("AUTHENTICATE PLAIN");
    else if (step === "AUTHENTICATE")
      write(`AUTHENTICATE ${Buffer.from(`\0${config.account}\0${password}`).toString("base64")}`);
    else if (step === "903" || step === "NAK sasl") {
      isSignedIn = step === "903";
      write("CAP END");
    } else if (/^43[367]$/.test(step)) {
      nick += "_";
      write(`NICK ${nick}`);
    } else if (/^(432|46[345]|90[24568])$/.test(step)) throw new Error(`the server says: ${reason}`);
    else if (step === "001" && !isSignedIn)
      throw new Error("the server has no SASL: it would let in without the account");
    else if (step === "001") nick = params[0] ?? nick;
    else if (/^(376|422)$/.test(step)) {
      isWelcome = true;
      for (const name of config.channels) write(`JOIN ${name}`);
      write("PING :joined");
      onStarted();
    }
  }

  /** Handles a line; servers process lines in order, so errors come before the response to the following PING. */
  function handleLine(line: Line): void {
    const { command, params } = line;
    const [first] = unconfirmed.values();
    if (command === "PONG") {
      const label = params.at(-1) ?? "";
      hasJoined ||= label === "joined";
      unconfirmed.get(label)?.resolve();
      unconfirmed.delete(label);
    } else if (first && hasJoined && Number(command) >= 400 && !NICK_ERRORS.test(command))
      first.reject(toDeliveryError(line));
    else if (command === "NICK" && foldName(line.nick) === foldName(nick)) nick = params[0] ?? nick;
    else onLine(line);
  }

  /** Sends a line; resolves when the server has processed it. Throws `DeliveryError`. */
  function sendLine(target: string, line: string, signal: AbortSignal): Promise<void> {
    count += 1;
    const label = `p${count}`;
    const one = Promise.withResolvers<void>();
    const unconfirmedError = new DeliveryError("ambiguous", "the server did not confirm in time");
    signal.addEventListener("abort", () => one.reject(unconfirmedError), { once: true });
    unconfirmed.set(label, one);
    write(`PRIVMSG ${target} :${line}`);
    write(`PING :${label}`);
    return one.promise;
  }
}
