import { type Receiver, startReceiver } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  parley = await startParley({ env: { WORD: "sesame" } });
  const api = await parley.signIn();
  const add = (id: string, auth: object, more: object = {}) =>
    api.post("/api/channels", {
      id,
      name: id,
      type: "generic",
      transport: "webhook",
      config: { auth, outbound_url: receiver.address, ...more },
    });
  await add("open", { type: "none" });
  await add("few", { type: "none" }, { rate_limits: { ip: 3 } });
  await add("locked", { type: "static", secret_env: "WORD" });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

let count = 0;
const post = (channel: string, secret = "sesame") => {
  count += 1;
  return fetch(`${parley.address}/api/gateway/${channel}/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-token": secret },
    body: JSON.stringify({ event_id: `e${count}`, conversation_id: "c", user_id: `u${count}`, text: "hello" }),
  });
};
const statuses = async (times: number, ...call: Parameters<typeof post>) => {
  const all: number[] = [];
  for (let n = 0; n < times; n += 1) all.push((await post(...call)).status);
  return all;
};

test("a webhook without a secret takes sixty requests a minute of one address, or what the channel says", async () => {
  expect(new Set(await statuses(60, "open"))).toEqual(new Set([200]));
  const refused = await post("open");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await statuses(4, "few")).toEqual([200, 200, 200, 429]);
});

test("requests that prove themselves are not counted; who guesses is told to wait, but the right secret comes in", async () => {
  expect(new Set(await statuses(70, "locked"))).toEqual(new Set([200]));
  expect(new Set(await statuses(20, "locked", "wrong"))).toEqual(new Set([401]));
  expect(await statuses(1, "locked", "wrong")).toEqual([429]);
  expect(await statuses(1, "locked")).toEqual([200]);
});
