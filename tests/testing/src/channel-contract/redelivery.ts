import { expect } from "vitest";
import { chapter } from "./check.ts";
import { skipIfLacking, skipWithoutAcknowledgement } from "./inbound.ts";
import { expectRejection, flushEventLoop, waitUntil, withTimeout } from "./wait.ts";

/** Milliseconds after which a message sent during the storing of another one must have been accepted. */
const OVERTAKE_MS = 100;

export const redelivery = chapter("redelivery", {
  "a redelivery has the same key, another message a different one": {
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
  "a message has the same key after the channel is reopened": {
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
  async "a key has at most the maximum length, and is not invented"({ given, connected, say, accepted }) {
    const { platform } = await connected();
    await say(platform, "1", "good morning", 1);
    if (given.lacks?.includes("dedupeKey")) expect(accepted[0]?.dedupeKey).toBeUndefined();
    else expect(accepted[0]?.dedupeKey?.length).toBeLessThanOrEqual(256);
  },
});

export const acknowledgement = chapter("acknowledgement", {
  async "messages are accepted in the order they were written"({ connected, handedOver, accepted }) {
    const { platform } = await connected();
    for (const id of ["1", "2", "3"]) await platform.say(id, `line ${id}`);
    await handedOver(3);
    expect(accepted.map(({ text }) => text)).toEqual(["line 1", "line 2", "line 3"]);
  },
  "a message waits until the previous one is stored": {
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
      // By then the second message has reached the link, since messages on a connection do not overtake each other.
      await Promise.race([saying[1], new Promise((resolve) => setTimeout(resolve, OVERTAKE_MS))]);
      expect(entered, "the second message was handed over while the first was being stored").toEqual(["first"]);
      stored.resolve();
      await Promise.all(saying);
      await scene.handedOver(2);
      expect(scene.accepted.map(({ text }) => text)).toEqual(["first", "second"]);
    },
  },
  async "twenty concurrent messages are twenty messages"({ given, connected, handedOver, accepted }) {
    const { platform } = await connected();
    await Promise.all(Array.from({ length: 20 }, (_, index) => platform.say(String(index + 1), `line ${index + 1}`)));
    await handedOver(20);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(20);
    const keys = new Set(accepted.map(({ dedupeKey }) => dedupeKey));
    expect(keys.size, "two messages have the same key: one of them is lost").toBe(
      given.lacks?.includes("dedupeKey") ? 1 : 20,
    );
  },
  "a message is acknowledged only once it is stored": {
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
      expect(isReported, "the message was acknowledged before it was stored").toBe(false);
      stored.resolve();
      await saying;
      expect(scene.accepted).toHaveLength(1);
    },
  },
  async "a message that cannot be stored is not acknowledged, and the channel continues"(scene) {
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
    // A platform that repeats it of itself has sent a copy, which the service recognizes by its key.
    const texts = new Map(scene.accepted.map(({ dedupeKey, text }) => [dedupeKey, text]));
    expect([...texts.values()]).toEqual(["lost?"]);
    await again[Symbol.asyncDispose]();
  },
  async "a hanging storage does not prevent disposal"(scene) {
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
