import { type Memory, type Route, RouteTables } from "@parley/core";
import type { List } from "@parley/core/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openRaw } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const MEBIBYTE = 1024 * 1024;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const beginUpload = async (row: Pick<Route, "method" | "path">, headers: string) => {
  const connection = await openRaw(parley.address);
  const path = row.path.replaceAll(/\{[^}]+\}/g, "x");
  connection.send(
    `${row.method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token}\r\n${headers}\r\n\r\n`,
  );
  return connection;
};
const encodeChunk = (bytes: Buffer | string) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from("\r\n")]);

test("every route rejects a body that is announced as too long, before any of it arrives", async () => {
  const rows = parley.host
    .all(RouteTables)
    .flat()
    .filter(({ method }) => method !== "GET" && method !== "DELETE");
  expect(rows.length).toBeGreaterThan(100);
  const length = 1026 * MEBIBYTE;
  const expectRejection = async (row: Route) => {
    const connection = await beginUpload(row, `Content-Type: application/json\r\nContent-Length: ${length}`);
    const answer = await connection.closed;
    return `${row.method} ${row.path}: ${/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]} ${/"code":"(\w+)"/.exec(answer)?.[1]}`;
  };
  const answers: string[] = [];
  for (let at = 0; at < rows.length; at += 20) {
    answers.push(...(await Promise.all(rows.slice(at, at + 20).map(expectRejection))));
  }
  expect(answers.filter((answer) => !answer.endsWith(": 413 too_large"))).toEqual([]);
});

describe("a body without a declared length", () => {
  const FORM = "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked";
  const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="m.json"\r\n\r\n';
  const memories = { method: "POST", path: "/api/memory/import" } as const;

  test("is rejected as soon as it is too long, also when it never ends, and nothing of it is stored", async () => {
    const connection = await beginUpload(memories, FORM);
    connection.send(encodeChunk(`${HEAD}{"memories":[{"title":"a","content":"b"}`));
    const blanks = encodeChunk(Buffer.alloc(MEBIBYTE, " "));
    for (let sent = 0; sent < 51; sent += 1) connection.send(blanks);
    await eventually(() => expect(connection.text()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"too_large"/));
    // The connection closes without a reset, so the client receives the whole answer.
    await connection.closed;
    expect((await api.get<List<Memory>>("/api/memory")).total).toBe(0);
  });

  test("that continues after the rejection does not cost its client the answer", async () => {
    const more = ReadableStream.from(
      (function* () {
        yield Buffer.from(`${HEAD}{"memories":[`);
        for (let sent = 0; sent < 60; sent += 1) yield Buffer.alloc(MEBIBYTE, " ");
      })(),
    );
    const answer = await fetch(new URL(memories.path, parley.address), {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}`, "content-type": "multipart/form-data; boundary=b" },
      body: more,
      duplex: "half",
    } as RequestInit);
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: "too_large" }]);
  });
});

test("a client that continues to send after a rejection is disconnected after a moment", async () => {
  const connection = await beginUpload({ method: "POST", path: "/api/sessions" }, `Content-Length: ${100 * MEBIBYTE}`);
  const flood = setInterval(() => connection.send(Buffer.alloc(64 * 1024)), 20);
  try {
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 413 /);
  } finally {
    clearInterval(flood);
  }
});
