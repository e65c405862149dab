import { DeliveryError, Gateway } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { createFakeChannel } from "../harness/fake-channel.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Found {
  readonly items: readonly {
    readonly key: string;
    readonly level: string;
    readonly parameters?: Readonly<Record<string, string | number>>;
    readonly page?: string;
  }[];
}

const fake = createFakeChannel();
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Shop", type: fake.id, transport: "bridge" });
});
afterAll(() => parley[Symbol.asyncDispose]());

const found = async (key: string) => {
  const { items } = await api.get<Found>("/api/system/findings");
  return items.find((one) => one.key === key);
};

describe("what is not as it should be", () => {
  test("a service without a model and without a backup says so, and where that is mended", async () => {
    expect(await found("models.none")).toMatchObject({ level: "warning", page: "/models" });
    expect(await found("host.no_backups")).toMatchObject({ level: "warning", page: "/settings" });
    const mine = { name: "Mine", model: "m", base_url: "http://127.0.0.1:9/v1", api_key: "sk-none" };
    const { id } = await api.post<{ id: string }>("/api/ai-models", mine);
    expect(await found("models.none")).toBeUndefined();
    await api.send("DELETE", `/api/ai-models/${id}`);
  });

  test("a worker that was stopped, and what was given up, until somebody sees to it", async () => {
    await api.post("/api/gateway/worker/stop", {});
    expect(await found("gateway.stopped")).toMatchObject({ level: "problem", page: "/gateway" });
    await api.post("/api/gateway/worker/start", {});
    expect(await found("gateway.stopped")).toBeUndefined();

    fake.failures.push(new DeliveryError("permanent", "the bot was blocked"));
    await fake.say("42", "hello");
    await parley.host.get(Gateway).idle();
    expect(await found("gateway.given_up")).toMatchObject({ level: "warning", parameters: { count: 1 } });
    await api.post("/api/gateway/dead-letters/discard", { channel_id: fake.id, reason: "seen" });
    expect(await found("gateway.given_up")).toBeUndefined();
  });

  test("a channel that is switched on and not connected, with its reason", async () => {
    await api.post("/api/channels/presets/imB", {});
    expect(await found("channels.down")).toMatchObject({
      level: "problem",
      page: "/channels",
      parameters: { channel: "imB", reason: expect.stringContaining("IMB_BOT_TOKEN") },
    });
  });
});
