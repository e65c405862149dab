import { AppError } from "@parley/core";
import { expect, vi } from "vitest";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import { CHANNEL, ON_ITS_WAY } from "./scene.ts";

const UNUSUAL = '你好 👩‍👩‍👧 <b>é</b> {{char}} \\n & "quoted"';

const noSecret = ({ secretSetting }: { readonly secretSetting?: string }) =>
  secretSetting === undefined ? "the channel has no secret" : undefined;
const lacking =
  (key: "dedupeKey" | "platformMessageId") =>
  ({ lacks = [] }: Pick<ChannelAdapterCase, "lacks">) =>
    lacks.includes(key) ? `the platform gives no ${key}` : undefined;
const noWord = ({ acknowledges }: { readonly acknowledges?: boolean }) =>
  acknowledges === false ? "the platform is not told" : undefined;

export const verification = chapter("verification", {
  "a secret that is named but unset lets nobody in": {
    skipped: noSecret,
    async run({ given, open, accepted }) {
      const link = await open({ ...given.config, [given.secretSetting as string]: "CONTRACT_UNSET" });
      await expect(given.connect(link)).rejects.toThrow();
      expect(accepted).toEqual([]);
    },
  },
  "a secret that is set to nothing lets nobody in": {
    skipped: noSecret,
    async run({ given, open, secrets, accepted, channel }) {
      const link = await open();
      secrets[String(channel().config[given.secretSetting as string])] = "";
      await expect(given.connect(link)).rejects.toThrow();
      expect(accepted).toEqual([]);
    },
  },
  "another secret lets nobody in, and a changed one holds at once": {
    skipped: noSecret,
    async run({ given, open, secrets, channel }) {
      const name = String(channel().config[given.secretSetting as string]);
      const right = secrets[name] as string;
      const link = await open();
      secrets[name] = `${right}x`;
      await expect(given.connect(link)).rejects.toThrow();
      secrets[name] = right.slice(0, -1);
      await expect(given.connect(link)).rejects.toThrow();
      secrets[name] = right;
      await (await given.connect(link))[Symbol.asyncDispose]();
    },
  },
  "a refusal says nothing about the secret": {
    skipped: noSecret,
    async run({ given, open, secrets, channel, logged }) {
      const name = String(channel().config[given.secretSetting as string]);
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
    skipped: lacking("platformMessageId"),
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      await say(platform, "1", "good morning", 1);
      expect(accepted[0]?.platformMessageId).toBeTruthy();
    },
  },
  async "text comes as it was written: other alphabets, emoji, markup"({ connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", UNUSUAL, 1);
    expect(accepted[0]?.text).toBe(UNUSUAL);
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
    async run({ connected, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello all", true);
      await vi.waitFor(() => expect(accepted).toHaveLength(1), ON_ITS_WAY);
      expect(accepted[0]?.conversation.isGroup).toBe(true);
      expect(accepted[0]?.conversation.id).not.toBe(platform.conversation);
    },
  },
  "a mention addresses, and is taken out of the text": {
    needs: ["sayInGroup"],
    async run({ connected, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello", true);
      await vi.waitFor(() => expect(accepted).toHaveLength(1), ON_ITS_WAY);
      expect(accepted[0]).toMatchObject({ addressed: true, text: "hello" });
    },
  },
  "other talk does not address": {
    needs: ["sayInGroup"],
    async run({ connected, accepted }) {
      const { platform } = await connected();
      await platform.sayInGroup?.("1", "hello", false);
      await vi.waitFor(() => expect(accepted).toHaveLength(1), ON_ITS_WAY);
      expect(accepted[0]).toMatchObject({ addressed: false, text: "hello" });
    },
  },
});

export const redelivery = chapter("redelivery", {
  "a redelivery carries the same key, another message another one": {
    skipped: lacking("dedupeKey"),
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
    skipped: lacking("dedupeKey"),
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
  async "messages are handed over in the order they were said"({ connected, accepted }) {
    const { platform } = await connected();
    for (const id of ["1", "2", "3"]) await platform.say(id, `line ${id}`);
    await vi.waitFor(() => expect(accepted).toHaveLength(3), ON_ITS_WAY);
    expect(accepted.map(({ text }) => text)).toEqual(["line 1", "line 2", "line 3"]);
  },
  async "twenty messages at once are twenty messages"({ connected, accepted }) {
    const { platform } = await connected();
    await Promise.all(Array.from({ length: 20 }, (_, index) => platform.say(String(index + 1), `line ${index + 1}`)));
    await vi.waitFor(() => expect(accepted).toHaveLength(20), ON_ITS_WAY);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(20);
  },
  "the platform is told only when the message is stored": {
    skipped: noWord,
    async run(scene) {
      const { platform } = await scene.connected();
      const stored = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      scene.store = async () => {
        reached.resolve();
        await stored.promise;
      };
      let isTold = false;
      const saying = platform.say("1", "good morning").then(() => {
        isTold = true;
      });
      await reached.promise;
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(isTold).toBe(false);
      stored.resolve();
      await saying;
      expect(scene.accepted).toHaveLength(1);
    },
  },
  async "a message that could not be stored is not taken, and the channel goes on"(scene) {
    const { link, platform } = await scene.connected();
    const refused = Promise.withResolvers<void>();
    scene.store = async () => {
      refused.resolve();
      throw new Error("the disk is full");
    };
    const saying = platform.say("1", "lost?");
    if (scene.given.acknowledges === false) await saying;
    else await expect(saying).rejects.toThrow();
    await refused.promise;
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
    await reached.promise;
    await link[Symbol.asyncDispose]();
    hung.resolve();
    await platform[Symbol.asyncDispose]();
    await saying;
  },
});
