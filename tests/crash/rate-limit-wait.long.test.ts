import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ImbServer, startImbServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const GROUPS = 6;
const MESSAGES = 5;
const AT_ONCE = 3;
const env = { SVC_ADMIN_PASSWORD: "correct horse", IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "sesame" };

let root: string;
let platform: ImbServer;

beforeAll(async () => {
  platform = await startImbServer();
  root = mkdtempSync(join(tmpdir(), "parley-pace-"));
  const limits = ["user", "conversation", "channel"].map((one) => `limit_${one}_per_minute = 0`).join("\n");
  writeFileSync(join(root, "config.ini"), `[log]\nlevel = warn\n\n[plugin.gateway]\n${limits}\n`);
});
afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

interface Broadcast {
  readonly id: string;
  readonly counts: Readonly<Record<"waiting" | "sent" | "delivered" | "failed", number>>;
}
interface Row {
  readonly status: string;
}

async function signIn({ address }: ParleyProcess): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: "correct horse" });
  return open.as(token);
}
const statuses = async (api: Client) =>
  (await api.get<{ readonly items: readonly Row[] }>("/api/gateway/deliveries?limit=500")).items.map(
    ({ status }) => status,
  );
const count = (all: readonly string[], wanted: string) => all.filter((one) => one === wanted).length;

const NEWS = "We are closed on Friday.";

test("messages that wait for the platform's rate limit during a kill have no unknown outcome, and are sent once", async () => {
  const dying = await startProcess({ root, env });
  onTestFinished(() => void dying.child.kill("SIGKILL"));
  const api = await signIn(dying);
  await api.post("/api/channels/presets/imB", {
    config: { api_base: platform.address, group_trigger: "all", burst: "off" },
  });
  await eventually(async () => expect((await api.send("GET", "/api/channels")).text).toContain('"connected":true'));
  const all = Array.from({ length: GROUPS * MESSAGES }, (_, index) => index + 1);
  await Promise.all(
    all.map(async (n) => {
      const message = {
        message_id: n,
        from: { id: 500 + n, first_name: "Lin" },
        chat: { id: -(1 + (n % GROUPS)), type: "group", title: "Cats" },
        text: `line ${n}`,
      };
      const headers = { "x-imb-bot-api-secret-token": "sesame" };
      const body = { update_id: n, message };
      // Like the platform, sends an update again that a busy service rejected.
      const post = () => api.send("POST", "/api/channels/imB/imB/webhook", { token: "", body, headers });
      await eventually(async () => expect((await post()).status).toBe(200));
    }),
  );
  await eventually(async () => expect(await statuses(api)).toHaveLength(all.length));
  const news = { text: NEWS, audience: { channel_ids: ["imB"] }, expected: GROUPS, per_minute: 60 };
  const { id } = await api.post<Broadcast>("/api/broadcasts", news);
  // Each group has received its burst; the next messages wait, also the last one of the broadcast, and no request is in progress.
  await eventually(async () => {
    const before = platform.messages.length;
    const { counts } = await api.get<Broadcast>(`/api/broadcasts/${id}`);
    expect(counts).toMatchObject({ waiting: 1, sent: GROUPS - 1 });
    expect(before).toBeGreaterThanOrEqual(GROUPS * AT_ONCE);
    const stored = await statuses(api);
    expect(stored).toHaveLength(all.length + counts.sent);
    expect(count(stored, "delivered")).toBe(before);
    expect(count(stored, "pending")).toBeGreaterThanOrEqual(GROUPS);
    expect(count(stored, "sending") + count(stored, "unknown_after_send")).toBe(0);
  });
  dying.child.kill("SIGKILL");
  await dying.ended;

  const living = await startProcess({ root, env });
  onTestFinished(() => void living.child.kill("SIGKILL"));
  const again = await signIn(living);
  await eventually(async () => expect(count(await statuses(again), "delivered")).toBe(all.length + GROUPS));
  await eventually(async () =>
    expect(await again.get<Broadcast>(`/api/broadcasts/${id}`)).toMatchObject({
      state: "done",
      counts: { waiting: 0, sent: 0, delivered: GROUPS, failed: 0 },
    }),
  );
  expect(new Set(platform.messages.filter(({ text }) => text === NEWS).map(({ chat }) => chat)).size).toBe(GROUPS);
  const { items: dead } = await again.get<{ readonly items: readonly object[] }>("/api/gateway/dead-letters");
  expect(dead).toEqual([]);
  expect(new Set(platform.messages.map(({ chat, text }) => `${chat} ${text}`)).size).toBe(all.length + GROUPS);
  expect(platform.messages).toHaveLength(all.length + GROUPS);
  expect(await living.stop()).toBe(0);
}, 60_000);
