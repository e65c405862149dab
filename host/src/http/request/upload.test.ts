import { Readable, type Transform } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { UploadPart } from "@parley/core";
import { expect, test, vi } from "vitest";
import { readUploadParts } from "./upload.ts";

const TYPE = "multipart/form-data; boundary=part";
const CHUNK = Buffer.alloc(64 * 1024, "x");
const head = (name: string, filename = "", more = "") =>
  `--part\r\nContent-Disposition: form-data; name="${name}"${filename && `; filename="${filename}"`}${more}\r\n\r\n`;
const BASE64 = "\r\nContent-Transfer-Encoding: base64";

/** Creates a body that is generated on demand, and counts the generated chunks. */
function createBody(chunks: number, before = head("file", "a.bin"), after = "\r\n--part--\r\n") {
  const made = { chunks: 0 };
  function* parts() {
    yield Buffer.from(before);
    for (; made.chunks < chunks; made.chunks += 1) yield CHUNK;
    yield Buffer.from(after);
  }
  return { made, source: Readable.from(parts(), { objectMode: false }) };
}

async function settled(): Promise<void> {
  for (let at = 0; at < 200; at += 1) await turn();
}

const isFile = (part: UploadPart | undefined) => {
  if (!part || !("body" in part)) throw new Error("no file came");
  return part.body;
};

test("an upload is read from the network no faster than its consumer reads", async () => {
  const { made, source } = createBody(1_000);
  const parts = readUploadParts(source, TYPE);
  const file = isFile((await parts.next()).value as UploadPart)[Symbol.asyncIterator]();
  let read = ((await file.next()).value as Uint8Array).length;
  await settled();
  expect(made.chunks).toBeLessThan(20);
  for (let next = await file.next(); !next.done; next = await file.next()) {
    read += next.value.length;
    if (read % (CHUNK.length * 100) === 0) await settled();
    expect(made.chunks - read / CHUNK.length).toBeLessThan(20);
  }
  expect(read).toBe(1_000 * CHUNK.length);
  expect((await parts.next()).done).toBe(true);
});

test("a part that is not read to its end does not block the next one", async () => {
  const { source } = createBody(200, head("file", "a.bin"), `\r\n${head("file", "b.bin")}words\r\n--part--\r\n`);
  const parts = readUploadParts(source, TYPE);
  await parts.next();
  const words: string[] = [];
  for await (const chunk of isFile((await parts.next()).value as UploadPart)) words.push(Buffer.from(chunk).toString());
  expect(words.join("")).toBe("words");
});

test("parts that arrive together are each read completely", async () => {
  const { source } = createBody(0, `${head("file", "a.txt")}x\r\n${head("path")}plans\r\n${head("file", "b.txt")}y`);
  const read: string[] = [];
  for await (const part of readUploadParts(source, TYPE)) {
    await settled();
    if ("value" in part) read.push(part.value);
    else for await (const chunk of part.body) read.push(Buffer.from(chunk).toString());
  }
  expect(read).toEqual(["x", "plans", "y"]);
});

test("a consumer that stops early lets the rest of the body pass", async () => {
  const { made, source } = createBody(200);
  const parts = readUploadParts(source, TYPE);
  await parts.next();
  await parts.return(undefined);
  await settled();
  expect(made.chunks).toBe(200);
});

test("an endless field is not buffered to its end", async () => {
  const { source } = createBody(1_000, head("path"), "");
  await expect(readUploadParts(source, TYPE).next()).rejects.toMatchObject({
    code: "too_large",
    message: "body: the form has more than 4096 KiB besides its files",
  });
});

test.each([
  ["that breaks off", ""],
  ["without an end", "\r\n--part"],
])("a body %s is rejected when it is read", async (_what, end) => {
  const { source } = createBody(3, head("file", "a.bin"), end);
  const parts = readUploadParts(source, TYPE);
  const read = async () => {
    for await (const _chunk of isFile((await parts.next()).value as UploadPart)) await turn();
    await parts.next();
  };
  await expect(read()).rejects.toMatchObject({ code: "bad_request" });
});

test("a base64 part is decoded, and buffered no more than others", async () => {
  const { made, source } = createBody(400, head("file", "a.bin", BASE64));
  const parts = readUploadParts(source, TYPE);
  let read = 0;
  for await (const chunk of isFile((await parts.next()).value as UploadPart)) {
    read += chunk.length;
    if (made.chunks % 50 === 0) await settled();
    expect(made.chunks - read / (CHUNK.length * 0.75)).toBeLessThan(20);
  }
  expect(read).toBe(400 * CHUNK.length * 0.75);
});

test("the rest of an unread base64 part is skipped, and the next one arrives", async () => {
  const pipe = vi.spyOn(Readable.prototype, "pipe");
  const { made, source } = createBody(400, head("file", "a.bin", BASE64), `\r\n${head("path")}plans\r\n--part--\r\n`);
  const parts = readUploadParts(source, TYPE);
  for await (const _chunk of isFile((await parts.next()).value as UploadPart)) break;
  const [decoder] = pipe.mock.contexts as Transform[];
  pipe.mockRestore();
  const next = parts.next();
  let openCount = 0;
  while (made.chunks < 400) {
    await turn();
    openCount = Math.max(openCount, (decoder?.writableLength ?? 0) + (decoder?.readableLength ?? 0));
  }
  expect(decoder?.writableHighWaterMark).toBeGreaterThan(0);
  expect(openCount).toBeLessThan(4 * CHUNK.length);
  expect((await next).value).toEqual({ name: "path", value: "plans" });
});
