import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { attackGroup } from "./attack-group.ts";

/** Secrets that must not appear anywhere, by the setting or variable that contains them. */
const PLANTED: Readonly<Record<string, string>> = {
  SVC_ADMIN_PASSWORD: "CANARY-admin-password-1",
  OPENAI_API_KEY: "sk-CANARYopenai2222222222222222",
  ANTHROPIC_API_KEY: "sk-ant-CANARY3333333333333333333",
  IMB_BOT_TOKEN: "123456789:CANARYimbtoken4444444444444444444",
  IMB_WEBHOOK_SECRET: "CANARY-imb-webhook-5555",
  IMC_APP_SECRET: "CANARY-imc-app-6666666666666666",
  IMC_VERIFICATION_TOKEN: "CANARY-imc-verify-77777777",
  IMA_ACCESS_TOKEN: "CANARY-ima-token-888888888",
  GENERIC_SECRET: "CANARY-generic-secret-9999",
  AWS_SECRET_ACCESS_KEY: "CANARYaws0000000000000000000000000000",
  DATABASE_URL: "postgres://user:CANARYdatabase@db.example/x",
};
const STORED_KEY = "sk-CANARYstoredAAAAAAAAAAAAAAAAAAAA";
const ALL = [...Object.values(PLANTED), STORED_KEY, "CANARY"];

let root: string;
let parley: ParleyProcess;
let models: ModelServer;
let api: Client;
const credentials: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-secrets-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = debug\nformat = json\n");
  models = await startModelServer();
  parley = await startProcess({ root, env: PLANTED });
  const open = createClient(parley.address, "");
  const body = { username: "admin", password: PLANTED.SVC_ADMIN_PASSWORD };
  const { token } = await open.post<{ token: string }>("/api/login", body);
  api = open.as(token);
  credentials.push(token);
  await useEverything();
}, 60_000);

afterAll(async () => {
  await parley.stop();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

/** Uses each secret for its purpose, also where a provider repeats it in its answer. */
async function useEverything(): Promise<void> {
  const model = { name: "keyed", model: "m", base_url: models.baseUrl, api_key: STORED_KEY };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  for (const path of ["test", "apply"]) await api.post(`/api/ai-models/${id}/${path}`, {});
  models.script.push({ kind: "status", status: 401, message: `Incorrect API key provided: ${STORED_KEY}` });
  await api.post(`/api/ai-models/${id}/test`, {});
  models.script.push({ kind: "text", text: `You called with ${STORED_KEY}.` });
  expectClean(JSON.stringify(await api.post(`/api/ai-models/${id}/test`, {})));
  await api.put("/api/ai-config", { base_url: models.baseUrl, model: "m", api_key: STORED_KEY });
  const session = await api.post<{ id: string }>("/api/sessions", { model_id: id });
  models.script.push({ kind: "status", status: 401, message: `Incorrect API key provided: ${STORED_KEY}` });
  await api.send("POST", `/api/sessions/${session.id}/chat`, { body: { content: "hello" } });
  for (const preset of ["imB", "imC", "imC_ws"]) {
    await api.post(`/api/channels/presets/${preset}`, { config: { api_base: "http://127.0.0.1:9" } });
  }
  const custom = { name: "generic", config: { auth: "hmac", secret_env: "GENERIC_SECRET" } };
  await api.send("POST", "/api/channels", { body: custom });
  const login = { username: "admin\r\nlevel=error forged", password: PLANTED.SVC_ADMIN_PASSWORD };
  await api.send("POST", "/api/login", { body: login, token: "" });
  // The password typed into the user name field.
  const early = { username: PLANTED.SVC_ADMIN_PASSWORD, password: "x" };
  await api.send("POST", "/api/login", { body: early, token: "" });
  await api.send("POST", "/api/login?password=wrong", {
    body: { username: "admin", password: "CANARY-typed" },
    token: "",
  });
  const key = await api.post<{ secret: string }>("/api/api-keys", { name: "made", scopes: ["admin"] });
  credentials.push(key.secret);
  await api.send("GET", "/api/settings", { token: key.secret });
  await api.send("GET", "/api/sessions", { token: `${key.secret}x`, query: { token: key.secret } });
  await api.post("/api/logs", { message: "line one\nline two\u001b[2J", source: "a\nb" });
}

/** Returns the paths of all routes that can be read without knowing an id. */
async function listReadablePaths(): Promise<readonly string[]> {
  const answer = await api.send("GET", "/api/openapi.json");
  const { paths } = JSON.parse(answer.text) as { paths: Readonly<Record<string, object>> };
  const lists = Object.entries(paths).filter(([path, methods]) => "get" in methods && !path.includes("{"));
  const first = async (list: string) =>
    (await api.get<{ items: readonly { id: string }[] }>(list)).items.map(({ id }) => `${list}/${id}`);
  const records = await Promise.all(["/api/sessions", "/api/api-keys"].map(first));
  const sessions = (records[0] ?? []).flatMap((path) => [`${path}/messages`, `${path}/debug`, `${path}/export`]);
  return [...lists.map(([path]) => path), ...records.flat(), ...sessions];
}

const expectClean = (text: string) =>
  expect([...ALL, ...credentials].filter((word) => text.includes(word))).toEqual([]);

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

attackGroup("planted secrets", () => [
  [
    "in what any row shows an administrator",
    async () => {
      for (const path of await listReadablePaths()) {
        expectClean((await api.send("GET", path)).text);
      }
    },
  ],
  [
    "in files of the data folder",
    async () => {
      for (const file of listFiles(join(root, "data"))) expectClean(readFileSync(file, "latin1"));
    },
  ],
  ["on stdout and stderr", async () => expectClean(parley.output())],
  [
    "in an answer that failed",
    async () => {
      const model = { name: "broken", model: "m", base_url: `http://127.0.0.1:9/${STORED_KEY}`, api_key: STORED_KEY };
      const answer = await api.send("POST", "/api/ai-models", {
        body: { ...model, base_url: models.baseUrl, purpose: "x" },
      });
      expectClean(answer.text);
    },
  ],
  [
    "in files that others of this machine may read",
    async () => {
      const readable = [join(root, "data"), ...listFiles(join(root, "data"))].filter(
        (file) => statSync(file).mode & 0o077,
      );
      const isShut = (statSync(join(root, "data")).mode & 0o077) === 0;
      expect(isShut ? [] : readable.map((file) => file.slice(root.length))).toEqual([]);
    },
  ],
  [
    "a line of the log that a stranger made up",
    async () => {
      await eventually(() => expect(readLogLines().join("\n")).toContain("line two"));
      for (const line of readLogLines()) expect(line).toMatch(/^\{.*\}$/);
    },
  ],
]);

function readLogLines(): readonly string[] {
  const folder = join(root, "data", "logs");
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return files.join("\n").split("\n").filter(Boolean);
}
