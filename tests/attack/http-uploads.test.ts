import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openRaw } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let folder: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  folder = join(parley.root, "data", "files", "_meta");
});
afterAll(() => parley[Symbol.asyncDispose]());

const listUnfinished = () => readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
/** Returns the open descriptors of files in the upload folder. */
const listDescriptors = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  });
const FIRST = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const BYTES = "x".repeat(500_000);

/** Begins an upload; `length` is the declared total. */
async function beginUpload(length: number, body = FIRST + BYTES) {
  const connection = await openRaw(parley.address);
  connection.send(
    `POST /api/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
  return connection;
}
const expectNothingLeft = () => eventually(() => expect([listUnfinished(), listDescriptors()]).toEqual([[], []]));

test.each([
  ["is reset", (socket: import("node:net").Socket) => socket.resetAndDestroy()],
  ["is closed", (socket: import("node:net").Socket) => socket.destroy()],
  ["is half closed", (socket: import("node:net").Socket) => socket.end()],
])("uploads whose connection %s leave no descriptor and no file", async (_how, end) => {
  const uploads = await Promise.all(Array.from({ length: 5 }, () => beginUpload(5_000_000)));
  await eventually(() => expect([listUnfinished().length, listDescriptors().length]).toEqual([5, 5]));
  for (const { socket } of uploads) end(socket);
  await expectNothingLeft();
});

test.each([
  ["without its last boundary", FIRST + BYTES],
  ["in the middle of a boundary", `${FIRST}${BYTES}\r\n--`],
  ["in the headers of a part", FIRST.slice(0, 40)],
  ["in the second part", `${FIRST}${BYTES}\r\n${FIRST.slice(0, 60)}`],
  ["with what is no boundary", `${FIRST}${BYTES}\r\n--b??\r\n`],
])("a body that ends %s is rejected at once", async (_where, body) => {
  const upload = await beginUpload(Buffer.byteLength(body), body);
  await eventually(() => expect(upload.text()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/));
  upload.socket.destroy();
  await expectNothingLeft();
});

const formatPart = (headers = "", value = "x") =>
  `--b\r\nContent-Disposition: form-data; name="n"${headers}\r\n\r\n${value}\r\n`;
const BOUNDS: readonly (readonly [what: string, body: string, sentence: string])[] = [
  ["parts", formatPart().repeat(1_001), "the form has more than {parts} parts"],
  ["headers of a part", formatPart("\r\nX: y".repeat(20)), "a part of the form has more than 20 headers"],
  [
    "characters in the headers of a part",
    formatPart(`\r\nX: ${"y".repeat(20_000)}`),
    "the headers of a part are longer than 16 KiB",
  ],
];

test.each(BOUNDS)(
  "a form with too many %s is rejected in a sentence, on streaming and on buffering routes",
  async (_what, body, sentence) => {
    for (const [path, parts] of [
      ["/api/upload", 100],
      ["/api/personality/portrait", 1_000],
    ] as const) {
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      const { status, json } = await api.send("POST", path, { body: `${body}--b--\r\n`, headers });
      const error = `body: ${sentence.replace("{parts}", String(parts))}`;
      expect({ path, status, error: json?.error, code: json?.code }).toEqual({
        path,
        status: 413,
        error,
        code: "too_large",
      });
    }
  },
);

test.each([
  ...BOUNDS,
  ["characters in a field", formatPart("", "x".repeat(70_000)), "a field of the form is longer than 64 KiB"] as const,
])("a form with too many %s is answered before it ends", async (_what, body, sentence) => {
  const { socket, text } = await beginUpload(50_000_000, body + FIRST);
  await eventually(() => expect(text()).toContain(sentence.replace("{parts}", "100")));
  expect(text()).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
  await expectNothingLeft();
});
