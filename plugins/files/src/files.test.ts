import { mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  type Attachment,
  type ChannelFile,
  channelFileUrl,
  type Files,
  type RawReply,
  type RouteRequest,
} from "@parley/core";
import { createTestClock, memoryDatabase, type TestTurn, testContext, testTurn } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFetchFilesStage } from "./attachment-stages.ts";
import { createDiskBlobs } from "./blobs/disk.ts";
import { createFileRoutes } from "./routes.ts";
import { serveStoredFile } from "./serve-file.ts";
import { detectContentType } from "./store/content-type.ts";
import { sanitizeFileName } from "./store/file-names.ts";
import { createFileStore, type FileStore } from "./store/file-store.ts";
import { readImageSize } from "./store/image-size.ts";
import { createSignedLinks } from "./store/signed-links.ts";
import { FILE_MIGRATIONS } from "./store/tables.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const DAY_MS = 86_400_000;

const ORPHAN = `${"o".repeat(20)}-of a crash.txt`;
const ON_ITS_WAY = `${"w".repeat(20)}-coming.txt`;

describe("the media type", () => {
  test.each([
    [PNG, "x.txt", "image/png"],
    [Buffer.from("\xff\xd8\xff\xe0", "latin1"), "x", "image/jpeg"],
    [Buffer.from("RIFF....WEBPVP8 "), "x", "image/webp"],
    [Buffer.from("RIFF....WAVEfmt "), "x", "audio/wav"],
    [Buffer.from("....ftypM4A "), "x", "audio/mp4"],
    [Buffer.from("....ftypisom"), "x", "video/mp4"],
    [Buffer.from("%PDF-1.7"), "x.png", "application/pdf"],
    [Buffer.from("PK\x03\x04"), "a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    [Buffer.from("<!DOCTYPE html><p>"), "cat.png", "text/html"],
    [Buffer.from('<?xml version="1.0"?><svg onload="x()">'), "cat.png", "image/svg+xml"],
    [Buffer.from("plain words"), "cat.png", "text/plain"],
    [Buffer.from("BMs are words too"), "x.txt", "text/plain"],
    [Buffer.from("{}"), "a.json", "application/json"],
    [Buffer.from([0, 1, 2, 3]), "a.txt", "application/octet-stream"],
  ])("of %s named %s is %s", (head, name, type) => {
    expect(detectContentType(head, name)).toBe(type);
  });
});

test.each([
  ["../../etc/passwd", "_.._etc_passwd"],
  ["C:\\x\\cat.png", "C_x_cat.png"],
  ["  . ", "file"],
  ["a\u0000b\u202egnp.exe", "a_b_gnp.exe"],
  ["猫 咪.png", "猫 咪.png"],
  [`${"长".repeat(300)}.png`, `${"长".repeat(38)}.png`],
])("the name %j is sanitized to %j", (name, clean) => {
  expect(sanitizeFileName(name)).toBe(clean);
});

test("a picture has a size", () => {
  expect(readImageSize(PNG)).toEqual({ width: 1, height: 1 });
  expect(readImageSize(PNG.subarray(0, 10))).toEqual({ width: null, height: null });
});

describe("the file store", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-files-"));
  const folder = join(root, "files");
  const clock = createTestClock();
  const links = createSignedLinks(() => Buffer.alloc(32, 1), clock.now);
  let files: FileStore;
  let isShared = false;
  beforeAll(async () => {
    const database = memoryDatabase();
    await database.migrate("files", FILE_MIGRATIONS);
    const settings = { get: (() => 1) as never };
    files = createFileStore({
      folder,
      blobs: () => createDiskBlobs(folder),
      database: () => database,
      isShared: () => isShared,
      settings,
      clock,
      links,
      origin: () => "https://parley.example",
    });
    await files.start();
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const onDisk = () => readdirSync(folder, { recursive: true }).filter((name) => name !== "_meta");

  test("stores a file under a name that cannot be guessed", async () => {
    const stored = await files.put(PNG, { name: "../cat" });
    expect(stored).toMatchObject({ name: "_cat.png", mimeType: "image/png", size: PNG.length });
    expect(stored.safeName).toMatch(/^[a-z0-9]{20}-_cat\.png$/);
    expect(await (await files.open(stored.url)).bytes()).toEqual(PNG);
    expect((await files.find(stored.safeName))?.id).toBe(stored.id);
  });

  test("removes orphans of a crash, but no recent, known or foreign files and no folders", async () => {
    const known = await files.put(PNG, { name: "known" });
    const hour = 3_600_000;
    const put = (name: string, ageMs: number) => {
      writeFileSync(join(folder, name), "x");
      const at = new Date(clock.now() - ageMs);
      utimesSync(join(folder, name), at, at);
    };
    put(ORPHAN, hour + 1_000);
    put(`portrait_${"0".repeat(32)}.png`, hour + 1_000);
    put(ON_ITS_WAY, hour - 60_000);
    put("README of the operator.txt", 10 * hour);
    const long = new Date(clock.now() - 10 * hour);
    utimesSync(join(folder, known.safeName), long, long);
    expect(await files.sweep()).toBe(2);
    expect(onDisk()).not.toContain(ORPHAN);
    expect(onDisk()).toEqual(expect.arrayContaining([ON_ITS_WAY, known.safeName, "README of the operator.txt"]));
    expect(readdirSync(folder)).toContain("_meta");
    for (const name of [ON_ITS_WAY, "README of the operator.txt"]) rmSync(join(folder, name));
    await files.discard(known.id);
  });

  test("leaves nothing of an upload that cannot be read again", async () => {
    const before = onDisk().length;
    const routes = createFileRoutes({
      files: { ...files, open: () => Promise.reject(new Error("the storage is unreachable")) },
      links,
      sessions: () => undefined,
      workspaces: { write: () => Promise.reject(new Error("the upload has no session")) },
      documents: () => undefined,
    });
    async function* parts() {
      yield { name: "file", filename: "note.txt", body: Readable.from([Buffer.from("words")]) };
    }
    const request = { upload: parts(), signal: new AbortController().signal } as unknown as RouteRequest;
    const uploading = routes.find(({ path }) => path === "/api/upload")?.run(request);
    await expect(uploading).rejects.toThrow("the storage is unreachable");
    expect(onDisk()).toHaveLength(before);
  });

  test("stops at its size limit and leaves nothing", async () => {
    const before = onDisk().length;
    async function* endless() {
      for (;;) yield Buffer.alloc(256 * 1024);
    }
    await expect(files.put(endless(), { name: "much" })).rejects.toMatchObject({ code: "too_large" });
    expect(onDisk()).toHaveLength(before);
  });

  test("leaves nothing of an interrupted upload", async () => {
    const before = onDisk().length;
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("cut");
    }
    await expect(files.put(broken(), { name: "half" })).rejects.toThrow("cut");
    expect(onDisk()).toHaveLength(before);
  });

  test("removes unfinished files of a crash at start, but not those that another node may be writing", async () => {
    const parts = ["part_old", "part_young"].map((name) => join(folder, "_meta", name));
    for (const path of parts) writeFileSync(path, "half");
    const [old = ""] = parts;
    const at = new Date(clock.now() - 2 * 3_600_000);
    utimesSync(old, at, at);
    const young = new Date(clock.now());
    utimesSync(parts[1] ?? "", young, young);
    isShared = true;
    await files.start();
    expect(readdirSync(join(folder, "_meta"))).toEqual(["part_young"]);
    isShared = false;
    await files.start();
    expect(readdirSync(join(folder, "_meta"))).toEqual([]);
  });

  test("recognises a derived id and does not read the content again", async () => {
    const first = await files.put(PNG, { name: "a", id: "file_1" });
    const unread = {
      [Symbol.asyncIterator]: () => {
        throw new Error("it was read");
      },
    };
    expect(await files.put(unread, { name: "a", id: "file_1" })).toEqual(first);
  });

  test("does not follow a symbolic link in place of a file", async () => {
    const { url, safeName } = await files.put(PNG, { name: "swapped" });
    writeFileSync(join(root, "secret"), Buffer.alloc(PNG.length));
    rmSync(join(folder, safeName));
    symlinkSync(join(root, "secret"), join(folder, safeName));
    await expect(files.open(url).then((file) => file.bytes())).rejects.toThrow();
  });

  test("removes files that were unused for 30 days, and nothing else", async () => {
    const [unused, stored, read] = [
      await files.put(PNG, { name: "unused" }),
      await files.put(PNG, { name: "kept" }),
      await files.put(PNG, { name: "read" }),
    ];
    await files.keep([stored.url, "https://elsewhere.example/x.png"]);
    clock.advance(20 * DAY_MS);
    await files.open(read.url);
    clock.advance(11 * DAY_MS);
    await files.prune();
    expect(
      await Promise.all([unused, stored, read].map(async ({ id }) => (await files.find(id)) !== undefined)),
    ).toEqual([false, true, true]);
    expect(onDisk().some((name) => name === unused.safeName)).toBe(false);
  });

  test("signs links that are valid for one name and a limited time", async () => {
    const { url } = await files.put(PNG, { name: "shown" });
    const link = new URL(files.link(url, 60));
    const query = Object.fromEntries(link.searchParams);
    expect(link.origin).toBe("https://parley.example");
    expect(links.isValid(link.pathname, query)).toBe(true);
    expect(links.isValid("/static/files/other", query)).toBe(false);
    expect(links.isValid(link.pathname, { ...query, exp: `${Number(query.exp) + 1}` })).toBe(false);
    clock.advance(61_000);
    expect(links.isValid(link.pathname, query)).toBe(false);
  });

  describe("a file download", () => {
    const serve = async (bytes: Buffer, name: string, headers = {}): Promise<RawReply> =>
      serveStoredFile(await files.open((await files.put(bytes, { name })).id), { download: false, headers });

    test("shows pictures inline and offers active content for saving only", async () => {
      const picture = await serve(PNG, "a.png");
      expect(picture.type).toBe("image/png");
      expect(picture.headers).toMatchObject({
        "content-security-policy": "sandbox",
        "x-content-type-options": "nosniff",
      });
      expect(picture.headers?.["content-disposition"]).toMatch(/^inline/);
      for (const [text, name] of [
        ["<html>", "a.png"],
        ["<svg>", "a.svg"],
        ["alert(1)", "a.js"],
      ] as const) {
        const active = await serve(Buffer.from(text), name);
        expect(active.type).toBe("application/octet-stream");
        expect(active.headers?.["content-disposition"]).toMatch(/^attachment/);
      }
    });

    test.each([
      ["bytes=0-3", 206, "bytes 0-3/10"],
      ["bytes=4-", 206, "bytes 4-9/10"],
      ["bytes=-3", 206, "bytes 7-9/10"],
      ["bytes=5-99", 206, "bytes 5-9/10"],
      ["bytes=10-", 416, "bytes */10"],
      ["bytes=a-b", 416, "bytes */10"],
      ["bytes=0-1,3-4", undefined, undefined],
    ])("supports the range %s", async (range, status, contentRange) => {
      const reply = await serve(Buffer.from("0123456789"), "a.txt", { range });
      expect([reply.status, reply.headers?.["content-range"]]).toEqual([status, contentRange]);
    });

    test("is skipped when the client already has the file", async () => {
      const { headers } = await serve(PNG, "a.png");
      expect((await serve(PNG, "a.png", { "if-none-match": headers?.etag })).status).toBe(304);
    });
  });
});

describe("attachments of a turn", () => {
  const stored = new Map<string, Uint8Array>();
  const files = {
    find: async (id: string) => (stored.has(id) ? storedFile(id) : undefined),
    async put(body: Uint8Array, { id = "" }) {
      stored.set(id, body);
      return storedFile(id);
    },
    keep: async () => {},
    keeps: () => [],
  } as unknown as Files;
  const storedFile = (id: string) => ({
    id,
    name: "cat.png",
    url: `/static/files/${id}`,
    mimeType: "image/png",
    size: 3,
  });
  const run = (
    attachments: readonly Attachment[],
    fetchFile: () => Promise<ChannelFile>,
    more: TestTurn["inbound"] = {},
  ) => {
    const notes: string[] = [];
    const stage = createFetchFilesStage({
      files,
      link: () => ({ fetchFile }),
      egress: { fetch: () => async () => new Response("png") },
      mayReachPrivate: () => false,
      timeoutMs: 20,
    });
    const turn = testTurn({ traceId: "gw_1", text: "look", attachments, inbound: { channelId: "imB", ...more } });
    return stage.run(turn, testContext({ trace: ({ message }) => void notes.push(message) }));
  };
  const photo: Attachment = { type: "image", url: channelFileUrl({ file: "A3" }), name: "cat.jpg" };

  test("are downloaded through the channel, once", async () => {
    let calls = 0;
    const fetchFile = async () => {
      calls += 1;
      return { body: Buffer.from("png") };
    };
    const turn = await run([photo], fetchFile);
    expect(turn.attachments).toEqual([
      {
        type: "image",
        url: expect.stringMatching(/^\/static\/files\/file_/),
        name: "cat.png",
        mime_type: "image/png",
        size: 3,
      },
    ]);
    expect(await run([photo], fetchFile)).toEqual(turn);
    expect(calls).toBe(1);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("secret words")), "it could not be fetched"],
    ["hangs", () => new Promise<never>(() => {}), "it took too long"],
  ])("are replaced by a note when the channel %s", async (_, fetchFile, reason) => {
    stored.clear();
    const turn = await run([photo], fetchFile);
    expect(turn).toMatchObject({ attachments: [], text: `look\n[image cat.jpg: not received, ${reason}]` });
  });

  test("are not downloaded when they are too large, or the message is not addressed to the bot", async () => {
    stored.clear();
    const never = () => Promise.reject(new Error("it was asked"));
    const large = await run([{ ...photo, size: 21 * 1024 * 1024 }], never);
    expect(large.text).toBe("look\n[image cat.jpg: not received, it is too large]");
    const talk = await run([photo], never, { addressed: false });
    expect(talk.text).toBe("look\n[image cat.jpg]");
  });
});
