// Compares durable ingest (stored and flushed before the answer) to a bare hapi + joi route that stores nothing.
// node --conditions=@parley/source tests/bench/ingest.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelServer } from "@parley/simulators";
import { createClient } from "../harness/http/client.ts";
import { startProcess } from "../harness/process.ts";
import { measure } from "./rate.ts";

// All of them wait for the hanging model; the count stays below the limit of the gateway's queue.
const REQUESTS = 5_000;
const CONNECTIONS = 32;
const USERS = 500;
const PASSWORD = "correct horse";

const bare = await startBare();
const parley = await startParley();
try {
  const body = (n: number) => JSON.stringify({ user: `u${n % USERS}`, id: `m${n}`, text: `message number ${n}` });
  const load = { body, connections: CONNECTIONS };
  await measure({ ...load, requests: REQUESTS / 2, url: `${bare.address}/ingest` });
  const reference = await measure({ ...load, requests: REQUESTS, url: `${bare.address}/ingest` });
  const at = (start: number) => ({
    ...load,
    url: `${parley.address}/bench/ingest`,
    body: (n: number) => body(n + start),
  });
  await measure({ ...at(1_000_000), requests: REQUESTS / 2 });
  const durable = await measure({ ...at(2_000_000), requests: REQUESTS });
  const paced = await measure({ ...at(3_000_000), requests: 900, pace: 300 });
  console.log(`bare hapi + joi:  ${reference.perSecond.toFixed(0)}/s, p99 ${reference.p99Ms.toFixed(1)} ms`);
  console.log(`durable ingest:   ${durable.perSecond.toFixed(0)}/s, p99 ${durable.p99Ms.toFixed(1)} ms`);
  console.log(`ratio:            ${(durable.perSecond / reference.perSecond).toFixed(2)} (budget 0.6)`);
  console.log(`at 300/s:         p99 ${paced.p99Ms.toFixed(1)} ms while the model hangs (budget 50 ms)`);
} finally {
  await parley.stop();
  await bare.stop();
}

async function startBare() {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-hapi.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return {
    address: String(line).trim(),
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

async function startParley() {
  const models = await startModelServer();
  models.script.push(...Array.from({ length: 64 }, () => ({ kind: "hang" }) as const));
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const plugin = join(import.meta.dirname, "ingest-plugin.ts");
  writeFileSync(
    join(root, "config.ini"),
    `[plugins]\nbench-ingest = ${plugin}\n[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_conversation_per_minute = 0\nlimit_channel_per_minute = 0\n[log]\nlevel = error\n`,
  );
  const service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  const api = open.as(token);
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: "hangs",
    model: "m",
    base_url: models.baseUrl,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
  return {
    address: service.address,
    async stop() {
      service.child.kill("SIGKILL");
      await service.ended;
      await models[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
