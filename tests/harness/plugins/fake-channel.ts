import { randomUUID } from "node:crypto";
import Joi from "@hapi/joi";
import {
  type Accepted,
  type Capabilities,
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelIo,
  type ChannelLink,
  type DefinedPlugin,
  definePlugin,
  type ElementPress,
  type IdempotencyMode,
  type InboundMessage,
  type OutboundMessage,
} from "@parley/core";

/** An in-memory platform: people can write, and sent messages are recorded. */
export interface FakeChannel {
  readonly plugin: DefinedPlugin;
  /** Id of its channel, and of its type. */
  readonly id: string;
  /** All sent messages, oldest first, and the times of their sends on the monotonic clock. */
  readonly sent: readonly OutboundMessage[];
  readonly sentAtMs: readonly number[];
  /** Number of typing indicators that were shown. */
  readonly typingCount: number;
  /** Every draft text of a reply that was shown during generation; only with `supports_stream`. */
  readonly shown: readonly string[];
  /** Errors of the next sends, one each; `undefined` lets one succeed. */
  readonly failures: (Error | undefined)[];
  /** Gives a group another platform id. */
  move(from: string, to: string): Promise<void>;
  /** Platform ids of the deleted messages. */
  readonly withdrawn: readonly string[];
  /** Sends a group message that is addressed to the bot. */
  say(group: string, text: string, more?: Partial<InboundMessage>): Promise<Accepted>;
  /** Presses an item of an element of a message in a group. */
  press(group: string, press: ElementPress, more?: Partial<InboundMessage>): Promise<Accepted>;
}

export function createFakeChannel(
  id = "fake",
  idempotency: IdempotencyMode = "natural",
  capabilities: Partial<Capabilities> = {},
  showsStickers = true,
  adapter: Partial<ChannelAdapter> = {},
  link: Partial<ChannelLink> = {},
): FakeChannel {
  const sent: OutboundMessage[] = [];
  const shown: string[] = [];
  const withdrawn: string[] = [];
  const failures: (Error | undefined)[] = [];
  const sentAtMs: number[] = [];
  let typingCount = 0;
  let io: ChannelIo | undefined;
  const plugin = definePlugin({
    id: `${id}-channel`,
    register({ contribute }) {
      contribute(
        ChannelAdapters,
        (): ChannelAdapter => ({
          type: id,
          transports: ["bridge"],
          capabilities,
          settings: Joi.object({}),
          // Each message is answered, and at once, where a test sets nothing else.
          newSettings: () => ({ burst: "off" }),
          idempotency,
          withdrawsBlocked: true,
          isGroup: (conversation) => conversation.startsWith("team-"),
          ...adapter,
          async open(_channel, given) {
            io = given;
            given.report({ connected: true });
            return {
              async send(message) {
                const failure = failures.shift();
                if (failure) throw failure;
                sent.push(message);
                sentAtMs.push(performance.now());
                return { quality: "confirmed" };
              },
              ...(showsStickers && { showsSticker: () => true }),
              ...link,
              draft: () => ({ update: (text) => void shown.push(text), end: async () => undefined }),
              async typing() {
                typingCount += 1;
              },
              async recall(messageId) {
                withdrawn.push(messageId);
              },
              async [Symbol.asyncDispose]() {
                io = undefined;
              },
            };
          },
        }),
      );
    },
  });
  const getIo = () => {
    if (!io) throw new Error("the channel is not connected");
    return io;
  };
  return {
    plugin,
    id,
    sent,
    sentAtMs,
    get typingCount() {
      return typingCount;
    },
    shown,
    withdrawn,
    failures,
    async move(from, to) {
      await io?.moved({ from, to, sessionId: `${id}:group:${from}` });
    },
    say: async (group, text, more) => getIo().accept({ ...toMessage(id, group, text), ...more }),
    async press(group, press, more) {
      const accepted = await getIo().press?.({ ...toMessage(id, group, ""), ...more, kind: "action", press });
      if (!accepted) throw new Error("the service knows no presses");
      return accepted;
    },
  };
}

/** Returns a message of Eve to a group. */
function toMessage(channelId: string, group: string, text: string): InboundMessage {
  const platformMessageId = randomUUID();
  return {
    channelId,
    sessionId: `${channelId}:group:${group}`,
    conversation: { id: group, isGroup: true },
    kind: "message",
    sender: { id: "7", name: "Eve", isAdmin: false },
    text,
    attachments: [],
    addressed: true,
    source: channelId,
    platformMessageId,
    dedupeKey: platformMessageId,
  };
}
