import { setTimeout as wait } from "node:timers/promises";
import { Gateway, LiveEvents } from "@parley/core";
import { type Receiver, startReceiver } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isInFiles } from "../harness/chosen-storage.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  parley = await startParley({ env: { WORD: "sesame" } });
  api = await parley.signIn();
  const config = { auth: { type: "static", secret_env: "WORD" }, outbound_url: receiver.address };
  await api.post("/api/channels", { id: "shop", name: "Shop", type: "generic", transport: "webhook", config });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const post = async (id: string) => {
  const response = await fetch(`${parley.address}/api/gateway/shop/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-token": "sesame" },
    body: JSON.stringify({ event_id: id, conversation_id: id, user_id: id, text: `hello from ${id}` }),
  });
  await response.arrayBuffer();
  return { id, status: response.status, retryAfter: response.headers.get("retry-after") };
};
const answeredUsers = () =>
  new Set(receiver.posts.map(({ body }) => /hello from (\w+)/.exec(JSON.stringify(body))?.[1]));

/** Keeps the thread busy, so that the service gets almost none of it. */
function keepBusy(): Disposable {
  const timer = setInterval(() => {
    for (const end = performance.now() + 80; performance.now() < end; );
  }, 1);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

test("an idle service accepts fifty messages at once", async () => {
  const all = await Promise.all(Array.from({ length: 50 }, (_, n) => post(`b${n}`)));
  expect(all.filter(({ status }) => status !== 200)).toEqual([]);
  await parley.host.get(Gateway).idle();
  expect(all.filter(({ id }) => !answeredUsers().has(id))).toEqual([]);
});

// A database server takes so long that the queue of waiting messages fills first, which hides the lack of CPU time.
test.runIf(isInFiles)(
  "an overloaded service rejects early instead of queueing, and answers everything it accepted",
  async () => {
    const all: Awaited<ReturnType<typeof post>>[] = [];
    {
      using _ = keepBusy();
      const isRejected = () => all.some(({ status }) => status === 503);
      for (let round = 0; !isRejected() && round < 100; round += 1) {
        all.push(...(await Promise.all(Array.from({ length: 24 }, (_, n) => post(`s${round}x${n}`)))));
      }
    }
    const rejected = all.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    expect(new Set(rejected.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(["503 1"]));
    await parley.host.get(Gateway).idle();
    expect(all.filter(({ id, status }) => (status === 200) !== answeredUsers().has(id))).toEqual([]);
    const { items } = await api.get<{ items: readonly { status: string }[] }>("/api/gateway/events?status=queue_full");
    expect(items.length).toBeGreaterThan(0);
    await wait(300);
    expect((await post("later")).status).toBe(200);
  },
);

test("an event without subscribers is not built", () => {
  let read = 0;
  parley.host.get(LiveEvents).publish({
    type: "gateway_event",
    durable: false,
    get payload() {
      read += 1;
      return {};
    },
  });
  expect(read).toBe(0);
});
