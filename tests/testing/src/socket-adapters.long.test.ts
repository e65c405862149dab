import { type ChannelAdapter, DeliveryError, Joi } from "@parley/core";
import { keepConnected } from "@parley/core/channels";
import { createRateLimiter } from "@parley/core/limits";
import { describe, expect, test } from "vitest";
import {
  CHANNEL_ADAPTER_CHECKS,
  type ChannelAdapterCase,
  type MakeCase,
  runChannelCheck,
} from "./channel-adapter-contract.ts";
import { createWirePlatform, type Frame, type WirePlatform, type WireSocket } from "./wire-platform.ts";

/** Flaws of adapters with a connection, each with the check that finds it. */
const FLAWS = {
  "makes up a key for each send": "a repeat behaves as the idempotency mode promises",
  "makes up its keys for each link": "a repeated unconfirmed send is shown once after the channel is reopened",
  "reports a broken send as not sent": "a send that arrived unconfirmed is never reported as not sent",
  "reports what was under way as not sent": "a send interrupted after people saw it is not reported as not sent",
  "never clears its heartbeat": "opening and disposing leave no socket and no timer",
  "hands messages over in parallel": "a message waits until the previous one is stored",
  "lowers what people write": "inbound text is unchanged: other alphabets, capitals, emoji, markup",
  "has one connection for all channels": "two channels of its type work side by side",
  "takes the group for the sender": "the sender of a group message is the person, not the group",
  "ignores the signal of a send": "a send that the platform never answers ends when it is aborted",
  "throws on a frame that cannot be read": "an unreadable payload ends neither the connection nor the channel",
  "drops what a message answers": "an inbound reply names the message that it answers",
  "drops what a text answers": "an outbound reply names the message that it answers",
  "has no pace": "a link of a throttling platform has `pace`",
} as const;
type Flaw = keyof typeof FLAWS;

interface Waiting {
  resolve(frame: Frame): void;
  reject(error: Error): void;
}

const PAUSES_MS = [2, 10] as const;
let sharedSocket: WireSocket | undefined;
let linkCount = 0;

interface Wiring {
  readonly flaw?: Flaw | undefined;
  readonly keep?: { readonly pauseMs?: readonly [number, number]; readonly random?: () => number };
}

/** An adapter that dials as the guide describes, with at most one flaw. */
function createWireAdapter(platform: WirePlatform, { flaw, keep = { pauseMs: PAUSES_MS } }: Wiring): ChannelAdapter {
  const has = (one: Flaw) => flaw === one;
  return {
    type: "wire",
    transports: ["websocket"],
    capabilities: {},
    settings: Joi.object({ token_env: Joi.string().default("WIRE_TOKEN").description("Variable with the token") }),
    idempotency: "native_key",
    async open(channel, io, signal) {
      signal.throwIfAborted();
      linkCount += 1;
      const number = linkCount;
      const waiting = new Map<string, Waiting>();
      const pace = createRateLimiter({ burst: 5, everyMs: 50 });
      let own: WireSocket | undefined;
      let isClosed = false;
      const current = () => (has("has one connection for all channels") ? sharedSocket : own);
      const failAll = () => {
        const failure = has("reports what was under way as not sent") ? "not_sent" : "ambiguous";
        const broken = has("reports a broken send as not sent") ? "not_sent" : failure;
        for (const { reject } of waiting.values()) reject(new DeliveryError(broken, "the connection broke"));
        waiting.clear();
      };
      const handOver = async (frame: Frame, socket: WireSocket) => {
        const text = has("lowers what people write") ? frame.text?.toLowerCase() : frame.text;
        const chat = String(frame.chat);
        const isGroup = chat.startsWith("#");
        await io.accept({
          channelId: channel.id,
          sessionId: `${channel.id}:${chat}`,
          conversation: { id: chat, isGroup },
          kind: "message",
          sender: { id: has("takes the group for the sender") ? chat : "ann", name: "Ann", isAdmin: false },
          text: text ?? "",
          attachments: [],
          addressed: !isGroup || frame.isMention === true,
          source: channel.id,
          platformMessageId: String(frame.id),
          dedupeKey: String(frame.id),
          ...(frame.replyTo !== undefined && !has("drops what a message answers") && { replyTo: frame.replyTo }),
        });
        socket.write(JSON.stringify({ kind: "stored", id: frame.id }));
      };
      const read = (line: string): Frame | undefined => {
        try {
          const frame: unknown = JSON.parse(line);
          return typeof frame === "object" && frame !== null ? (frame as Frame) : undefined;
        } catch (error) {
          if (has("throws on a frame that cannot be read")) throw error;
          return undefined;
        }
      };
      const onLine = async (line: string, socket: WireSocket) => {
        const frame = read(line);
        if (frame?.kind === "message") return handOver(frame, socket);
        const one = waiting.get(frame?.key ?? "");
        if (!frame || !one) return undefined;
        waiting.delete(frame.key ?? "");
        if (frame.kind === "shown") one.resolve(frame);
        else one.reject(toRejection(frame));
        return undefined;
      };
      const connection = keepConnected({
        io,
        ...keep,
        async connect(opened, stopping) {
          const socket = await platform.dial();
          own = socket;
          sharedSocket = socket;
          const beat = setInterval(() => socket.write(JSON.stringify({ kind: "beat" })), 10_000);
          beat.unref();
          const stopped = Promise.withResolvers<void>();
          const end = () => {
            socket.end();
            stopped.resolve();
          };
          stopping.addEventListener("abort", end, { once: true });
          opened();
          try {
            for await (const line of socket.lines) {
              const work = onLine(line, socket).catch((error: unknown) => {
                if (error instanceof SyntaxError) throw error;
                socket.write(JSON.stringify({ kind: "refused" }));
              });
              if (!has("hands messages over in parallel")) await Promise.race([work, stopped.promise]);
            }
          } finally {
            if (!has("never clears its heartbeat")) clearInterval(beat);
            stopping.removeEventListener("abort", end);
            own = undefined;
            socket.end();
            failAll();
          }
        },
      });
      let sends = 0;
      const keyOf = (deliveryId: string) => {
        sends += 1;
        if (has("makes up a key for each send")) return `${number}:${sends}`;
        return has("makes up its keys for each link") ? `${number}:${deliveryId}` : deliveryId;
      };
      return {
        ...(!has("has no pace") && {
          pace: ({ conversation }: { readonly conversation: { readonly id: string } }, stopping: AbortSignal) =>
            pace.turn(conversation.id, stopping),
        }),
        async send({ deliveryId, conversation, text, replyTo }, sending) {
          const socket = current();
          if (isClosed || !socket) throw new DeliveryError("not_sent", "there is no connection");
          sending.throwIfAborted();
          const key = keyOf(deliveryId);
          const answer = Promise.withResolvers<Frame>();
          waiting.set(key, answer);
          const giveUp = () => answer.reject(sending.reason);
          if (!has("ignores the signal of a send")) sending.addEventListener("abort", giveUp, { once: true });
          const answers = has("drops what a text answers") ? {} : { replyTo };
          socket.write(JSON.stringify({ kind: "text", key, chat: conversation.id, text, ...answers }));
          try {
            const { id } = await answer.promise;
            return { quality: "confirmed", platformMessageId: String(id) };
          } catch (error) {
            if (DeliveryError.is(error) && error.failure === "throttled") pace.hold(conversation.id, 1_000);
            throw error;
          } finally {
            sending.removeEventListener("abort", giveUp);
          }
        },
        async [Symbol.asyncDispose]() {
          isClosed = true;
          await connection[Symbol.asyncDispose]();
        },
      };
    },
  };
}

function toRejection({ kind }: Frame): DeliveryError {
  if (kind === "wait") return new DeliveryError("throttled", "the platform asks to wait", { retryAfterMs: 1_000 });
  if (kind === "who") return new DeliveryError("auth", "the platform refuses the token");
  if (kind === "busy") return new DeliveryError("unavailable", "the platform failed");
  return new DeliveryError("permanent", "the platform refuses the text");
}

const wire =
  (wiring: Wiring = {}): MakeCase =>
  (): ChannelAdapterCase => {
    const platform = createWirePlatform();
    return {
      adapter: createWireAdapter(platform, wiring),
      config: {},
      secrets: { WIRE_TOKEN: "sesame" },
      async connect(_link, up) {
        await up();
        return platform.person();
      },
    };
  };

describe("the suite, for adapters that hold a connection", () => {
  const NO_WEBHOOK = /secret|file|limit|incomplete|echo/;
  test.each(CHANNEL_ADAPTER_CHECKS.filter(({ chapter }) => !["verification", "files"].includes(chapter)))(
    "a good adapter passes: $name",
    async (check) => {
      const reason = await runChannelCheck(check, wire());
      if (reason !== undefined) expect(reason).toMatch(NO_WEBHOOK);
    },
  );

  test("a good adapter with the longest pauses that the guide allows passes", async () => {
    const check = CHANNEL_ADAPTER_CHECKS.find(({ name }) => name === "a broken connection is restored automatically");
    expect(check && (await runChannelCheck(check, wire({ keep: { random: () => 1 } })))).toBeUndefined();
  });

  test.each(Object.entries(FLAWS) as [Flaw, string][])("detects an adapter that %s: %s", async (flaw, name) => {
    const check = CHANNEL_ADAPTER_CHECKS.find((one) => one.name === name);
    if (!check) throw new Error(`there is no check '${name}'`);
    await expect(runChannelCheck(check, wire({ flaw }))).rejects.toThrow(/^".+" does not hold: /);
  });
});
