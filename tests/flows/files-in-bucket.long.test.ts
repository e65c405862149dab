import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobStore, Databases, HostControl, type Job } from "@parley/core";
import { blobStoreContract, createTestClock } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBackup, runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { createFileStore } from "../../plugins/files/src/store/file-store.ts";
import { createSignedLinks } from "../../plugins/files/src/store/signed-links.ts";
import { setFilesEndpoint, toBucketConfig } from "../harness/chosen-files.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { hasS3Server, S3_ENV, type S3Server, startS3Server } from "../harness/servers/s3-server.ts";

const HOUR_MS = 3_600_000;

if (!hasS3Server) {
  const packages = "swift-proxy swift-account swift-container swift-object";
  process.stderr.write(`files in a bucket: skipped, Swift is not installed (apt-get install ${packages})\n`);
}

interface Uploaded {
  readonly url: string;
  readonly safe_name: string;
  readonly sha256: string;
}

async function upload({ address, token }: Client, content: string | Blob, name: string) {
  const body = new FormData();
  body.append("file", new File([content], name));
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}/api/upload`, { method: "POST", body, headers });
  const { data, code } = (await answer.json()) as { data?: Uploaded; code?: string };
  return { status: answer.status, retry: answer.headers.get("retry-after"), code, url: data?.url ?? "", ...data };
}

const getJobs = async (api: Client, kind: string) =>
  (await api.get<{ items: readonly Job[] }>(`/api/jobs?kind=${kind}`)).items;
const getState = async (api: Client) => {
  const status = await api.get<{ components: readonly { name: string; state: string; error: string | null }[] }>(
    "/api/startup-status",
  );
  return status.components.find(({ name }) => name === "s3");
};

describe.skipIf(!hasS3Server)("files in a bucket", async () => {
  let server: S3Server;
  let root: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-bucket-"));
    server = await startS3Server();
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });
  const listBucket = async (bucket: string, prefix = "parley/") => {
    const listed = await (await server.ask("GET", `${bucket}?list-type=2&prefix=${prefix}`)).text();
    const keys = [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key.slice(prefix.length));
    return keys.filter((key) => key !== "_owner");
  };

  describe("the tests of files, with a bucket", async () => {
    beforeAll(() => setFilesEndpoint(server.endpoint));
    afterAll(() => setFilesEndpoint(undefined));
    await import("./files.test.ts");
  });

  describe("a service", () => {
    let parley: Parley;
    let api: Client;
    let bucket: string;
    beforeAll(async () => {
      bucket = await server.makeBucket();
      parley = await startParley({ config: toBucketConfig(server.endpoint, bucket, "timeout_s = 5\n"), env: S3_ENV });
      api = await parley.signIn();
    });
    afterAll(() => parley?.[Symbol.asyncDispose]());
    const parts = () => readdirSync(join(parley.root, "data", "files", "_meta")).filter((name) => /^part_/.test(name));

    blobStoreContract("a bucket", async () => {
      for await (const names of parley.host.get(BlobStore).names()) expect(names).toEqual([]);
      return parley.host.get(BlobStore);
    });

    test("stores no files on its own disk, and shows where they are", async () => {
      const { safe_name = "" } = await upload(api, "some words", "notes.txt");
      expect(readdirSync(join(parley.root, "data", "files"))).toEqual(["_meta"]);
      expect(parts()).toEqual([]);
      expect(await listBucket(bucket)).toContain(safe_name);
      expect(await getState(api)).toMatchObject({ state: "ok" });
    });

    test("rejects content changed in transit, and reads no damaged content", async () => {
      const blobs = parley.host.get(BlobStore);
      const path = join(root, "draft");
      writeFileSync(path, "right");
      const sha256 = createHash("sha256").update("right").digest("hex");
      const draft = { path, size: 5, sha256, mimeType: "text/plain" };
      writeFileSync(path, "wrong");
      await expect(blobs.put("changed.txt", draft)).rejects.toMatchObject({ code: "conflict" });
      expect(await blobs.find("changed.txt")).toBeUndefined();
      await server.ask("PUT", `${bucket}/parley/damaged.txt`, "other", { "x-amz-meta-sha256": sha256 });
      await expect(blobs.read("damaged.txt").toArray()).rejects.toThrow("its content differs from what was stored");
      await blobs.remove("damaged.txt");
    });

    test("two nodes share the files; remains of a kill are removed, and nothing else", async () => {
      const clock = createTestClock(Date.now());
      const node = (name: string) =>
        createFileStore({
          folder: join(root, name),
          blobs: () => parley.host.get(BlobStore),
          database: () => parley.host.get(Databases).main,
          settings: { get: (() => 1) as never },
          clock,
          links: createSignedLinks(() => Buffer.alloc(32), clock.now),
          origin: () => "",
        });
      const [one, two] = [node("one"), node("two")];
      const { url } = await one.put(Buffer.from("of the first"), { name: "a.txt" });
      expect((await (await two.open(url)).bytes()).toString()).toBe("of the first");
      await server.ask("PUT", `${bucket}/parley/0123456789abcdefghij-orphan-of-a-kill.txt`, "x");
      await server.ask("PUT", `${bucket}/parley/placed-by-somebody.txt`, "x");
      await server.ask("PUT", `${bucket}/elsewhere/of-another.txt`, "x");
      expect(await two.sweep()).toBe(0);
      clock.advance(2 * HOUR_MS);
      expect(await two.sweep()).toBe(1);
      expect(await listBucket(bucket, "elsewhere/")).toEqual(["of-another.txt"]);
      expect(await listBucket(bucket)).toContain("placed-by-somebody.txt");
      expect((await (await one.open(url)).bytes()).toString()).toBe("of the first");
      expect(await two.remove(url)).toBe(true);
      await expect(one.open(url)).rejects.toMatchObject({ code: "not_found" });
    });

    test("rejects uploads with a delay while the bucket is down, and recovers automatically", async () => {
      const { url } = await upload(api, "kept", "kept.txt");
      const before = await listBucket(bucket);
      await server.interrupt();
      expect(await upload(api, "lost?", "lost.txt")).toMatchObject({ status: 503, retry: "5", code: "unavailable" });
      const read = await api.send("GET", url);
      expect([read.status, read.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(parts()).toEqual([]);
      expect(await getState(api)).toMatchObject({ state: "degraded", error: expect.stringContaining("ECONNREFUSED") });
      const { items } = await api.get<{ items: readonly { key: string }[] }>("/api/system/findings");
      expect(items.map(({ key }) => key)).toContain("s3.failing");
      await server.resume();
      await eventually(async () => expect(await getState(api)).toMatchObject({ state: "ok" }));
      expect((await api.send("GET", url)).text).toBe("kept");
      expect(await listBucket(bucket)).toEqual(before);
      expect(await upload(api, "again", "again.txt")).toMatchObject({ status: 200 });
    });
  });

  describe("files of a data folder", () => {
    let own: string;
    let bucket: string;
    let sent: readonly { readonly url: string }[];
    const start = (at: string, config: string) => startParley({ root: at, config, env: S3_ENV });
    const read = (api: Client) => Promise.all(sent.map(async ({ url }) => (await api.send("GET", url)).text));
    const listFolder = (at: string) => readdirSync(join(at, "data", "files")).filter((name) => name !== "_meta");
    const moved = (api: Client, count: number) =>
      eventually(async () => {
        const jobs = await getJobs(api, "files.move");
        expect(jobs.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => "done"));
      });
    beforeAll(async () => {
      own = ensureFolder(join(root, "moving"));
      bucket = await server.makeBucket();
      await using parley = await startParley({ root: own });
      const api = await parley.signIn();
      sent = await Promise.all(["one", "two", "three"].map((one) => upload(api, one, `${one}.txt`)));
    });

    test("are migrated at the first start, and available meanwhile; a backup contains them", async () => {
      await using parley = await start(own, toBucketConfig(server.endpoint, bucket));
      const api = await parley.signIn();
      expect(await read(api)).toEqual(["one", "two", "three"]);
      await moved(api, 1);
      expect(listFolder(own)).toEqual([]);
      expect(await listBucket(bucket)).toHaveLength(3);
      expect(await read(api)).toEqual(["one", "two", "three"]);
      const made = await parley.host.get(HostControl).backUp(join(root, "backups"), 9);
      expect(made).toMatchObject({ named: 3, elsewhere: { files: 3 }, left: [] });
    });

    test("are contained in a backup without a running service, and restored to the configured store", async () => {
      const output: string[] = [];
      const command = (at: string, config: string) => {
        writeFileSync(join(ensureFolder(at), "config.ini"), config);
        writeFileSync(join(at, ".env"), envFile(S3_ENV));
        return { flags: { config: join(at, "config.ini") }, print: (line: string) => void output.push(line) };
      };
      const to = join(root, "backups");
      const there = command(own, toBucketConfig(server.endpoint, bucket));
      await runBackup({ ...there, to, keep: undefined, isWithoutFiles: true });
      expect(output.join("\n")).toMatch(/note: 3 files are in bucket '\S+' at \S+, and not in the backup: .*\.txt/);
      await runBackup({ ...there, to, keep: undefined });
      expect(output.join("\n")).toMatch(/3 files are named by rows, 3 of them from bucket/);
      const from = output.at(-1)?.replace("backup ", "") ?? "";

      const inFiles = join(root, "restored");
      await runRestore({ ...command(inFiles, ""), from, isTrial: false });
      {
        await using parley = await startParley({ root: inFiles });
        expect(await read(await parley.signIn())).toEqual(["one", "two", "three"]);
      }
      const targetFolder = join(root, "restored-there");
      const another = toBucketConfig(server.endpoint, await server.makeBucket());
      await runRestore({ ...command(targetFolder, another), from, isTrial: false });
      expect(output.at(-2)).toMatch(/^3 of them go to bucket '\S+' at \S+ when the service has started/);
      await using parley = await start(targetFolder, another);
      const api = await parley.signIn();
      expect(await read(api)).toEqual(["one", "two", "three"]);
      await eventually(() => expect(listFolder(targetFolder)).toEqual([]));
      expect(await read(api)).toEqual(["one", "two", "three"]);
    });

    test("are moved back when config.ini requires it, and new ones are stored there at once", async () => {
      await using parley = await start(own, toBucketConfig(server.endpoint, bucket, "move_back = on\n"));
      const api = await parley.signIn();
      sent = [...sent, await upload(api, "four", "four.txt")];
      expect(await read(api)).toEqual(["one", "two", "three", "four"]);
      await moved(api, 2);
      expect(await listBucket(bucket)).toEqual([]);
      expect(listFolder(own)).toHaveLength(4);
      expect(await read(api)).toEqual(["one", "two", "three", "four"]);
    });
  });

  describe("a start fails with one sentence", () => {
    const rejection = async (config: string, env: Readonly<Record<string, string>>) => {
      const own = ensureFolder(mkdtempSync(join(root, "start-")));
      try {
        const started = await startParley({ root: own, config, env });
        await started[Symbol.asyncDispose]();
      } catch (error) {
        return String((error as Error).message);
      }
      return "it started";
    };

    test("if the key is wrong, or is not set", async () => {
      const config = toBucketConfig(server.endpoint, await server.makeBucket());
      const wrong = { ...S3_ENV, PARLEY_S3_SECRET_KEY: "not-the-right-one" };
      const output = await rejection(config, wrong);
      expect(output).toMatch(
        /the bucket 'bucket-\S+' at http:\S+ refuses the key in PARLEY_S3_ACCESS_KEY and PARLEY_S3_SECRET_KEY$/,
      );
      expect(await rejection(config, {})).toMatch(/the variable PARLEY_S3_ACCESS_KEY is not set/);
    });

    test("if there is no such bucket, no server, and no endpoint", async () => {
      expect(await rejection(toBucketConfig(server.endpoint, "not-there"), S3_ENV)).toMatch(
        /the bucket 'not-there' at \S+ does not exist: make the bucket 'not-there' there$/,
      );
      const nobody = `http://127.0.0.1:${await findFreePort()}`;
      expect(await rejection(toBucketConfig(nobody, "parley"), S3_ENV)).toMatch(
        /the bucket 'parley' at \S+ cannot be used: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/,
      );
      expect(await rejection("[plugins]\ns3 = @parley/plugin-s3\n", {})).toMatch(
        /\[plugin\.s3\].*'endpoint' is required/,
      );
      const metadata = await rejection(toBucketConfig("http://169.254.169.254", "parley"), S3_ENV);
      expect(metadata).toMatch(/connections to '169\.254\.169\.254' are not allowed/);
    });

    test("if the files there belong to another service, or are none of Parley's", async () => {
      const bucket = await server.makeBucket();
      const config = toBucketConfig(server.endpoint, bucket);
      expect(await rejection(config, S3_ENV)).toBe("it started");
      expect(await rejection(config, S3_ENV)).toMatch(
        /the folder 'parley\/' of the bucket .* belongs to another Parley/,
      );
      await server.ask("PUT", `${bucket}/others/report.txt`, "x");
      const others = await rejection(`${config}prefix = others/\n`, S3_ENV);
      expect(others).toMatch(/the folder 'others\/' of the bucket .* holds objects that are none of Parley's/);
      expect(await rejection(`${config}prefix =\n`, S3_ENV)).toMatch(/'prefix' is not allowed to be empty/);
    });
  });
});

function envFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join("");
}

function ensureFolder(folder: string): string {
  if (!existsSync(folder)) mkdirSync(folder);
  return folder;
}
