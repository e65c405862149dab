import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { openRaw } from "../harness/raw-http.ts";
import { soon } from "../harness/soon.ts";

let parley: Parley;
let api: Client;
let folder: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  folder = join(parley.root, "data", "files", "_meta");
});
afterAll(() => parley[Symbol.asyncDispose]());

const unfinished = () => readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
/** Open descriptors of files in the folder of uploads. */
const descriptors = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  });
const FIRST = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const BYTES = "x".repeat(500_000);

/** The beginning of an upload; `length` is what it claims to be in all. */
async function begin(length: number, body = FIRST + BYTES) {
  const connection = await openRaw(parley.address);
  connection.send(
    `POST /api/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
  return connection;
}
const nothingIsLeft = () => soon(() => expect([unfinished(), descriptors()]).toEqual([[], []]));

test.each([
  ["is reset", (socket: import("node:net").Socket) => socket.resetAndDestroy()],
  ["is closed", (socket: import("node:net").Socket) => socket.destroy()],
  ["is half closed", (socket: import("node:net").Socket) => socket.end()],
])("uploads whose connection %s leave no descriptor and no file", async (_how, end) => {
  const uploads = await Promise.all(Array.from({ length: 5 }, () => begin(5_000_000)));
  await soon(() => expect([unfinished().length, descriptors().length]).toEqual([5, 5]));
  for (const { socket } of uploads) end(socket);
  await nothingIsLeft();
});

test.each([
  ["without its last boundary", FIRST + BYTES],
  ["in the middle of a boundary", `${FIRST}${BYTES}\r\n--`],
  ["in the headers of a part", FIRST.slice(0, 40)],
  ["in the second part", `${FIRST}${BYTES}\r\n${FIRST.slice(0, 60)}`],
  ["with what is no boundary", `${FIRST}${BYTES}\r\n--b??\r\n`],
])("a body that ends %s is refused at once", async (_where, body) => {
  const upload = await begin(Buffer.byteLength(body), body);
  await soon(() => expect(upload.text()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/));
  upload.socket.destroy();
  await nothingIsLeft();
});
