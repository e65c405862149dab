import type { CheckedAccount } from "@parley/core";
import { type ImbServer, startImbServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Status {
  readonly state: string;
  readonly connected: boolean;
  readonly receives: boolean;
  readonly last_error: string | null;
  readonly last_error_detail: { readonly key: string; readonly chinese?: string } | null;
  readonly last_rejected_at: string | null;
  readonly last_inbound_at: string | null;
}

const OURS = "https://bot.example.com/api/channels/imB/imB/webhook";

describe("a channel", () => {
  let parley: Parley;
  let api: Client;
  let platform: ImbServer;

  beforeAll(async () => {
    platform = await startImbServer();
    parley = await startParley({ env: { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "s3cret", SHOP: "s" } });
    api = await parley.signIn();
    const config = { api_base: platform.address };
    await api.post("/api/channels", { id: "imB", name: "imB", type: "imB", transport: "webhook", config });
    const auth = { type: "static", secret_env: "SHOP" };
    await api.post("/api/channels", { id: "shop", name: "Shop", type: "generic", config: { auth } });
  }, 60_000);
  afterAll(async () => {
    await parley?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });

  const getStatus = async (id: string) => {
    const { items } = await api.get<{ items: readonly { id: string; status: Status }[] }>("/api/channels");
    return items.find((one) => one.id === id)?.status;
  };
  const register = (webhook_url = OURS) => api.post("/api/channels/imB/imB/set-webhook", { webhook_url });
  const post = (path: string, headers: Readonly<Record<string, string>>, body: object) =>
    fetch(`${parley.address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  test("is not connected while its platform has no webhook address", async () => {
    await eventually(async () => expect(await getStatus("imB")).toMatchObject({ connected: false, state: "error" }));
    const status = await getStatus("imB");
    expect(status).toMatchObject({ receives: false, last_error_detail: { key: "imB.no_webhook" } });
    expect(status?.last_error).toContain("no webhook is registered");
  });

  test("is connected once its address is registered, and not when another one is registered", async () => {
    await register();
    await eventually(async () => expect(await getStatus("imB")).toMatchObject({ connected: true, receives: true }));
    platform.useWebhook({ url: "https://staging.example.net/api/channels/imB/imB/webhook" });
    await api.post("/api/channels/imB/toggle", { enabled: false });
    await api.post("/api/channels/imB/toggle", { enabled: true });
    await eventually(async () => expect(await getStatus("imB")).toMatchObject({ connected: false, receives: false }));
    expect((await getStatus("imB"))?.last_error).toContain("staging.example.net");
    const checked = await api.post<Pick<CheckedAccount, "warnings" | "checks">>("/api/channels/imB/check", {});
    expect(checked.warnings?.join()).toContain("staging.example.net");
    expect(checked.checks).toMatchObject([
      { check: "credentials", state: "ok", message: { en: expect.stringContaining("@parley_bot") } },
      { check: "webhook", state: "failed", fix: { en: expect.any(String), zh: expect.any(String) } },
      { check: "permissions" },
    ]);
    // Registering the same address again restores the connection.
    await register();
    await eventually(async () => expect(await getStatus("imB")).toMatchObject({ connected: true, receives: true }));
  });

  test("is connected when its platform sends to the shared address of all channels", async () => {
    platform.useWebhook({ url: "https://bot.example.com/api/gateway/other/webhook" });
    const config = { api_base: platform.address };
    await api.post("/api/channels", { id: "other", name: "Other", type: "imB", transport: "webhook", config });
    await eventually(async () => expect(await getStatus("other")).toMatchObject({ connected: true, receives: true }));
  });

  test("is connected when an update arrives anyway", async () => {
    platform.useWebhook({ url: "https://proxy.example.net/elsewhere" });
    await api.post("/api/channels/imB/toggle", { enabled: false });
    await api.post("/api/channels/imB/toggle", { enabled: true });
    await eventually(async () => expect(await getStatus("imB")).toMatchObject({ connected: false }));
    const update = { update_id: 1, my_chat_member: { chat: { id: 501, type: "private" } } };
    const path = "/api/channels/imB/imB/webhook";
    expect((await post(path, { "x-telegram-bot-api-secret-token": "s3cret" }, update)).status).toBe(200);
    expect(await getStatus("imB")).toMatchObject({ connected: true, receives: true, last_error: null });
  });

  test("without a platform is ready, and connected after a message; rejected requests are shown", async () => {
    await eventually(async () => expect(await getStatus("shop")).toMatchObject({ connected: true, receives: false }));
    const path = "/api/gateway/shop/webhook";
    const body = { message: "hello", user_id: "7", conversation_id: "7", message_id: "1" };
    expect((await post(path, { "x-svc-token": "wrong" }, body)).status).toBe(401);
    const turned = await getStatus("shop");
    expect(turned).toMatchObject({ receives: false, last_rejected_at: expect.any(String), last_inbound_at: null });
    expect((await post(path, { "x-svc-token": "s" }, body)).status).toBe(200);
    expect(await getStatus("shop")).toMatchObject({ receives: true });
  });
});
