import { createHash, type Hash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const MEBIBYTE = 1024 * 1024;
/** Size and number of files in each direction; for larger ones set `PARLEY_LARGE_MB=1000 PARLEY_LARGE_FILES=2`. */
const SIZE_MB = Number(process.env.PARLEY_LARGE_MB ?? 256);
const FILES = Number(process.env.PARLEY_LARGE_FILES ?? 1);
/** Maximum memory growth of the service, for any file size. */
const MAY_GROW_MB = 100;

describe.runIf(existsSync("/proc/self/clear_refs"))("a large file", () => {
  let root: string;
  let service: ParleyProcess;
  let api: Client;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-large-"));
    service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", {
      username: "admin",
      password: "correct horse",
    });
    api = open.as(token);
    await api.put("/api/settings", { files: { max_upload_mb: 1_024 } });
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const memory = (name: "VmRSS" | "VmHWM") => {
    const [, kilobytes] =
      new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${service.child.pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };

  test("is uploaded and downloaded unchanged, with little more memory in the service", {
    timeout: 600_000,
  }, async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const folder = `${service.address}/api/sessions/${id}/workspace`;
    const authorization = `Bearer ${api.token}`;
    await fetch(`${folder}/upload`, upload("warm.bin", 1, createHash("sha256"), authorization));
    // Resets the peak memory counter.
    writeFileSync(`/proc/${service.child.pid}/clear_refs`, "5");
    const before = memory("VmRSS");
    for (let file = 0; file < FILES; file += 1) {
      const sent = createHash("sha256");
      const answer = await fetch(`${folder}/upload`, upload(`large-${file}.bin`, SIZE_MB, sent, authorization));
      expect(answer.status).toBe(200);
      const got = createHash("sha256");
      let bytes = 0;
      const download = await fetch(`${folder}/files/large-${file}.bin`, { headers: { authorization } });
      for await (const chunk of download.body ?? []) {
        bytes += chunk.length;
        got.update(chunk);
      }
      expect(bytes).toBe(SIZE_MB * MEBIBYTE);
      expect(got.digest("hex")).toBe(sent.digest("hex"));
    }
    const most = memory("VmHWM");
    expect(most - before, `MiB over ${before} before`).toBeLessThan(MAY_GROW_MB);
    if (process.env.PARLEY_LARGE_MB) process.stderr.write(`${before} MiB before, ${most} MiB at most\n`);
  });
});

/** Builds a request with one file that is generated while it is sent. */
function upload(name: string, sizeMb: number, hash: Hash, authorization: string): RequestInit {
  const head = `--part\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  async function* form() {
    yield Buffer.from(head);
    const chunk = Buffer.alloc(MEBIBYTE, name);
    for (let at = 0; at < sizeMb; at += 1) {
      chunk.writeUInt32BE(at);
      hash.update(chunk);
      yield Buffer.from(chunk);
    }
    yield Buffer.from("\r\n--part--\r\n");
  }
  const headers = { authorization, "content-type": "multipart/form-data; boundary=part" };
  return { method: "POST", headers, body: ReadableStream.from(form()), duplex: "half" } as RequestInit;
}
