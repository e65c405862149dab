import { AppError, type ChannelLink } from "@parley/core";
import { expect } from "vitest";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import { CHANNEL } from "./scene.ts";
import { flushEventLoop } from "./wait.ts";

const UNUSUAL_TEXT = '你好 👩‍👩‍👧 <b>É</b> Straße {{char}} \\n & "Quoted"  twice';
export const skipIfLacking =
  (key: "dedupeKey" | "platformMessageId") =>
  ({ lacks = [] }: Pick<ChannelAdapterCase, "lacks">) =>
    lacks.includes(key) ? `the platform gives no ${key}` : undefined;
export const skipWithoutAcknowledgement = ({ acknowledges }: { readonly acknowledges?: boolean }) =>
  acknowledges === false ? "the platform gets no acknowledgement" : undefined;

/** Webhook bodies that are not events. */
const UNREADABLE_BODIES = ["", "{", "[1,", "\u0000\u0001", '"text"', "null", "[]", '{"a":'.repeat(200)].map((text) =>
  Buffer.from(text),
);

/** Posts an invalid body: rejecting, acknowledging and ignoring it are allowed; another kind of error is not. */
async function postUnreadable(link: ChannelLink, body: Uint8Array): Promise<void> {
  try {
    await link.receive?.({ headers: {}, body, address: "127.0.0.1", isVerified: true });
  } catch (error) {
    if (AppError.is(error) && ["bad_request", "unauthorized"].includes(error.code)) return;
    throw new Error(`a body that cannot be read must be refused as 'bad_request', not fail with ${String(error)}`);
  }
}

export const inbound = chapter("inbound", {
  async "a message is accepted once, in the channel's session, with its sender and text"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted).toHaveLength(1);
    expect(accepted[0]).toMatchObject({
      kind: "message",
      text: "good morning",
      sessionId: `${CHANNEL}:${platform.conversation}`,
      conversation: { id: platform.conversation },
    });
    expect(accepted[0]?.sender.id).not.toBe("");
  },
  async "a person has the same sender id in each message"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    await say(platform, "2", "and good night", 2);
    expect(accepted[1]?.sender.id, "the sender's id must be the person's, not the message's").toBe(
      accepted[0]?.sender.id,
    );
  },
  async "a message names its channel and its source"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted[0]).toMatchObject({ channelId: CHANNEL, source: CHANNEL });
  },
  async "a private message is addressed to the bot, and not in a group"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted[0]).toMatchObject({ addressed: true, conversation: { isGroup: false } });
  },
  async "the platform makes nobody an administrator"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted[0]?.sender.isAdmin).toBe(false);
  },
  "a message has the platform's id": {
    skipped: skipIfLacking("platformMessageId"),
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await say(platform, "1", "good morning", 1);
      expect(accepted[0]?.platformMessageId).toBeTruthy();
    },
  },
  async "inbound text is unchanged: other alphabets, capitals, emoji, markup"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", UNUSUAL_TEXT, 1);
    expect(accepted[0]?.text).toBe(UNUSUAL_TEXT);
  },
  "an inbound reply names the message that it answers": {
    needs: ["sayReply"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayReply?.("2", "and this?", "1");
      await handedOver(1);
      expect(accepted[0]?.replyTo, "'replyTo' must be the platform's id of the message that is answered").toBe("1");
    },
  },
  async "a long inbound text is complete"({ given, connected, say, accepted }) {
    const { platform } = await connected();
    const text = "long text ".repeat(300).slice(0, given.maxInbound).trim();
    await say(platform, "1", text, 1);
    expect(accepted[0]?.text).toBe(text);
  },
  async "a text that begins with a slash is unchanged"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "/help me", 1);
    expect(accepted[0]?.text).toBe("/help me");
  },
  "a payload with missing fields is rejected": {
    needs: ["incomplete"],
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      for (const sayIt of platform.incomplete ?? []) {
        const error = await sayIt().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined && !(AppError.is(error) && error.code === "bad_request"))
          throw new Error(`it must be refused as 'bad_request' or passed over, not fail with ${String(error)}`);
      }
      await say(platform, "1", "good morning", 1);
      expect(accepted.map(({ text }) => text)).toEqual(["good morning"]);
    },
  },
  "an unreadable payload ends neither the connection nor the channel": {
    applies: async ({ look }) => {
      const { link, platform } = await look();
      if (link.receive ?? platform.garble) return undefined;
      return "the test's platform does not play garble";
    },
    async run({ connected, say, accepted, states }) {
      const { link, platform } = await connected();
      const before = states.length;
      for (const body of link.receive ? UNREADABLE_BODIES : []) await postUnreadable(link, body);
      await platform.garble?.();
      await flushEventLoop();
      const isDown = states.slice(before).some(({ connected: isConnected }) => !isConnected);
      expect(isDown, "the connection must outlive bytes that cannot be read").toBe(false);
      await say(platform, "1", "good morning", 1);
      expect(accepted.map(({ text }) => text)).toEqual(["good morning"]);
    },
  },
  "an event other than a message is not accepted as one": {
    needs: ["other"],
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await platform.other?.("90");
      await say(platform, "1", "good morning", 1);
      expect(accepted.map(({ text }) => text)).toEqual(["good morning"]);
    },
  },
  "the bot's own message is not accepted": {
    needs: ["echo"],
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await platform.echo?.("91", "said by us");
      await say(platform, "1", "good morning", 1);
      expect(accepted.map(({ text }) => text)).toEqual(["good morning"]);
    },
  },
});

export const groups = chapter("groups", {
  "a group is one conversation, marked as a group": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello all", true);
      await handedOver(1);
      expect(accepted[0]?.conversation.isGroup).toBe(true);
      expect(accepted[0]?.conversation.id).not.toBe(platform.conversation);
    },
  },
  "a group has one session, separate from private ones": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello all", true);
      await platform.sayInGroup?.("2", "hello again", true);
      await handedOver(2);
      const [first, second] = accepted;
      expect(second, "two messages of a group are in two conversations").toMatchObject({
        sessionId: first?.sessionId,
        conversation: { id: first?.conversation.id },
      });
      expect(first?.sessionId, "a group has the session of a private conversation").not.toBe(
        `${CHANNEL}:${platform.conversation}`,
      );
    },
  },
  "the sender of a group message is the person, not the group": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello all", true);
      await handedOver(1);
      const [message] = accepted;
      expect(message?.sender.id, "the sender's id is the id of the group").not.toBe(message?.conversation.id);
    },
  },
  "a mention addresses the bot, and is removed from the text": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello", true);
      await handedOver(1);
      expect(accepted[0]).toMatchObject({ addressed: true, text: "hello" });
    },
  },
  "a group message without a mention does not address the bot": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello", false);
      await handedOver(1);
      expect(accepted[0]).toMatchObject({ addressed: false, text: "hello" });
    },
  },
});
