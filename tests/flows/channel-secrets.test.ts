import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Channels, fillDetail, Gateway } from "@parley/core";
import { type ImbServer, startImbServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// No environment variable is set: all secrets were entered in the console.

const TOKEN = "42:typed-in-canary";
const SECRET = "typed-in-webhook-secret";

interface Row {
  readonly id: string;
  readonly missing_variables: readonly string[];
  readonly variables: readonly { readonly name: string; readonly source: string | null }[];
  readonly can_check: boolean;
  readonly status: { readonly connected: boolean };
}

let platform: ImbServer;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  platform = await startImbServer({ token: TOKEN });
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const secrets = { IMB_BOT_TOKEN: TOKEN, IMB_WEBHOOK_SECRET: SECRET };
const create = (id: string, more: object = {}) =>
  api.post<Row>("/api/channels/presets/imB", { id, config: { api_base: platform.address }, ...more });
const change = (id: string, body: object) => api.put<Row>(`/api/channels/${id}`, body);
const row = async (id: string) =>
  (await api.get<{ readonly items: readonly Row[] }>("/api/channels?limit=200")).items.find((one) => one.id === id);
const getSources = (one: Row | undefined) =>
  Object.fromEntries((one?.variables ?? []).map(({ name, source }) => [name, source]));
const check = (id: string, body: object = {}) => api.send("POST", `/api/channels/${id}/check`, { body });
const readDataFile = (name: string) => readFile(join(parley.root, "data", name), "utf8");

test("a channel is configured with typed secrets only: it connects, registers, and authenticates its platform", async () => {
  const made = await create("alone", { secrets });
  expect(made.missing_variables).toEqual([]);
  expect(getSources(made)).toEqual({ IMB_BOT_TOKEN: "kept", IMB_WEBHOOK_SECRET: "kept" });
  await eventually(async () => expect((await row("alone"))?.status.connected).toBe(true));
  await api.post("/api/channels/imB/alone/set-webhook", {
    webhook_url: "https://bot.example/api/channels/imB/alone/webhook",
  });
  expect(platform.webhook()?.secret_token).toBe(SECRET);
  const postWebhook = (secret: string) =>
    api.send("POST", "/api/channels/imB/alone/webhook", {
      body: { update_id: 1, channel_post: {} },
      headers: { "x-imb-bot-api-secret-token": secret },
    });
  expect((await postWebhook("guessed")).status).toBe(401);
  expect((await postWebhook(SECRET)).status).toBe(200);
});

test("no answer and no file contains a secret in clear, and the channel's own settings contain none", async () => {
  await create("quiet", { secrets });
  const answers = [await api.send("GET", "/api/channels"), await change("quiet", { description: "x" })];
  expect(JSON.stringify(answers)).not.toContain("canary");
  const [rows, storedSecrets] = await Promise.all([
    readDataFile("channels.json"),
    readDataFile("channel_secrets.json"),
  ]);
  expect(`${rows}${storedSecrets}`).not.toContain("canary");
  expect(rows).not.toContain("sealed");
  expect(storedSecrets).toContain("sealed");
});

test("two bots on one platform have separate tokens under the same name", async () => {
  await create("first", { secrets });
  await create("second", { secrets: { IMB_BOT_TOKEN: "43:another-canary" } });
  const value = (id: string) => parley.host.get(Channels).secret(id, "IMB_BOT_TOKEN");
  expect([value("first"), value("second")]).toEqual([TOKEN, "43:another-canary"]);
});

test("credentials are checked before they are saved, and the platform's answer is shown", async () => {
  await create("checked");
  expect((await row("checked"))?.can_check).toBe(true);
  const unset = await check("checked");
  expect(unset.status).toBe(503);
  expect(unset.text).toContain("IMB_BOT_TOKEN is not set");
  expect(await check("checked", { secrets })).toMatchObject({
    status: 200,
    json: { data: { account: "@parley_bot" } },
  });
  const wrong = await check("checked", { secrets: { ...secrets, IMB_BOT_TOKEN: "42:wrong" } });
  expect(wrong.status).toBe(502);
  expect(wrong.text).toContain("Unauthorized");
  expect(fillDetail(JSON.parse(wrong.headers.get("x-parley-error") ?? "{}"), "zh")).toBe(
    "凭据被拒绝：“getMe: Unauthorized”",
  );
  expect(wrong.text).not.toContain("42:wrong");
  expect(getSources(await row("checked"))).toEqual({ IMB_BOT_TOKEN: null, IMB_WEBHOOK_SECRET: null });
});

test("a stored secret is not used for a changed address, which requires to enter it again", async () => {
  await create("moved", { secrets });
  const otherServer = await startImbServer({ token: TOKEN });
  try {
    const overlaid = await check("moved", { config: { api_base: otherServer.address } });
    expect(overlaid.status).toBe(503);
    const changed = await change("moved", { config: { api_base: otherServer.address } });
    expect(getSources(changed).IMB_BOT_TOKEN).toBeNull();
    expect(otherServer.calls).toEqual([]);
    await change("moved", { config: { api_base: platform.address } });
    expect(getSources(await row("moved")).IMB_BOT_TOKEN).toBeNull();
  } finally {
    await otherServer[Symbol.asyncDispose]();
  }
});

test("removed and renamed secrets, and those of deleted channels, are deleted", async () => {
  await create("gone", { secrets });
  expect(getSources(await change("gone", { secrets: { IMB_WEBHOOK_SECRET: null } }))).toEqual({
    IMB_BOT_TOKEN: "kept",
    IMB_WEBHOOK_SECRET: null,
  });
  await change("gone", { config: { bot_token_env: "OTHER_TOKEN" } });
  expect(getSources(await change("gone", { config: { bot_token_env: "IMB_BOT_TOKEN" } })).IMB_BOT_TOKEN).toBeNull();
  await change("gone", { secrets });
  await api.send("DELETE", "/api/channels/gone");
  expect(getSources(await create("gone"))).toEqual({ IMB_BOT_TOKEN: null, IMB_WEBHOOK_SECRET: null });
});

test.each([
  ["no setting names its variable", { SOME_OTHER: "x" }],
  ["its variable is the service's own", { SVC_SECRET_KEY: "x" }],
  ["it is empty", { IMB_BOT_TOKEN: " " }],
  ["it has a line break in it", { IMB_BOT_TOKEN: "a\ncanary" }],
])("a secret is rejected when %s", async (_name, rejected) => {
  const id = `refused-${Object.keys(rejected)[0]}-${JSON.stringify(rejected).length}`;
  const answer = await api.send("POST", "/api/channels/presets/imB", { body: { id, secrets: rejected } });
  expect(answer.status).toBe(400);
  expect(answer.text).not.toContain("canary");
  expect(await row(id)).toBeUndefined();
});

describe("access lists of a channel", () => {
  let update = 100;
  const say = async (id: string, from: number, chat = from) => {
    const reply = await api.send("POST", `/api/channels/imB/${id}/webhook`, {
      headers: { "x-imb-bot-api-secret-token": SECRET },
      body: {
        update_id: ++update,
        message: {
          message_id: update,
          from: { id: from, first_name: "Lin" },
          chat: { id: chat, type: chat < 0 ? "supergroup" : "private", title: "Cats" },
          text: "/help",
        },
      },
    });
    expect(reply.status).toBe(200);
    await parley.host.get(Gateway).idle();
    return platform.messages.some((one) => one.chat === chat);
  };

  test("admit listed people and groups, and exclude those on the other list", async () => {
    // A channel whose platform sends to another address does not count as connected.
    platform.useWebhook({ url: "https://bot.example/api/channels/imB/guarded/webhook" });
    await create("guarded", { secrets });
    await eventually(async () => expect((await row("guarded"))?.status.connected).toBe(true));
    expect(await say("guarded", 801)).toBe(true);
    await change("guarded", { config: { allow: ["802", "-900", "805"], deny: ["805", "-901"] } });
    await eventually(async () => expect((await row("guarded"))?.status.connected).toBe(true));
    expect(await say("guarded", 803)).toBe(false);
    expect(await say("guarded", 802)).toBe(true);
    expect(await say("guarded", 804, -900)).toBe(true);
    expect(await say("guarded", 805)).toBe(false);
    expect(await say("guarded", 802, -901)).toBe(false);
  });
});
