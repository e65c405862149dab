import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import {
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  DeliveryError,
  type InboundMessage,
  Joi,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { createRateLimiter } from "@parley/core/limits";

/**
 * Creates the adapter of a protocol over TCP, one UTF-8 line each: `hello <user> [<token>]` → `welcome` or `refused`;
 * `<number> <text>` → `stored <number>`; replies come as `say <id> <text>`. The user repeats a line without a `stored`;
 * the number identifies duplicates. Replies have an id for the same reason.
 */
export function createLineAdapter(): ChannelAdapter {
  return {
    type: "echo",
    title: { en: "Lines over TCP", zh: "TCP 文本行" },
    transports: ["tcp"],
    capabilities: {},
    settings: Joi.object({
      port: Joi.number().port().default(7000).description("Port on 127.0.0.1"),
      pause_ms: Joi.number().min(0).default(0).description("Milliseconds between two lines to one person"),
      token_env: Joi.string().allow("").default("").description("Environment variable with the word to sign in with"),
    }),
    idempotency: "native_key",
    open: listen,
  };
}

async function listen(channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  const users = new Map<string, Socket>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setEncoding("utf8"));
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", (error) => io.log.debug("connection lost", { error }));
    serve(socket, users, channel, io).catch((error) => {
      io.log.warn("a line could not be stored", { error });
      socket.destroy();
    });
  });
  server.listen({ port: Number(channel.config.port), host: "127.0.0.1", signal });
  await once(server, "listening", { signal });
  io.report({ connected: true });
  const pace = createRateLimiter({ burst: 1, everyMs: Number(channel.config.pause_ms) });
  return {
    pace: ({ conversation }, waiting) => pace.turn(conversation.id, waiting),
    async send({ deliveryId, conversation, text }, sending) {
      sending.throwIfAborted();
      const socket = users.get(conversation.id);
      if (!socket?.writable) throw new DeliveryError("not_sent", `${conversation.id} is not connected`);
      socket.write(`say ${deliveryId} ${text.replaceAll("\n", "\\n")}\n`);
      return { platformMessageId: deliveryId, quality: "accepted" };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      users.clear();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

async function serve(socket: Socket, users: Map<string, Socket>, channel: ChannelConfig, io: ChannelIo): Promise<void> {
  let user: string | undefined;
  for await (const line of createInterface({ input: socket })) {
    const [first = "", ...rest] = line.split(" ");
    if (user === undefined) {
      const [name = "", token = ""] = rest;
      if (first !== "hello" || name === "" || !isAllowed(token, channel, io)) return void socket.end("refused\n");
      user = name;
      users.set(name, socket);
      socket.write("welcome\n");
    } else if (/^\d+$/.test(first)) {
      await io.accept(decodeLine(channel.id, user, first, rest.join(" ")));
      socket.write(`stored ${first}\n`);
    } else socket.write("error write <number> <text>\n");
  }
  if (user !== undefined && users.get(user) === socket) users.delete(user);
}

function decodeLine(channelId: string, user: string, number: string, text: string): InboundMessage {
  return {
    kind: "message",
    channelId,
    sessionId: sessionIdOf(channelId, user),
    conversation: { id: user, isGroup: false },
    sender: { id: user, name: user, isAdmin: false },
    text,
    attachments: [],
    dedupeKey: `${user}:${number}`,
    platformMessageId: number,
    addressed: true,
    source: channelId,
  };
}

// A configured variable without a value rejects every user.
function isAllowed(token: string, { config }: ChannelConfig, io: ChannelIo): boolean {
  if (config.token_env === "") return true;
  const wanted = io.secret(String(config.token_env));
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return wanted !== undefined && timingSafeEqual(digest(token), digest(wanted));
}
