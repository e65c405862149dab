import type { InboundMessage } from "@parley/core";
import { createTestClock } from "@parley/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { type Admission, createAdmission } from "./admission.ts";

const MOST = 4;
const message = {
  channelId: "shop",
  source: "shop",
  kind: "message",
  addressed: true,
} as InboundMessage;
const nextEventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

let admission: Admission;
beforeEach(() => {
  admission = createAdmission({
    clock: createTestClock(),
    waiting: { total: () => 0, ofChannel: () => 0, oldestMs: () => undefined },
    limits: {
      channelWaitMs: () => 0,
      findExceeded: () => undefined,
      refund() {},
      shouldNotify: () => false,
      addRemote() {},
    },
    // Simulates an overloaded service.
    adaptiveLimit: { isExceeded: ({ all }) => all >= MOST, recordDuration() {}, recordLag() {} },
    isRetriedByPlatform: () => true,
    isWorkerRunning: () => true,
    concurrency: () => 8,
  });
});

describe("while the service is overloaded", () => {
  test("admitted messages are accepted, also when they are read in the same round of the event loop", () => {
    const admitted = Array.from({ length: 10 }, () => admission.busy("shop")).filter((busy) => busy === undefined);
    expect(admitted).toHaveLength(MOST);
    for (const _ of admitted) expect(() => admission.check(message)).not.toThrow();
  });

  test("as many messages are accepted as are stored at once, and the next ones afterwards", async () => {
    const disk = Promise.withResolvers<void>();
    for (let n = 0; n < MOST; n += 1) admission.trackStoring("shop", disk.promise);
    expect(() => admission.check(message)).toThrow("too many messages at once");
    expect(admission.busy("shop")).toMatchObject({ reason: "too many messages at once", retryAfterS: 1 });
    disk.resolve();
    await nextEventLoopTurn();
    expect(admission.busy("shop")).toBeUndefined();
    expect(() => admission.check(message)).not.toThrow();
  });
});
