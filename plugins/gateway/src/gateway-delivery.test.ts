import { type ChannelLink, DeliveryError } from "@parley/core";
import { describe, expect, test } from "vitest";
import { accept, connect, idle, linkThat, outcome, receiving, state, useGateway } from "./test-setup.ts";

useGateway();

describe("outbound messages", () => {
  test("of a conversation are sent in order, in the parts that the platform accepts", async () => {
    connect(linkThat(receiving.send, { split: (text) => text.split(": ") }));
    await accept("one");
    await accept("two");
    await idle();
    expect(state.sent.map(({ text, part, parts }) => [text, part, parts])).toEqual([
      ["re", 1, 2],
      ["one", 2, 2],
      ["re", 1, 2],
      ["two", 2, 2],
    ]);
  });

  test("that were delivered only in part are reported as partial", async () => {
    const send: ChannelLink["send"] = async ({ text }) => {
      if (text === "two") throw new DeliveryError("permanent", "no");
      return { quality: "confirmed" };
    };
    connect(linkThat(send, { split: (text) => text.split(": ") }));
    await accept("one");
    await accept("two");
    await idle();
    const partialFailures = state.events.published.filter(({ payload }) => payload.status === "partial_failed");
    expect(partialFailures.map(({ payload }) => payload.message)).toEqual([
      "1 of 2 parts of the answer were delivered",
    ]);
  });

  test("that were certainly not sent are retried under the same id", async () => {
    const ids: string[] = [];
    const delivered = Promise.withResolvers<void>();
    connect(
      linkThat(async ({ deliveryId }) => {
        ids.push(deliveryId);
        if (ids.length === 1) throw new DeliveryError("throttled", "slow down", { retryAfterMs: 5 });
        delivered.resolve();
        return { quality: "accepted" };
      }),
    );
    await accept("hello");
    await delivered.promise;
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  describe("while the platform's rate limit delays it", () => {
    const states = async () => {
      const tables = state.databases.main.tables<{ outbox: { state: string } }>();
      return (await tables.selectFrom("outbox").select("state").execute()).map(({ state }) => state);
    };
    /**
     * Creates a rate limit that delays sends until `open` is called; `asked` has the abort signals of the waiting
     * sends.
     */
    const createHold = () => {
      const asked: AbortSignal[] = [];
      const open = Promise.withResolvers<void>();
      const pace: ChannelLink["pace"] = (_message, signal) => {
        asked.push(signal);
        const { promise, reject } = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => reject(signal.reason));
        return Promise.race([promise, open.promise]);
      };
      return { asked, open: open.resolve, link: linkThat(receiving.send, { pace }) };
    };

    test("an answer is not recorded as being sent, and is sent when its turn comes", async () => {
      const { asked, open, link } = createHold();
      connect(link);
      await outcome((await accept("hello")).traceId);
      await expect.poll(() => asked).toHaveLength(1);
      expect(await states()).toEqual(["pending"]);
      expect(state.sent).toEqual([]);
      open();
      await idle();
      expect(state.sent).toHaveLength(1);
      expect(await states()).toEqual(["delivered"]);
    });

    test("a removed connection is no longer waited for, and the answer is sent by the next one", async () => {
      const { asked, link } = createHold();
      const connection = connect(link);
      await outcome((await accept("hello")).traceId);
      await expect.poll(() => asked).toHaveLength(1);
      await connection[Symbol.asyncDispose]();
      expect(asked[0]?.aborted).toBe(true);
      expect(await states()).toEqual(["pending"]);
      connect();
      await expect.poll(() => state.sent).toHaveLength(1);
      expect(await states()).toEqual(["delivered"]);
    });

    test("a failing rate limiter leaves no unknown outcome, because nothing was sent", async () => {
      let tries = 0;
      const pace = async () => {
        tries += 1;
        if (tries === 1) throw new Error("the line is down");
      };
      connect(linkThat(receiving.send, { pace }));
      await outcome((await accept("hello")).traceId);
      await expect.poll(() => state.sent, { timeout: 5_000 }).toHaveLength(1);
      expect(tries).toBe(2);
    });
  });

  test("a message that may have arrived is not repeated blindly", async () => {
    let tries = 0;
    connect(
      linkThat(async () => {
        tries += 1;
        throw new Error("the connection was reset");
      }),
    );
    const { traceId } = await accept("hello");
    await outcome(traceId);
    await idle();
    expect(tries).toBe(1);
    const tables = state.databases.main.tables<{
      outbox: { state: string; cause: string | null };
    }>();
    expect(await tables.selectFrom("outbox").select(["state", "cause"]).execute()).toEqual([
      { state: "dead", cause: "outcome_unknown" },
    ]);
  });

  test("a delivery may take as long as its adapter declares, and then its outcome is unknown", async () => {
    state.sendTimeoutMs = 20;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    connect(
      linkThat(
        (_, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => {
              resolve();
              reject(signal.reason);
            }),
          ),
      ),
    );
    const began = performance.now();
    await accept("hello");
    await over;
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test("a platform that cannot report an outcome is queried now and then, never in a loop", async () => {
    let asked = 0;
    const link = linkThat(
      async () => {
        throw new Error("the connection was reset");
      },
      {
        reconcile() {
          asked += 1;
          throw new DeliveryError("not_sent", "not connected");
        },
      },
    );
    connect(link, "reconcile");
    await accept("hello");
    await idle();
    expect(asked).toBe(1);
  });

  test("a message that waits for a connection is sent once there is one, however often it was tried", async () => {
    let isUp = false;
    const { promise: delivered, resolve } = Promise.withResolvers<void>();
    connect(
      linkThat(async (message) => {
        if (!isUp) throw new DeliveryError("not_sent", "not connected");
        state.sent.push(message);
        if (state.sent.length === 6) resolve();
        return { quality: "confirmed" };
      }),
    );
    // After five failed attempts in a row, there is one attempt in 30 seconds.
    for (let n = 1; n <= 6; n += 1) {
      await accept("hello", { sessionId: `test:${n}`, conversation: { id: String(n), isGroup: false } });
    }
    await idle();
    isUp = true;
    const began = performance.now();
    state.events.publish({ type: "channel_status", durable: true, payload: { channel_id: "test", connected: true } });
    await delivered;
    expect(performance.now() - began).toBeLessThan(400);
  });

  test("an unknown outcome is queried when there is a connection again", async () => {
    let isUp = false;
    const asked = Promise.withResolvers<void>();
    const link = linkThat(
      async () => {
        throw new Error("the connection was reset");
      },
      {
        async reconcile() {
          if (!isUp) throw new DeliveryError("not_sent", "not connected");
          asked.resolve();
          return "delivered";
        },
      },
    );
    connect(link, "reconcile");
    await accept("hello");
    await idle();
    isUp = true;
    const began = performance.now();
    state.events.publish({ type: "channel_status", durable: true, payload: { channel_id: "test", connected: true } });
    await asked.promise;
    expect(performance.now() - began).toBeLessThan(400);
  });

  test("an idempotent delivery is repeated", async () => {
    let tries = 0;
    const delivered = Promise.withResolvers<void>();
    const link = linkThat(async () => {
      tries += 1;
      if (tries === 1) throw new Error("the connection was reset");
      delivered.resolve();
      return { quality: "confirmed" };
    });
    connect(link, "natural");
    await accept("hello");
    await delivered.promise;
    expect(tries).toBe(2);
  });
});
