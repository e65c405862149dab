import { type ChannelLink, DeliveryError } from "@parley/core";
import { expect } from "vitest";
import type { FakePlatform } from "./case.ts";
import { chapter } from "./check.ts";
import { CHANNEL, type Scene } from "./scene.ts";
import { expectRejection, flushEventLoop, waitUntil, withTimeout } from "./wait.ts";

const neverAborted = new AbortController().signal;

export const lifecycle = chapter("lifecycle", {
  async "an aborted open throws and leaves nothing open"({ openWith, connected }) {
    await expectRejection(openWith(AbortSignal.abort()), "an open whose signal is aborted must fail");
    expect((await connected()).link).toBeDefined();
  },
  async "an open that is aborted meanwhile leaves nothing open"({ given, channel, connected, openWith }) {
    for (let round = 0; round < 5; round += 1) {
      const abort = new AbortController();
      const opening = openWith(abort.signal);
      abort.abort();
      const link = await opening.catch(() => undefined);
      await link?.[Symbol.asyncDispose]();
    }
    expect(channel().type).toBe(given.adapter.type);
    expect((await connected()).link).toBeDefined();
  },
  async "after disposal sends fail without effect"({ connected, message }) {
    const { link, platform } = await connected();
    await link[Symbol.asyncDispose]();
    const failure = await link
      .send(message(platform.conversation, "too late"), neverAborted)
      .catch((error: unknown) => error);
    expect(DeliveryError.is(failure) && failure.failure).toBe("not_sent");
  },
  async "after disposal no state is reported"({ connected, states }) {
    const { link, platform } = await connected();
    await platform[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
    const before = states.length;
    await flushEventLoop();
    expect(states.slice(before)).toEqual([]);
  },
  async "disposing twice has no further effect"({ open }) {
    const link = await open();
    await link[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
  },
  async "a channel can be opened again after disposal"({ open, connected, say, accepted }) {
    const link = await open();
    await link[Symbol.asyncDispose]();
    const { platform } = await connected();
    await say(platform, "1", "again", 1);
    expect(accepted).toHaveLength(1);
  },
  async "opening and disposing leave no socket and no timer"({ given, open }) {
    const openAndEnd = async () => {
      const link = await open();
      const platform = await given.connect(link);
      await withTimeout(Promise.resolve(platform[Symbol.asyncDispose]()), "the test's platform did not end");
      await withTimeout(Promise.resolve(link[Symbol.asyncDispose]()), "the link did not end");
    };
    await openAndEnd();
    using timers = watchIntervals();
    const before = countOpenResources();
    for (let round = 0; round < OPEN_ROUNDS; round += 1) await openAndEnd();
    const countOpened = () => countOpenResources() - before;
    await waitUntil(
      () => countOpened() <= OPEN_ROUNDS / 2 && timers.running() === 0,
      () => `${OPEN_ROUNDS} links left ${countOpened()} sockets and timers and ${timers.running()} intervals running`,
    );
  },
  "two channels of its type work side by side": async (scene) => {
    const mine = await scene.connected();
    const other = await scene.another("contract-two");
    const theirs = await other.connected();
    await scene.say(mine.platform, "1", "to the first", 1);
    await other.say(theirs.platform, "1", "to the second", 1);
    expect(scene.accepted.map(({ channelId, text }) => [channelId, text])).toEqual([[CHANNEL, "to the first"]]);
    expect(other.accepted.map(({ channelId, text }) => [channelId, text])).toEqual([["contract-two", "to the second"]]);
    await sendAndExpect(scene, mine, "from the first");
    await sendAndExpect(other, theirs, "from the second");
    await mine.link[Symbol.asyncDispose]();
    await sendAndExpect(other, theirs, "the second is still there", "dlv_2");
  },
  "a broken connection is restored automatically": {
    needs: ["drop"],
    async run({ connected, say, accepted }) {
      const { platform } = await connected();
      const texts: string[] = [];
      for (let round = 1; round <= 2; round += 1) {
        await withTimeout(dropConnection(platform), "the connection did not come back", RECONNECT_TIMEOUT_MS);
        texts.push(`still here ${round}`);
        await say(platform, String(round), `still here ${round}`, round);
        await flushEventLoop();
        // A message that the platform repeats after a break must have the same key.
        const known = new Map(accepted.map((message) => [message.dedupeKey ?? message, message.text]));
        expect([...known.values()], "after the connection came back a message was handed over as a new one").toEqual(
          texts,
        );
      }
    },
  },
  "without a connection no send is reported as successful": {
    needs: ["drop"],
    async run({ connected, message }) {
      const { link, platform } = await connected();
      const back = dropConnection(platform);
      const outcome = await link.send(message(platform.conversation, "meanwhile"), neverAborted).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (outcome !== undefined && !DeliveryError.is(outcome))
        throw new Error(`it must fail with a DeliveryError, not with ${String(outcome)}`);
      await withTimeout(back, "the connection did not come back", RECONNECT_TIMEOUT_MS);
    },
  },
  "a send interrupted after people saw it is not reported as not sent": {
    needs: ["drop", "shown"],
    async run(scene) {
      const { link, platform } = await scene.connected();
      for (let turns = 0; turns < BREAK_ROUNDS; turns += 1) {
        const text = `broken off ${turns}`;
        const message = scene.message(platform.conversation, text, { deliveryId: `dlv_broken_${turns}` });
        const sending = link.send(message, AbortSignal.timeout(RECONNECT_TIMEOUT_MS)).catch((error: unknown) => error);
        await flushEventLoop(turns);
        const back = dropConnection(platform);
        const outcome = await sending;
        await withTimeout(back, "the connection did not come back", RECONNECT_TIMEOUT_MS);
        const isShown = platform.shown?.().includes(text);
        if (isShown && DeliveryError.is(outcome) && outcome.failure === "not_sent")
          throw new Error("a send was reported as 'not_sent' although people saw it: it would be shown twice");
      }
    },
  },
});

/** Timeout of a reconnection: a dialling adapter waits one second, then two, before it tries again. */
const RECONNECT_TIMEOUT_MS = 15_000;
const OPEN_ROUNDS = 10;
/** Count of breaks, each a little later after the connection. */
const BREAK_ROUNDS = 4;

const dropConnection = async (platform: FakePlatform) => platform.drop?.();

async function sendAndExpect(
  { message }: Scene,
  { link, platform }: { readonly link: ChannelLink; readonly platform: FakePlatform },
  text: string,
  deliveryId = "dlv_1",
): Promise<void> {
  const received = platform.heard();
  const sent = link.send(message(platform.conversation, text, { deliveryId }), neverAborted);
  await withTimeout(sent, `the text '${text}' was not sent`);
  expect(await received).toBe(text);
}

function countOpenResources(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Server/.test(name)).length;
}

/** Counts intervals started and not cleared, including unreferenced ones. */
function watchIntervals(): Disposable & { running(): number } {
  const { setInterval: begin, clearInterval: end } = globalThis;
  const running = new Set<unknown>();
  globalThis.setInterval = ((...args: Parameters<typeof begin>) => {
    const timer = begin(...args);
    running.add(timer);
    return timer;
  }) as typeof begin;
  globalThis.clearInterval = (timer) => {
    running.delete(timer);
    end(timer);
  };
  return {
    running: () => running.size,
    [Symbol.dispose]() {
      Object.assign(globalThis, { setInterval: begin, clearInterval: end });
    },
  };
}
