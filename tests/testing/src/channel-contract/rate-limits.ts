import { setTimeout as wait } from "node:timers/promises";
import { type ChannelLink, DeliveryError, type OutboundMessage } from "@parley/core";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import type { Scene } from "./scene.ts";

const neverAborted = new AbortController().signal;
const MAX_CALLS = 100;
/** Milliseconds after which a permit counts as blocked. */
const RATE_LIMIT_MS = 25;
/** Count of calls that wait behind the first blocked one; a send that queues would come after all of them. */
const QUEUED_CALLS = 20;
const TIMEOUT_MS = 2_000;
const DIRECT_SENDS = 12;

/** A link whose rate limit is exhausted. */
interface ExhaustedLimit {
  readonly link: ChannelLink;
  /** Resolves when the last waiting call gets its permit. */
  readonly lastPermit: Promise<void>;
  /** Aborts all waiting calls. */
  abortAll(): Promise<void>;
}

/** Makes calls until the rate limiter blocks; undefined when it never does. */
async function exhaustLimit(link: ChannelLink, message: OutboundMessage): Promise<ExhaustedLimit | undefined> {
  const { pace: waitForTurn } = link;
  if (!waitForTurn) return undefined;
  const off = new AbortController();
  const begin = () => waitForTurn.call(link, message, off.signal);
  for (let n = 0; n < MAX_CALLS; n += 1) {
    const first = begin();
    const isWaiting = await Promise.race([first.then(() => false), wait(RATE_LIMIT_MS, true)]);
    if (!isWaiting) continue;
    const all = [first, ...Array.from({ length: QUEUED_CALLS }, begin)];
    const over = Promise.allSettled(all);
    return {
      link,
      lastPermit: Promise.all(all).then(() => undefined),
      async abortAll() {
        off.abort();
        await over;
      },
    };
  }
  return undefined;
}

/** Exhausts the adapter's own limits; without any, the platform throttles. */
async function exhaustScene({ connected, message, failureOf, given }: Scene) {
  const { link, platform } = await connected();
  const to = message(platform.conversation, "hello");
  const byLimits = await exhaustLimit(link, to);
  if (byLimits) return { ...byLimits, platform };
  if (platform.fail && (given.faults?.includes("throttle") ?? true)) {
    platform.fail("throttle");
    await failureOf(link.send(to, neverAborted));
    const byRequest = await exhaustLimit(link, to);
    if (byRequest) return { ...byRequest, platform };
  }
  throw new Error("its pace lets everything through: nothing holds it, and nothing that the platform asks for");
}

async function skipWithoutPace({ look }: Scene): Promise<string | undefined> {
  const { link } = await look();
  return link.pace ? undefined : "the link has no pace";
}

/** Skips where the platform never throttles; a platform that does needs a rate limiter, or later sends are rejected again. */
const skipWithoutThrottle = ({ faults }: ChannelAdapterCase): string | undefined =>
  faults && !faults.includes("throttle") ? "the platform never asks to wait" : undefined;

export const rateLimits = chapter("rate limits", {
  "a link of a throttling platform has `pace`": {
    needs: ["fail"],
    skipped: skipWithoutThrottle,
    async run({ look }) {
      const { link } = await look();
      if (!link.pace) throw new Error("the platform asks to wait, and the link has no 'pace' that waits for it");
    },
  },
  "`pace` delays messages above the platform's limits": {
    applies: skipWithoutPace,
    async run(scene) {
      const { abortAll, lastPermit } = await exhaustScene(scene);
      lastPermit.catch(() => undefined);
      await abortAll();
    },
  },
  "a send is immediate while `pace` delays others": {
    applies: skipWithoutPace,
    async run(scene) {
      const { link, platform, lastPermit, abortAll } = await exhaustScene(scene);
      // The platform's answer does not matter, only that the send reached it.
      const sent = link
        .send(scene.message(platform.conversation, "at once", { deliveryId: "dlv_2" }), neverAborted)
        .then(
          () => "sent",
          (error: unknown) => (DeliveryError.is(error) ? "sent" : Promise.reject(error)),
        );
      const first = await Promise.race([sent, lastPermit.then(() => "let through"), wait(TIMEOUT_MS, "still waiting")]);
      await abortAll();
      if (first !== "sent") throw new Error(`a send waits for the link's own pace: ${first} before it was sent`);
    },
  },
  "an aborted wait for `pace` ends": {
    applies: skipWithoutPace,
    async run(scene) {
      const { lastPermit, abortAll } = await exhaustScene(scene);
      const ended = lastPermit.then(
        () => "let through",
        () => "ended",
      );
      const first = await Promise.race([abortAll().then(() => ended), wait(TIMEOUT_MS, "still waiting")]);
      if (first !== "ended") throw new Error(`a wait for the pace does not heed its signal: ${first}`);
    },
  },
  "`pace` waits as long as the platform requests": {
    needs: ["fail"],
    faults: ["throttle"],
    applies: skipWithoutPace,
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      const to = message(platform.conversation, "hello");
      platform.fail?.("throttle");
      const { retryAfterMs = 0 } = await failureOf(link.send(to, neverAborted));
      const off = new AbortController();
      const waiting = link.pace?.(to, off.signal).then(() => false);
      waiting?.catch(() => undefined);
      const isWaiting = await Promise.race([waiting, wait(Math.min(RATE_LIMIT_MS, retryAfterMs / 2), true)]);
      off.abort();
      if (!isWaiting) throw new Error("its pace lets the next one through although the platform asked to wait");
    },
  },
  async "direct sends do not wait"({ connected, message }) {
    const { link, platform } = await connected();
    const sendAll = async () => {
      for (let n = 0; n < DIRECT_SENDS; n += 1) {
        await link
          .send(message(platform.conversation, `text ${n}`, { deliveryId: `dlv_${n}` }), neverAborted)
          .catch((error: unknown) => {
            if (!DeliveryError.is(error)) throw error;
          });
      }
      return "sent";
    };
    const first = await Promise.race([sendAll(), wait(TIMEOUT_MS, "still waiting")]);
    if (first !== "sent") throw new Error(`${DIRECT_SENDS} texts took over ${TIMEOUT_MS} ms: waiting is for 'pace'`);
  },
});
