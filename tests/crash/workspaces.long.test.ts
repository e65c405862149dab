import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";
const MEBIBYTE = 1024 * 1024;
const HEAD = '--part\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n';
const TAIL = "\r\n--part--\r\n";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-workspaces-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const start = () => startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
const parts = () => readdirSync(join(root, "data", "workspaces", "_meta", "parts"));

async function signIn({ address }: ParleyProcess): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}

/** Uploads `size` MiB; before the end it waits for `waits`, if given. */
function upload({ address, token }: Client, size: number, waits?: Promise<unknown>): Promise<Response> {
  const chunk = new Uint8Array(MEBIBYTE);
  async function* body() {
    yield Buffer.from(HEAD);
    for (let sent = 0; sent < size; sent += 1) yield chunk;
    await waits;
    yield Buffer.from(TAIL);
  }
  return fetch(`${address}/api/workspace/shared/upload`, {
    method: "POST",
    body: ReadableStream.from(body()),
    duplex: "half",
    headers: { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=part" },
  } as RequestInit);
}

test("an upload interrupted by a kill leaves nothing", async () => {
  const running = await start();
  const hanging = Promise.withResolvers<void>();
  const sent = upload(await signIn(running), 4, hanging.promise).catch((error: Error) => error);
  await eventually(() => expect(parts()).toHaveLength(1));
  running.child.kill("SIGKILL");
  expect(await running.ended).toBe("SIGKILL");
  hanging.resolve();
  expect(await sent).toBeInstanceOf(Error);
  expect(parts()).toHaveLength(1);
  const again = await start();
  expect(parts()).toEqual([]);
  expect(await (await signIn(again)).get("/api/workspace/shared/files")).toMatchObject({ total: 0 });
  await again.stop();
}, 120_000);

const MEMORY_MB = Number(process.env.PARLEY_UPLOAD_MB ?? 256);

test.runIf(process.env.PARLEY_LONG === "1")(
  "a large file is uploaded and downloaded with constant memory",
  async () => {
    const running = await start();
    const api = await signIn(running);
    await api.put("/api/settings", { files: { max_upload_mb: 1024 } });
    const peak = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, "utf8"))?.[1]) / 1024;
    await upload(api, 1);
    const before = peak();
    expect((await upload(api, MEMORY_MB)).status).toBe(200);
    const { address, token } = api;
    const answer = await fetch(`${address}/api/workspace/shared/files/large_1.bin`, {
      headers: { authorization: `Bearer ${token}` },
    });
    let received = 0;
    for await (const chunk of answer.body ?? []) received += chunk.length;
    expect(received).toBe(MEMORY_MB * MEBIBYTE);
    process.stdout.write(`${MEMORY_MB} MB up and down: ${Math.round(peak() - before)} MB more memory at the peak\n`);
    expect(peak() - before).toBeLessThan(96);
    await running.stop();
  },
  600_000,
);
