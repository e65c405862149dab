import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Row {
  readonly id: string;
  readonly config: {
    readonly auth: { readonly type: string; readonly secret_env: string };
    readonly outbound_url: string;
  };
  readonly missing_variables: readonly string[];
  readonly status: { readonly last_error: string | null };
}

describe("a new channel with the generic protocol", () => {
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    parley = await startParley();
    api = await parley.signIn();
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  const create = (id: string, config: object = {}) => api.post<Row>("/api/channels", { id, name: id, config });
  const row = async (id: string) =>
    (await api.get<{ readonly items: readonly Row[] }>("/api/channels?limit=200")).items.find((one) => one.id === id);
  const post = (id: string) =>
    fetch(`${parley.address}/api/gateway/${id}/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-token": "" },
      body: JSON.stringify({ user_id: "u", content: "hello" }),
    });

  test("starts with a required secret, rejects everything until it is set, and shows that", async () => {
    const made = await create("new-one");
    expect(made.config.auth).toEqual({ type: "static", secret_env: "SVC_WEBHOOK_SECRET_NEW_ONE" });
    await eventually(async () => {
      const shown = await row("new-one");
      expect(shown?.missing_variables).toEqual(["SVC_WEBHOOK_SECRET_NEW_ONE"]);
      expect(shown?.status.last_error).toContain("SVC_WEBHOOK_SECRET_NEW_ONE");
    });
    expect((await post("new-one")).status).toBe(401);
  });

  test("is not opened by removing the setting, nor by naming a secret without a check", async () => {
    await create("reset", { auth: { type: "none" } });
    const again = await api.put<Row>("/api/channels/reset", { config: { auth: null } });
    expect(again.config.auth.type).toBe("static");
    const named = await create("named", { auth: { secret_env: "SVC_WEBHOOK_X" } });
    expect(named.config.auth).toEqual({ type: "static", secret_env: "SVC_WEBHOOK_X" });
  });

  test("may be opened explicitly", async () => {
    expect((await create("public", { auth: { type: "none" } })).config.auth.type).toBe("none");
  });

  test.each([
    ["http://receiver.example/hook", 400],
    ["http://10.0.0.7/hook", 400],
    ["http://127.0.0.1.evil.example/hook", 400],
    ["http://127.0.0.1:9/hook", 200],
    ["http://localhost:9/hook", 200],
    ["https://receiver.example/hook", 200],
  ])("posts its answers to %s: %i", async (outbound_url, status) => {
    const body = { name: "out", config: { outbound_url } };
    expect((await api.send("POST", "/api/channels", { body })).status).toBe(status);
  });
});
