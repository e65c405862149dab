import { setTimeout as wait } from "node:timers/promises";
import type { ChannelLink, OutboundMessage } from "@parley/core";
import { expect } from "vitest";
import type { ChannelAdapterCase } from "./case.ts";
import { chapter } from "./check.ts";
import { neverAborted } from "./outbound.ts";
import { withTimeout } from "./wait.ts";

const POLL_EVERY_MS = 20;

const skipWithoutSafeRepeat = ({ adapter }: Pick<ChannelAdapterCase, "adapter">) =>
  ["native_key", "natural"].includes(adapter.idempotency) ? undefined : "its mode does not promise it";

export const unknownOutcome = chapter("unknown outcome", {
  "a send that arrived unconfirmed is never reported as not sent": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    async run({ connected, message, failureOf }) {
      const { link, platform } = await connected();
      platform.fail?.("reset-after");
      const failure = await failureOf(link.send(message(platform.conversation, "doubt"), neverAborted));
      expect(failure.failure).not.toBe("not_sent");
      expect(platform.shown?.()).toEqual(["doubt"]);
    },
  },
  "a repeat behaves as the idempotency mode promises": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    async run(scene) {
      const { given, connected, message, failureOf } = scene;
      const { link, platform } = await connected();
      const same = () => message(platform.conversation, "doubt");
      platform.fail?.("reset-after");
      const failure = await failureOf(link.send(same(), neverAborted));
      const { idempotency } = given.adapter;
      if (idempotency === "none") {
        expect(failure.failure).toBe("ambiguous");
        return;
      }
      if (idempotency === "reconcile") {
        expect(await reconcileUntilKnown(link, same())).toBe("delivered");
        expect(await link.reconcile?.(message(platform.conversation, "never sent"), neverAborted)).not.toBe(
          "delivered",
        );
        return;
      }
      await scene.sendUntilTaken(link, same());
      expect(platform.shown?.(), "a repeat on the same connection was shown twice").toEqual(["doubt"]);
    },
  },
  "a repeated successful send is shown once, also after the channel is reopened": {
    needs: ["shown"],
    skipped: skipWithoutSafeRepeat,
    async run({ connected, message }) {
      const { link, platform } = await connected();
      await link.send(message(platform.conversation, "only once"), neverAborted);
      await link.send(message(platform.conversation, "only once"), neverAborted);
      await link[Symbol.asyncDispose]();
      const { link: next } = await connected();
      await next.send(message(platform.conversation, "only once"), neverAborted);
      expect(platform.shown?.(), "a send whose receipt was lost is made again").toEqual(["only once"]);
    },
  },
  "a repeated unconfirmed send is shown once after the channel is reopened": {
    needs: ["fail", "shown"],
    faults: ["reset-after"],
    skipped: skipWithoutSafeRepeat,
    async run(scene) {
      const { connected, message, failureOf } = scene;
      const { link, platform } = await connected();
      platform.fail?.("reset-after");
      await failureOf(link.send(message(platform.conversation, "doubt"), neverAborted));
      await link[Symbol.asyncDispose]();
      const { link: next } = await connected();
      await scene.sendUntilTaken(next, message(platform.conversation, "doubt"));
      expect(
        platform.shown?.(),
        "the key of a repeat must come from the delivery's id, not from the link that sends it",
      ).toEqual(["doubt"]);
    },
  },
  async "mode `reconcile` has `reconcile`"({ given, open }) {
    const link = await open();
    expect(link.reconcile !== undefined).toBe(given.adapter.idempotency === "reconcile");
  },
});

/** Asks until the outcome is known, because nothing is known while a broken connection is being restored. */
async function reconcileUntilKnown(link: ChannelLink, message: OutboundMessage): Promise<string | undefined> {
  let found: string | undefined;
  const look = async () => {
    while (found === undefined || found === "unknown") {
      found = await link.reconcile?.(message, neverAborted).catch(() => "unknown");
      await wait(POLL_EVERY_MS);
    }
  };
  await withTimeout(look(), "'reconcile' did not find the message that the platform shows");
  return found;
}
