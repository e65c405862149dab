import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Gateway, newId, newTraceId } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

let fake: ReturnType<typeof createFakeChannel>;
let parley: Parley;

beforeEach(async () => {
  fake = createFakeChannel();
  parley = await startParley({ plugins: [fake.plugin] });
  const api = await parley.signIn();
  await api.post("/api/channels", { id: "fake", name: "fake", type: "fake", transport: "bridge" });
});
afterEach(() => parley[Symbol.asyncDispose]());

const waitUntilIdle = () => parley.host.get(Gateway).idle();
const getNumbers = (texts: readonly string[]) => texts.map((text) => Number(/<(\d+)>/.exec(text)?.[1]));

describe("a burst", () => {
  // A thousand messages may wait; only the long tests exceed that.
  const burst = process.env.PARLEY_LONG ? 2_000 : 300;
  test(`of ${burst} messages in one conversation: each is answered in order or rejected, none is lost between`, async () => {
    const results = await Promise.allSettled(Array.from({ length: burst }, (_, n) => fake.say("busy", `<${n}>`)));
    await waitUntilIdle();
    const taken = results.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
    const rejections = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(getNumbers(fake.sent.map(({ text }) => text))).toEqual(taken);
    expect(taken.length).toBeGreaterThanOrEqual(Math.min(burst, 1_000));
    expect(new Set(rejections)).toEqual(new Set(burst > 1_000 ? ["unavailable"] : []));
  }, 180_000);

  test("of 1,000 copies of one message is one turn", async () => {
    const id = "copy";
    const results = await Promise.all(
      Array.from({ length: 1_000 }, () => fake.say("copies", "<1>", { platformMessageId: id, dedupeKey: id })),
    );
    await waitUntilIdle();
    expect(new Set(results.map(({ traceId }) => traceId)).size).toBe(1);
    expect(results.filter(({ duplicated }) => !duplicated)).toHaveLength(1);
    expect(fake.sent).toHaveLength(1);
  });
});

describe("a message that waited while the service was down", () => {
  /** Stores messages as they were received some minutes ago. */
  function store(root: string, count: number, minutes: number, session: (n: number) => string): void {
    const database = new DatabaseSync(join(root, "data", "parley.db"), { timeout: 5_000 });
    const insert = database.prepare(
      `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, runs)
       values (?, ?, ?, 'fake', ?, ?, ?, ?, 'waiting', 0)`,
    );
    database.exec("BEGIN");
    const at = Date.now() - minutes * 60_000;
    for (let n = 0; n < count; n += 1) {
      const message = {
        channelId: "fake",
        sessionId: `fake:group:${session(n)}`,
        conversation: { id: session(n), isGroup: true },
        kind: "message",
        sender: { id: "7", name: "Eve", isAdmin: false },
        text: `<${n}>`,
        attachments: [],
        addressed: true,
        source: "fake",
      };
      insert.run(newId("qi"), n, newTraceId(at), message.sessionId, JSON.stringify(message), at, at);
    }
    database.exec("COMMIT");
    database.close();
  }
  const restart = async (fill: (root: string) => void) => {
    const { root } = parley;
    await parley.host[Symbol.asyncDispose]();
    fill(root);
    parley = await startParley({ plugins: [fake.plugin], root });
  };

  test("is answered in order, and new ones do not wait behind it", async () => {
    await restart((root) => store(root, 80, 5, (n) => `old${n % 8}`));
    await fake.say("fresh", "<1000>");
    await fake.say("old3", "<1001>");
    await waitUntilIdle();
    const numbers = getNumbers(fake.sent.map(({ text }) => text));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 80 }, (_, n) => n), 1000, 1001]);
    for (let session = 0; session < 8; session += 1) {
      const own = fake.sent.filter(({ conversation }) => conversation.id === `old${session}`);
      const order = getNumbers(own.map(({ text }) => text));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
    expect(numbers.indexOf(1000)).toBeLessThan(60);
  }, 60_000);

  test("is not answered any more when it is too old", async () => {
    await restart((root) => store(root, 500, 31, (n) => `old${n % 8}`));
    await waitUntilIdle();
    expect(fake.sent).toEqual([]);
    const api = await parley.signIn();
    expect(await api.get("/api/gateway/stats")).toMatchObject({ queue: { pending: 0, failed: 500 } });
  });
});
