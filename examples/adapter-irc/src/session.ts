import { type ChannelIo, DeliveryError } from "@parley/core";
import { foldName, type Line } from "./line.ts";
import { encodeLine, type Self } from "./message.ts";
import { createRegistration, type Welcome } from "./registration.ts";
import { addressOf, type IrcConfig, passwordsOf } from "./settings.ts";
import { openWire } from "./wire.ts";

const NO_SUCH_NICK = "401";
const TOO_FAST = "439";
const MAX_NAMES = 400;
const BUSY_MS = 30_000;
/** So long a server may take to let somebody in. */
const WELCOME_MS = 30_000;

/** A nick on a network, from the welcome to the end of the connection. */
export interface Session extends Self {
  /**
   * Says one line; resolves when the server has worked on it, with its echo where it gives one. Rejects with what the
   * server has against it.
   */
  say(target: string, line: string): Promise<Line | undefined>;
  readonly isOpen: boolean;
  end(): void;
}

interface SessionEvents {
  started(session: Session): void;
  /** Every line that answers nothing. */
  hear(line: Line, session: Session): void;
  ended(reason: Error): void;
}

/** Connects once. What comes of it is told by the events, `ended` always and last. */
export function openSession(
  config: IrcConfig,
  secret: ChannelIo["secret"],
  events: SessionEvents,
): Pick<Session, "end"> {
  const passwords = passwordsOf(config, secret);
  const waiting = new Map<string, { readonly target: string } & PromiseWithResolvers<Line | undefined>>();
  /** Labels of answers that come in several lines, by their batch. */
  const batches = new Map<string, string>();
  let welcome: Welcome | undefined;
  let nick = config.nick;
  let count = 0;
  const fold = (name: string) => foldName(name, welcome?.support.get("CASEMAPPING"));
  const hasLabels = () => welcome?.capabilities.has("labeled-response") ?? false;

  let register: ReturnType<typeof createRegistration> | undefined;
  const wire = openWire(addressOf(config), {
    opened() {
      register = createRegistration({ config, passwords, write: wire.write });
    },
    hear(line) {
      if (welcome) return follow(line);
      welcome = register?.(line);
      if (!welcome) return;
      clearTimeout(late);
      nick = welcome.nick;
      const bot = welcome.support.get("BOT");
      if (bot) wire.write(`MODE ${nick} +${bot}`);
      for (const names of inLines(config.channels)) wire.write(`JOIN ${names}`);
      events.started(session);
    },
    look() {
      if (welcome && fold(nick) !== fold(config.nick)) wire.write(`NICK ${config.nick}`);
    },
    ended(reason) {
      clearTimeout(late);
      for (const one of waiting.values())
        one.reject(
          new DeliveryError("ambiguous", `the connection ended before the server confirmed: ${reason.message}`),
        );
      events.ended(reason);
    },
  });
  const late = setTimeout(() => wire.end(new Error("the server did not let in in time")), WELCOME_MS);

  function follow(line: Line): void {
    const { command, params, tags } = line;
    const label = tags.get("label") ?? batches.get(tags.get("batch") ?? "");
    if (command === "BATCH") followBatch(params[0] ?? "", label);
    else if (command === "PONG") waiting.get(params.at(-1) ?? "")?.resolve(undefined);
    else if (Number(command) >= 400) refused(line, label);
    else if (label !== undefined && command === "ACK") waiting.get(label)?.resolve(undefined);
    else if (label !== undefined && command === "PRIVMSG") waiting.get(label)?.resolve(line);
    else if (label !== undefined && command === "FAIL") waiting.get(label)?.reject(failureOf(line));
    else {
      if (command === "NICK" && fold(line.source.split("!")[0] ?? "") === fold(nick)) nick = params[0] ?? nick;
      events.hear(line, session);
    }
  }

  function followBatch(reference: string, label: string | undefined): void {
    const name = reference.slice(1);
    if (reference.startsWith("+") && label !== undefined) batches.set(name, label);
    if (!reference.startsWith("-")) return;
    waiting.get(batches.get(name) ?? "")?.resolve(undefined);
    batches.delete(name);
  }

  /** Without labels a refusal names who should have had the line: the first of those that wait. */
  function refused(line: Line, label: string | undefined): void {
    const target = fold(line.params[1] ?? "");
    const one =
      label === undefined ? waiting.values().find((each) => fold(each.target) === target) : waiting.get(label);
    if (one) one.reject(failureOf(line));
    else events.hear(line, session);
  }

  const session: Session = {
    get nick() {
      return nick;
    },
    get isOpen() {
      return welcome !== undefined && wire.isOpen;
    },
    fold,
    async say(target, line) {
      count += 1;
      const label = `p${count}`;
      const one = { target, ...Promise.withResolvers<Line | undefined>() };
      waiting.set(label, one);
      const said = `PRIVMSG ${target} :${encodeLine(line)}`;
      if (hasLabels()) wire.write(`@label=${label} ${said}`);
      else {
        wire.write(said);
        // Servers work line by line: what answers this comes after what they have against that.
        wire.write(`PING :${label}`);
      }
      try {
        return await one.promise;
      } finally {
        waiting.delete(label);
      }
    },
    end: () => wire.end(),
  };
  return session;
}

/** Names for commands that take several, as many as fit into a line. */
function inLines(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const longer = `${lines.at(-1)},${name}`;
    if (lines.length > 0 && Buffer.byteLength(longer) <= MAX_NAMES) lines[lines.length - 1] = longer;
    else lines.push(name);
  }
  return lines;
}

function failureOf({ command, params }: Line): DeliveryError {
  const said = `the server says: ${params.at(-1)}`;
  const options = { platformCode: command };
  // Who is away may come back soon, as all do when two servers lost each other.
  if (command === NO_SUCH_NICK) return new DeliveryError("unavailable", said, options);
  if (command === TOO_FAST) return new DeliveryError("throttled", said, { ...options, retryAfterMs: BUSY_MS });
  return new DeliveryError("permanent", said, options);
}
