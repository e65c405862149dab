import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toBucketConfig } from "../harness/chosen-files.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, runParley, startProcess } from "../harness/process.ts";
import { hasS3Server, S3_ENV, type S3Server, startS3Server } from "../harness/servers/s3-server.ts";

if (!hasS3Server) {
  const packages = "swift-proxy swift-account swift-container swift-object";
  process.stderr.write(`kills with files in a bucket: skipped, Swift is not installed (apt-get install ${packages})\n`);
}

const MEBIBYTE = 1024 * 1024;
const PASSWORD = "correct horse";
/** Size of the large file; `PARLEY_LARGE_MB=1000` makes it larger. */
const SIZE_MB = Number(process.env.PARLEY_LARGE_MB ?? 64);
/** Maximum memory growth for any file size, less than the file. */
const MAY_GROW_MB = 60;

/** Starts a proxy to the S3 server, by which a test can act after an object is stored and before the response is sent. */
async function startBetween(target: string) {
  const between = { endpoint: "", stored: undefined as (() => void) | undefined };
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onward = send(target, { method, path, headers }, (answer) => {
      if (method === "PUT" && between.stored) return between.stored();
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  between.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(between, {
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}

describe.skipIf(!hasS3Server)("a process with files in a bucket", () => {
  let root: string;
  let server: S3Server;
  let bucket: string;
  let between: Awaited<ReturnType<typeof startBetween>>;
  let service: ParleyProcess;
  let api: Client;

  const start = async () => {
    service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD, ...S3_ENV } });
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
    api = open.as(token);
  };
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-bucket-"));
    server = await startS3Server();
    bucket = await server.makeBucket();
    between = await startBetween(server.endpoint);
    writeFileSync(join(root, "config.ini"), `[log]\nlevel = error\n${toBucketConfig(between.endpoint, bucket)}`);
    await start();
  });
  afterAll(async () => {
    await service?.stop();
    between?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  const upload = async (content: string | Blob, name: string) => {
    const body = new FormData();
    body.append("file", new File([content], name));
    const headers = { authorization: `Bearer ${api.token}` };
    const answer = await fetch(`${service.address}/api/upload`, { method: "POST", body, headers });
    return ((await answer.json()) as { data: { url: string; sha256: string } }).data;
  };
  const memory = (name: "VmRSS" | "VmHWM") => {
    const status = readFileSync(`/proc/${service.child.pid}/status`, "utf8");
    return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  };

  test.runIf(existsSync("/proc/self/clear_refs"))(
    "uses little memory while a large file is uploaded and downloaded",
    {
      timeout: 600_000,
    },
    async () => {
      await api.put("/api/settings", { files: { max_upload_mb: 1_024 } });
      await upload("warm", "warm.txt");
      writeFileSync(`/proc/${service.child.pid}/clear_refs`, "5");
      const before = memory("VmRSS");
      const chunk = Buffer.alloc(MEBIBYTE, "parley");
      const { url, sha256 } = await upload(new Blob(Array.from({ length: SIZE_MB }, () => chunk)), "large.bin");
      const got = createHash("sha256");
      const headers = { authorization: `Bearer ${api.token}` };
      for await (const some of (await fetch(service.address + url, { headers })).body ?? []) got.update(some);
      expect(got.digest("hex")).toBe(sha256);
      const last = (SIZE_MB - 1) * MEBIBYTE;
      const part = await fetch(service.address + url, { headers: { ...headers, range: `bytes=${last}-${last + 5}` } });
      expect([part.status, await part.text()]).toEqual([206, "parley"]);
      const most = memory("VmHWM");
      expect(most - before, `MiB over ${before} before`).toBeLessThan(MAY_GROW_MB);
      if (process.env.PARLEY_LARGE_MB) process.stderr.write(`${before} MiB before, ${most} MiB at most\n`);
    },
  );

  test("that is killed between an object and its row has no row of it, and continues", async () => {
    const { total } = await api.get<{ total: number }>("/api/files");
    const objects = async () => (await (await server.ask("GET", `${bucket}?list-type=2`)).text()).split("<Key>").length;
    const before = await objects();
    between.stored = () => void service.child.kill("SIGKILL");
    await expect(upload("killed", "killed.txt")).rejects.toThrow();
    expect(await service.ended).toBe("SIGKILL");
    between.stored = undefined;
    expect(await objects()).toBe(before + 1);
    await start();
    expect(await api.get("/api/files")).toMatchObject({ total });
    const left = readdirSync(join(root, "data", "files", "_meta")).filter((name) => /^part_/.test(name));
    expect(left).toEqual([]);
    expect((await api.send("GET", (await upload("next", "next.txt")).url)).text).toBe("next");
  });

  test("is not required to check the bucket, because the doctor does", async () => {
    const examined = async (name: string) => {
      const own = join(root, name);
      mkdirSync(own);
      writeFileSync(join(own, "config.ini"), toBucketConfig(server.endpoint, name));
      const child = runParley({ root: own, args: ["doctor", "--json"], env: S3_ENV });
      if (!child.stdout) throw new Error("no stdout");
      const { findings } = JSON.parse(await text(child.stdout)) as { findings: readonly { about: string }[] };
      return findings.find(({ about }) => about === "s3");
    };
    const [there, missing] = await Promise.all([examined(bucket), examined("not-there")]);
    expect(there).toMatchObject({ level: "ok" });
    expect(missing).toMatchObject({ level: "problem", said: expect.stringContaining("the bucket 'not-there'") });
  });
});
