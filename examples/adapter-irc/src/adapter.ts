import { type ChannelAdapter, DeliveryError } from "@parley/core";
import { keepConnected } from "@parley/core/channels";
import { createRateLimiter } from "@parley/core/limits";
import { foldName, type Line } from "./line.ts";
import { decodeMessage, isChannel, splitLines, toLines, toTarget } from "./message.ts";
import { openSession } from "./session.ts";
import { type IrcConfig, readPassword, settings } from "./settings.ts";

const RECONNECT_DELAY_MS = [1_000, 300_000] as const;
const NAME_PATTERN = /^[^\s,:!@\p{Cc}]+$/u;

const openLink: ChannelAdapter["open"] = async (channel, io, signal) => {
  signal.throwIfAborted();
  const config = channel.config as unknown as IrcConfig;
  const rateLimiter = createRateLimiter({ burst: 5, everyMs: config.pause_ms });
  let isOver = false;
  let session: ReturnType<typeof openSession> | undefined;
  /** Runs one at a time, so that messages are delivered in order. */
  let taken: Promise<unknown> = Promise.resolve();
  // IRC does not store messages, so nobody sends this one again.
  const logLost = (error: unknown) => io.log.error("a message was lost: it could not be stored", { error });
  const onLine = (line: Line) => {
    const message = decodeMessage(channel, line, session?.nick() ?? "");
    if (message) taken = taken.then(async () => isOver || (await io.accept(message))).catch(logLost);
    const room = config.channels.find((name) => foldName(name) === foldName(line.params[1] ?? ""));
    if (room && Number(line.command) >= 400)
      io.report({ connected: true, warnings: [`not in ${room}: ${line.params.at(-1)}`] });
  };
  const connection = keepConnected({
    io,
    pauseMs: RECONNECT_DELAY_MS,
    connect(started, over) {
      const opened = openSession(config, readPassword(config, io.secret), { onStarted: started, onLine });
      over.addEventListener("abort", () => opened.end("it is over"), { once: true });
      session = opened;
      return opened.ended;
    },
  });
  return {
    split: toLines,
    // All channels share one connection, so they share its rate limit.
    pace: (_message, waiting) => rateLimiter.turn(config.server, waiting),
    async send({ conversation, text }, sending) {
      sending.throwIfAborted();
      const { sendLine, isOpen } = session ?? {};
      if (!sendLine || !isOpen?.()) throw new DeliveryError("not_sent", "the channel is not connected");
      const target = toTarget(conversation.id);
      if (!NAME_PATTERN.test(target)) throw new DeliveryError("permanent", `${conversation.id} is no name on IRC`);
      // A text that was split into lines has no formatting any more.
      const lines = text.includes("\n") ? toLines(text) : splitLines(text);
      if (lines.length === 0) throw new DeliveryError("payload", "there is nothing to say in a line");
      await Promise.all(lines.map((line) => sendLine(target, line, sending)));
      return { quality: "accepted" };
    },
    [Symbol.asyncDispose]() {
      isOver = true;
      return connection[Symbol.asyncDispose]();
    },
  };
};

/** Creates the adapter of IRC networks. */
export function createIrcAdapter(): ChannelAdapter {
  return {
    type: "irc",
    title: { en: "IRC", zh: "IRC 聊天网络" },
    transports: ["tcp"],
    capabilities: {},
    settings,
    // A repeated line appears twice, and the network cannot be asked whether a line arrived.
    idempotency: "none",
    isGroup: isChannel,
    open: openLink,
  };
}
