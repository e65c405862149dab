import {
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  createRateLimiter,
  DeliveryError,
  holding,
  type InboundMessage,
} from "@parley/core";
import type { Line } from "./line.ts";
import { decodeMessage, isChannel, targetOf, toLines } from "./message.ts";
import { openSession, type Session } from "./session.ts";
import { configOf, settings } from "./settings.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** A connection that lasted so long was a good one: the next attempt need not wait for long. */
const GOOD_AFTER_MS = 60_000;
const BURST = 5;
const NAME = /^[^\s,:!@\p{Cc}]+$/u;

/** A nick on an IRC network. */
export function ircAdapter(): ChannelAdapter {
  return {
    type: "irc",
    title: { en: "IRC", zh: "IRC 聊天网络" },
    transports: ["tcp"],
    capabilities: {},
    settings,
    // Who sees a line twice sees two lines, and nobody can be asked for it afterwards.
    idempotency: "none",
    isGroup: isChannel,
    open,
  };
}

async function open(channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  signal.throwIfAborted();
  const config = configOf(channel);
  const pace = createRateLimiter({ burst: BURST, everyMs: config.pause_ms });
  const network = keepConnected(channel, io);
  return {
    split: toLines,
    // One connection: what is said in one channel all of them wait for.
    pace: (_message, waiting) => pace.turn(config.server, waiting),
    async send({ conversation, text }, sending) {
      sending.throwIfAborted();
      const { session } = network;
      if (!session?.isOpen) throw new DeliveryError("not_sent", "the channel is not connected");
      const target = targetOf(conversation.id);
      if (!NAME.test(target)) throw new DeliveryError("permanent", `${conversation.id} is no name on IRC`);
      const lines = toLines(text);
      if (lines.length === 0) throw new DeliveryError("payload", "there is nothing to say in a line");
      const said = Promise.all(lines.map((line) => session.say(target, line)));
      const echo = (await holding(pace, config.server, orAborted(said, sending))).at(-1);
      const platformMessageId = echo?.tags.get("msgid");
      return { quality: echo ? "confirmed" : "accepted", ...(platformMessageId && { platformMessageId }) };
    },
    async [Symbol.asyncDispose]() {
      network.end();
    },
  };
}

/** Whoever is called off does not wait; whether the line went out is then in doubt. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new DeliveryError("ambiguous", "the server did not confirm in time"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Connects, and again each time it ends, until it is over. */
function keepConnected(channel: ChannelConfig, io: ChannelIo) {
  const config = configOf(channel);
  let isOver = false;
  let waitMs = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  let attempt: Pick<Session, "end"> | undefined;
  let session: Session | undefined;
  let warnings: readonly string[] = [];
  /** One after the other: what was said first is handed over first. */
  let taken = Promise.resolve();
  connect();
  return {
    get session() {
      return session;
    },
    end() {
      isOver = true;
      clearTimeout(timer);
      session = undefined;
      attempt?.end();
    },
  };

  function connect(): void {
    const begun = performance.now();
    try {
      attempt = openSession(config, io.secret, {
        started(now) {
          session = now;
          warnings = [];
          io.report({ connected: true });
        },
        hear,
        ended: (reason) => comeBack(reason, performance.now() - begun > GOOD_AFTER_MS),
      });
    } catch (error) {
      comeBack(error as Error, false);
    }
  }

  function comeBack({ message }: Error, wasGood: boolean): void {
    session = undefined;
    if (isOver) return;
    io.report({ connected: false, error: message });
    io.log.warn("the IRC server is not connected", { error: message });
    waitMs = wasGood ? FIRST_WAIT_MS : waitMs;
    // A random part of it: all who lose a server at once would come back at once.
    timer = setTimeout(connect, Math.random() * waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }

  function hear(line: Line, now: Session): void {
    const message = decodeMessage(channel, line, now);
    if (message) taken = taken.then(() => handOver(message));
    else watch(line, now);
  }

  async function handOver(message: InboundMessage): Promise<void> {
    try {
      if (!isOver) await io.accept(message);
    } catch (error) {
      // IRC keeps nothing, and nobody says it again.
      io.log.error("a message was lost: it could not be stored", { error });
    }
  }

  /** Says on the channel's page which of its channels it is not in. */
  function watch({ command, params }: Line, { nick, fold }: Session): void {
    const [first = "", second = ""] = params;
    const isKicked = command === "KICK" && fold(second) === fold(nick);
    const name = fold(isKicked ? first : Number(command) >= 400 ? second : "");
    const asked = config.channels.find((one) => fold(one) === name);
    if (!asked) return;
    warnings = [...warnings, `not in ${asked}: ${params.at(-1)}`];
    io.report({ connected: true, warnings });
  }
}
