import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ImbMessage, type ImbServer, startImbServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { startProcess } from "../harness/process.ts";

/** Places where the process may die between a press and the end of its turn. */
const POINTS = ["recorded", "committed-inbox", "leased", "reply-recorded"] as const;
const PASSWORD = "correct horse";
const FIRST_CHAT = 100;

let root: string;
let platform: ImbServer;

beforeAll(async () => {
  platform = await startImbServer();
  root = mkdtempSync(join(tmpdir(), "parley-presses-"));
  const pressing = join(dirname(import.meta.filename), "pressing-plugin.ts");
  writeFileSync(join(root, "config.ini"), `[plugins]\npressing = ${pressing}\n\n[log]\nlevel = warn\n`);
});
afterAll(async () => {
  await platform[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const setFailPoint = (point: string) => writeFileSync(join(root, "failpoint"), point);

async function start() {
  setFailPoint("");
  const tokens = { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "sesame" };
  const points = { SVC_TEST: "1", SVC_FAILPOINT: `file:${join(root, "failpoint")}` };
  const service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD, ...tokens, ...points } });
  onTestFinished(() => void service.child.kill("SIGKILL"));
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return { service, api: open.as(token) };
}

async function connect(api: Client): Promise<void> {
  await api.post("/api/channels/presets/imB", { transport: "webhook", config: { api_base: platform.address } });
  await eventually(async () => expect((await api.send("GET", "/api/channels")).text).toContain('"connected":true'));
}

function post(api: Client, body: object) {
  const headers = { "x-imb-bot-api-secret-token": "sesame" };
  return api.send("POST", "/api/channels/imB/imB/webhook", { token: "", body, headers });
}

async function offer(api: Client, chat: number): Promise<ImbMessage> {
  const from = { id: chat, first_name: "Lin" };
  const message = { message_id: chat, from, chat: { id: chat, type: "private" }, text: "/offer" };
  expect(await post(api, { update_id: chat, message })).toMatchObject({ status: 200 });
  return platform.seen((one) => one.chat === chat && one.text === "Yes or no?");
}

const listAnswers = (chat: number) =>
  platform.messages.filter((one) => one.chat === chat && one.text.startsWith("You chose")).map(({ text }) => text);

test("a press acts once, wherever the process is killed after it", async () => {
  const presses: { readonly chat: number; readonly asked: ImbMessage; readonly update: object }[] = [];
  for (const [at, point] of POINTS.entries()) {
    const { service, api } = await start();
    if (at === 0) await connect(api);
    const last = presses.at(-1);
    // The platform repeats what was not acknowledged.
    if (last) expect(await post(api, last.update)).toMatchObject({ status: 200 });
    const chat = FIRST_CHAT + at;
    const asked = await offer(api, chat);
    const update = platform.toPress(asked, "Yes");
    presses.push({ chat, asked, update });
    setFailPoint(point);
    post(api, update).catch(() => undefined);
    expect(await service.ended, point).toBe("SIGKILL");
  }
  const { api } = await start();
  for (const { update } of presses) expect(await post(api, update)).toMatchObject({ status: 200 });
  await eventually(() =>
    expect(presses.map(({ chat }) => listAnswers(chat))).toEqual(POINTS.map(() => ["You chose yes."])),
  );
  // Pressed again after the end, and by its other button.
  for (const { asked } of presses)
    for (const label of ["Yes", "No"])
      expect(await post(api, platform.toPress(asked, label))).toMatchObject({ status: 200 });
  const counts = Object.fromEntries(presses.map(({ chat }) => [`imB:${chat}`, 1]));
  expect(await api.get("/api/pressed")).toEqual(counts);
  expect(presses.map(({ chat }) => listAnswers(chat).length)).toEqual(POINTS.map(() => 1));
}, 180_000);
