import { Channels, Gateway } from "@parley/core";
import { type Receiver, startReceiver } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Result {
  readonly trace_id: string;
  readonly status: string;
  readonly data: { readonly response_content: string; readonly delivery_id: string | null } | null;
}

describe("a channel that returns the answer in its response", () => {
  let receiver: Receiver;
  let parley: Parley;
  let api: Client;
  let before = 0;

  beforeAll(async () => {
    receiver = await startReceiver();
    parley = await startParley({ env: { WORD: "sesame" } });
    api = await parley.signIn();
    await make("posting", { outbound_url: receiver.address });
    await make("silent", {});
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    before = receiver.posts.length;
  });

  async function make(id: string, config: object): Promise<void> {
    const auth = { type: "static", secret_env: "WORD" };
    await api.post("/api/channels", { id, name: id, config: { auth, reply_mode: "sync", ...config } });
    await vi.waitFor(() => expect(parley.host.get(Channels).link(id)).toBeDefined());
  }
  const ask = async (id: string, user: string, message = user) => {
    const answer = await api.send("POST", `/api/gateway/${id}/webhook`, {
      token: "",
      headers: { "x-svc-token": "sesame" },
      body: { message_id: message, user_id: user, content: "hello" },
    });
    return answer.json as unknown as Result;
  };
  const deadLetters = async () =>
    (await api.get<{ readonly items: readonly unknown[] }>("/api/gateway/dead-letters")).items;
  const listEvents = async (trace: string) =>
    (await api.get<{ readonly items: readonly { readonly status: string }[] }>(`/api/gateway/events/${trace}`)).items;

  test("returns it once, without posting it as well", async () => {
    const answers = await Promise.all(["a", "b", "c", "d"].map((user) => ask("posting", user)));
    for (const { status, data } of answers) {
      expect(status).toBe("built");
      expect(data?.response_content).not.toBe("");
      expect(data?.delivery_id).toMatch(/^dlv_/);
    }
    await parley.host.get(Gateway).idle();
    expect(receiver.posts.length).toBe(before);
    const statuses = (await listEvents(answers[0]?.trace_id ?? "")).map(({ status }) => status);
    expect(statuses).toContain("built");
    expect(statuses).not.toContain("delivered");
  });

  test("creates no dead letter, though it has no address for answers", async () => {
    const answers = await Promise.all(["a", "b", "c", "d"].map((user) => ask("silent", user)));
    for (const { status } of answers) expect(status).toBe("built");
    await parley.host.get(Gateway).idle();
    expect(await deadLetters()).toEqual([]);
  });

  test("returns the stored answer to a repeat, and still does not post it", async () => {
    const first = await ask("posting", "e");
    const again = await ask("posting", "e");
    expect(again.data).toEqual(first.data);
    await parley.host.get(Gateway).idle();
    expect(receiver.posts.length).toBe(before);
  });
});
