import { Channels } from "@parley/core";
import { type ImaBridge, type ModelServer, startImaBridge, startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IMA_TIMING } from "../../adapters/ima/src/bridge/timing.ts";
import { createImaPlugin } from "../../adapters/ima/src/index.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const QUICK = { ...IMA_TIMING, firstBackoffMs: 2, maxBackoffMs: 20, conversationIntervalMs: 1, accountIntervalMs: 1 };

let models: ModelServer;
let bridge: ImaBridge;
let parley: Parley;
let api: Client;

beforeEach(async () => {
  [models, bridge] = await Promise.all([startModelServer(), startImaBridge({ token: "sesame" })]);
  parley = await startParley({
    plugins: [createImaPlugin(QUICK)],
    env: { IMA_ACCESS_TOKEN: "sesame" },
    waitWithinMs: 30_000,
  });
  api = await parley.signIn();
  const draft = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterEach(async () => {
  await parley[Symbol.asyncDispose]();
  for (const one of [bridge, models]) await one[Symbol.asyncDispose]();
});

const FORMS = [
  {
    form: "that the service dialled",
    async connect() {
      await api.put("/api/channels/imA", { config: { ws_uri: bridge.address } });
      await api.post("/api/channels/imA/toggle", { enabled: true });
    },
  },
  {
    form: "that dialled the service",
    async connect() {
      await api.put("/api/channels/imA", { config: { mode: "reverse_ws" } });
      await api.post("/api/channels/imA/toggle", { enabled: true });
      await bridge.dial(`${parley.address.replace("http", "ws")}/ws/imA`, { authorization: "Bearer sesame" });
    },
  },
];

const waitUntilConnected = () => eventually(() => expect(parley.host.get(Channels).status("imA").connected).toBe(true));
const askAndWait = async (conversation: string, text: string) => {
  await bridge.say(conversation, text);
  await bridge.seen((one) => one.to === conversation && one.text === `You said: ${text}`);
};
const reload = async (packages?: readonly string[]) => {
  const { failed } = await api.post<{ failed: readonly object[] }>(
    "/api/system/reload-core",
    packages ? { packages } : {},
  );
  expect(failed).toEqual([]);
};

describe.each(FORMS)("a connection to a bridge $form", ({ connect }) => {
  beforeEach(async () => {
    await connect();
    await waitUntilConnected();
  });

  test("stays open over a reload, and messages during it are answered once", async () => {
    await askAndWait("private:1001", "before");
    const before = bridge.connections();
    const reloading = reload();
    await bridge.say("private:1002", "meanwhile");
    await reloading;
    await waitUntilConnected();
    await askAndWait("private:1003", "after");
    await bridge.seen(({ to, text }) => to === "private:1002" && text === "You said: meanwhile");
    expect(bridge.connections()).toEqual(before);
    expect(before).toEqual({ open: 1, ever: 1 });
    // On a slow machine there may also be notices of a slow reply.
    expect(bridge.shown("private:1002").filter((text) => text.startsWith("You said"))).toHaveLength(1);
  });

  test("stays open over several reloads", async () => {
    for (let round = 0; round < 3; round += 1) await reload();
    await waitUntilConnected();
    await askAndWait("private:1001", "after");
    expect(bridge.connections()).toEqual({ open: 1, ever: 1 });
  });

  test("ends when its adapter is reloaded by name, when its channel is changed, and with the service", async () => {
    const before = bridge.connections();
    await reload(["ima"]);
    // A connection opened by the service is established again.
    await eventually(() => expect(bridge.connections()).not.toEqual(before));
    await api.post("/api/channels/imA/toggle", { enabled: false });
    await eventually(() => expect(bridge.connections().open).toBe(0));
    await parley.host[Symbol.asyncDispose]();
    expect(bridge.connections().open).toBe(0);
  });
});
