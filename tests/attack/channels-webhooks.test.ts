import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

describe("wrong webhooks", () => {
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    parley = await startParley({ env: { WORD: "sesame" } });
    api = await parley.signIn();
    for (const id of ["guessed", "quiet", "off", "noted"]) {
      const config = { auth: { type: "static", secret_env: "WORD" } };
      await api.post("/api/channels", { id, name: id, config, enabled: id !== "off" });
    }
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  let count = 0;
  const post = (channel: string, secret = "sesame", headers: Readonly<Record<string, string>> = {}, body?: string) => {
    count += 1;
    return fetch(`${parley.address}/api/gateway/${channel}/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-token": secret, ...headers },
      body: body ?? JSON.stringify({ message_id: `m${count}`, user_id: `u${count}`, content: "hello" }),
    });
  };

  test("of one channel block neither its right secret nor another channel from the same address", async () => {
    for (let n = 0; n < 25; n += 1) await post("guessed", "wrong");
    expect((await post("guessed", "wrong")).status).toBe(429);
    expect((await post("guessed")).status).toBe(200);
    expect((await post("quiet", "wrong")).status).toBe(401);
    expect((await post("quiet")).status).toBe(200);
  });

  test.each([
    ["a wrong secret", "noted", "wrong", undefined, 401, "auth_failed"],
    ["a body that is no JSON", "noted", "sesame", "{", 400, "parse_failed"],
    ["a channel that is switched off", "off", "sesame", undefined, 403, "disabled_channel"],
    ["a channel that does not exist", "nobody", "sesame", undefined, 404, "unknown_channel"],
  ])("in the log has the trace of the rejection: %s", async (_what, id, secret, body, code, status) => {
    const answer = await post(id, secret, {}, body);
    expect(answer.status).toBe(code);
    const trace = answer.headers.get("x-trace-id") ?? "";
    expect(trace).toMatch(/^gw_\d{8}_\d{6}_[0-9a-f]{8}$/);
    await eventually(async () => {
      const { items } = await api.get<{ readonly items: readonly object[] }>(`/api/gateway/events/${trace}`);
      expect(items).toMatchObject([{ status }]);
      expect(JSON.stringify(items)).not.toContain("sesame");
    });
  });
});
