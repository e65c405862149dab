import { AppError, type ChannelLink } from "@parley/core";
import { expect } from "vitest";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import { CHANNEL, type Scene } from "./scene.ts";
import { expectRejection, flushEventLoop, waitUntil, withTimeout } from "./wait.ts";

const UNUSUAL_TEXT = '你好 👩‍👩‍👧 <b>É</b> Straße {{char}} \\n & "Quoted"  twice';
const MUST_REJECT = "it had to let nobody in";

const readSecretSetting = ({ inboundSecretSetting, secretSetting }: ChannelAdapterCase | Scene["given"]) =>
  inboundSecretSetting ?? secretSetting;
const skipWithoutSecret = (given: ChannelAdapterCase) =>
  readSecretSetting(given) === undefined ? "the channel has no secret for what comes in" : undefined;
const skipIfLacking =
  (key: "dedupeKey" | "platformMessageId") =>
  ({ lacks = [] }: Pick<ChannelAdapterCase, "lacks">) =>
    lacks.includes(key) ? `the platform gives no ${key}` : undefined;
const skipWithoutAcknowledgement = ({ acknowledges }: { readonly acknowledges?: boolean }) =>
  acknowledges === false ? "the platform is not told" : undefined;

/** Bodies of webhooks that are no event. */
const UNREADABLE_BODIES = ["", "{", "[1,", "\u0000\u0001", '"text"', "null", "[]", '{"a":'.repeat(200)].map((text) =>
  Buffer.from(text),
);
/** Time after which a message accepted beside another one must have been accepted. */
const OVERTAKE_MS = 100;

/** Posts an invalid body: rejecting, acknowledging and ignoring it are allowed; another kind of error is not. */
async function postUnreadable(link: ChannelLink, body: Uint8Array): Promise<void> {
  try {
    await link.receive?.({ headers: {}, body, address: "127.0.0.1", isVerified: true });
  } catch (error) {
    if (AppError.is(error) && ["bad_request", "unauthorized"].includes(error.code)) return;
    throw new Error(`a body that cannot be read must be refused as 'bad_request', not fail with ${String(error)}`);
  }
}

export const verification = chapter("verification", {
  "a secret that is named but unset lets nobody in": {
    skipped: skipWithoutSecret,
    async run({ given, open, accepted }) {
      const link = await open({ ...given.config, [readSecretSetting(given) as string]: "CONTRACT_UNSET" });
      await expectRejection(given.connect(link), MUST_REJECT);
      expect(accepted).toEqual([]);
    },
  },
  "a secret that is set to nothing lets nobody in": {
    skipped: skipWithoutSecret,
    async run({ given, open, secrets, accepted, channel }) {
      const link = await open();
      secrets[String(channel().config[readSecretSetting(given) as string])] = "";
      await expectRejection(given.connect(link), MUST_REJECT);
      expect(accepted).toEqual([]);
    },
  },
  "another secret lets nobody in, and a changed one holds at once": {
    skipped: skipWithoutSecret,
    async run({ given, open, secrets, channel }) {
      const name = String(channel().config[readSecretSetting(given) as string]);
      const right = secrets[name] as string;
      const link = await open();
      secrets[name] = `${right}x`;
      await expectRejection(given.connect(link), `${MUST_REJECT} who gives another secret`);
      secrets[name] = right.slice(0, -1);
      await expectRejection(
        given.connect(link),
        `${MUST_REJECT} who gives a secret that only begins like the right one`,
      );
      secrets[name] = right;
      await (await given.connect(link))[Symbol.asyncDispose]();
    },
  },
  "a refusal says nothing about the secret": {
    skipped: skipWithoutSecret,
    async run({ given, open, secrets, channel, logged }) {
      const name = String(channel().config[readSecretSetting(given) as string]);
      const right = secrets[name] as string;
      const link = await open();
      secrets[name] = `another-${right}`;
      const error = await given.connect(link).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).not.toContain(right);
      expect(logged.join("\n")).not.toContain(right);
    },
  },
});

export const inbound = chapter("in", {
  async "a message is handed over once, under the channel's session, with its sender and text"({
    connected,
    say,
    accepted,
  }) {
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
  async "a person is the same sender in each of their messages"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    await say(platform, "2", "and good night", 2);
    expect(accepted[1]?.sender.id, "the sender's id must be the person's, not the message's").toBe(
      accepted[0]?.sender.id,
    );
  },
  async "it names its channel, and where it comes from"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted[0]).toMatchObject({ channelId: CHANNEL, source: CHANNEL });
  },
  async "a private message is addressed and in no group"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted[0]).toMatchObject({ addressed: true, conversation: { isGroup: false } });
  },
  async "nobody is an administrator by what the platform says"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    expect(accepted[0]?.sender.isAdmin).toBe(false);
  },
  "it carries the platform's id of the message": {
    skipped: skipIfLacking("platformMessageId"),
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await say(platform, "1", "good morning", 1);
      expect(accepted[0]?.platformMessageId).toBeTruthy();
    },
  },
  async "text comes as it was written: other alphabets, capitals, emoji, markup"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", UNUSUAL_TEXT, 1);
    expect(accepted[0]?.text).toBe(UNUSUAL_TEXT);
  },
  "a message that answers another one names it": {
    needs: ["sayReply"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayReply?.("2", "and this?", "1");
      await handedOver(1);
      expect(accepted[0]?.replyTo, "'replyTo' must be the platform's id of the message that is answered").toBe("1");
    },
  },
  async "a long text comes whole"({ given, connected, say, accepted }) {
    const { platform } = await connected();
    const text = "long text ".repeat(300).slice(0, given.maxInbound).trim();
    await say(platform, "1", text, 1);
    expect(accepted[0]?.text).toBe(text);
  },
  async "a text that begins with a slash is left as it is"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "/help me", 1);
    expect(accepted[0]?.text).toBe("/help me");
  },
  "a payload that lacks fields is refused": {
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
  "what cannot be read at all neither ends the connection nor the channel": {
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
  "what is no message is not handed over": {
    needs: ["other"],
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await platform.other?.("90");
      await say(platform, "1", "good morning", 1);
      expect(accepted.map(({ text }) => text)).toEqual(["good morning"]);
    },
  },
  "the account's own message never comes back as somebody's": {
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
  "a group is one conversation, told as such": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello all", true);
      await handedOver(1);
      expect(accepted[0]?.conversation.isGroup).toBe(true);
      expect(accepted[0]?.conversation.id).not.toBe(platform.conversation);
    },
  },
  "what is said in a group stays in one session, which nobody has alone with the bot": {
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
  "the sender of a group's message is the person, not the group": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello all", true);
      await handedOver(1);
      const [message] = accepted;
      expect(message?.sender.id, "the sender's id is the id of the group").not.toBe(message?.conversation.id);
    },
  },
  "a mention addresses, and is taken out of the text": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello", true);
      await handedOver(1);
      expect(accepted[0]).toMatchObject({ addressed: true, text: "hello" });
    },
  },
  "other talk does not address": {
    needs: ["sayInGroup"],
    async run({ connected, handedOver, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello", false);
      await handedOver(1);
      expect(accepted[0]).toMatchObject({ addressed: false, text: "hello" });
    },
  },
});

export const redelivery = chapter("redelivery", {
  "a redelivery carries the same key, another message another one": {
    skipped: skipIfLacking("dedupeKey"),
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await say(platform, "1", "good morning", 1);
      await say(platform, "1", "good morning", 2);
      await say(platform, "2", "good morning", 3);
      const [first, copy, other] = accepted.map(({ dedupeKey }) => dedupeKey);
      expect(first).toBeTruthy();
      expect(copy).toBe(first);
      expect(other).not.toBe(first);
    },
  },
  "the key is the same after the channel was opened again": {
    skipped: skipIfLacking("dedupeKey"),
    async run({ connected, say, accepted }) {
      const { link, platform } = await connected();
      await say(platform, "1", "good morning", 1);
      await platform[Symbol.asyncDispose]();
      await link[Symbol.asyncDispose]();
      const again = await connected();
      await say(again.platform, "1", "good morning", 2);
      expect(accepted[0]?.dedupeKey).toBeTruthy();
      expect(accepted[1]?.dedupeKey).toBe(accepted[0]?.dedupeKey);
    },
  },
  async "a key is short enough to be kept, and none is made up"({ given, connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    if (given.lacks?.includes("dedupeKey")) expect(accepted[0]?.dedupeKey).toBeUndefined();
    else expect(accepted[0]?.dedupeKey?.length).toBeLessThanOrEqual(256);
  },
});

export const acknowledgement = chapter("acknowledgement", {
  async "messages are handed over in the order they were said"({ connected, handedOver, accepted }) {
    const { platform } = await connected();
    for (const id of ["1", "2", "3"]) await platform.say(id, `line ${id}`);
    await handedOver(3);
    expect(accepted.map(({ text }) => text)).toEqual(["line 1", "line 2", "line 3"]);
  },
  "a message waits until the one before it is stored": {
    applies: async ({ look }) =>
      (await look()).link.receive ? "each webhook request is answered by itself" : undefined,
    async run(scene) {
      const { platform } = await scene.connected();
      const entered: string[] = [];
      const stored = Promise.withResolvers<void>();
      scene.store = async ({ text }) => {
        entered.push(text);
        if (text === "first") await stored.promise;
      };
      const saying = [platform.say("1", "first")];
      await waitUntil(
        () => entered.length > 0,
        () => "the first message was not handed over",
      );
      saying.push(platform.say("2", "second"));
      // The second has reached the link by then: on a connection nothing overtakes.
      await Promise.race([saying[1], new Promise((resolve) => setTimeout(resolve, OVERTAKE_MS))]);
      expect(entered, "the second message was handed over while the first was being stored").toEqual(["first"]);
      stored.resolve();
      await Promise.all(saying);
      await scene.handedOver(2);
      expect(scene.accepted.map(({ text }) => text)).toEqual(["first", "second"]);
    },
  },
  async "twenty messages at once are twenty messages"({ given, connected, handedOver, accepted }) {
    const { platform } = await connected();
    await Promise.all(Array.from({ length: 20 }, (_, index) => platform.say(String(index + 1), `line ${index + 1}`)));
    await handedOver(20);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(20);
    const keys = new Set(accepted.map(({ dedupeKey }) => dedupeKey));
    expect(keys.size, "two messages have the same key: one of them is lost").toBe(
      given.lacks?.includes("dedupeKey") ? 1 : 20,
    );
  },
  "the platform is told only when the message is stored": {
    skipped: skipWithoutAcknowledgement,
    async run(scene) {
      const { platform } = await scene.connected();
      const stored = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      scene.store = async () => {
        reached.resolve();
        await stored.promise;
      };
      let isReported = false;
      const saying = platform.say("1", "good morning").then(() => {
        isReported = true;
      });
      await withTimeout(reached.promise, "the message was not handed over");
      await flushEventLoop();
      expect(isReported, "the platform was told before the message was stored").toBe(false);
      stored.resolve();
      await saying;
      expect(scene.accepted).toHaveLength(1);
    },
  },
  async "a message that could not be stored is not taken, and the channel goes on"(scene) {
    const { link, platform } = await scene.connected();
    const rejected = Promise.withResolvers<void>();
    scene.store = async () => {
      rejected.resolve();
      throw new Error("the disk is full");
    };
    const saying = platform.say("1", "lost?");
    if (scene.given.acknowledges === false) await saying;
    else await expectRejection(saying, "a message that was not stored must not be acknowledged");
    await withTimeout(rejected.promise, "the message was not handed over");
    scene.store = async () => {};
    const again = await scene.given.connect(link);
    await scene.say(again, "1", "lost?", 1);
    expect(scene.accepted.map(({ text }) => text)).toEqual(["lost?"]);
    await again[Symbol.asyncDispose]();
  },
  async "a storing that hangs does not keep the channel from ending"(scene) {
    const { link, platform } = await scene.connected();
    const reached = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<void>();
    scene.store = () => {
      reached.resolve();
      return hung.promise;
    };
    const saying = platform.say("1", "good morning").catch(() => undefined);
    await withTimeout(reached.promise, "the message was not handed over");
    await withTimeout(
      Promise.resolve(link[Symbol.asyncDispose]()),
      "the link did not end while a message was being stored",
    );
    hung.resolve();
    await platform[Symbol.asyncDispose]();
    await saying;
  },
});
