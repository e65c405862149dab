import { readdirSync } from "node:fs";
import { join } from "node:path";
import { BlobStore, Files, type Message } from "@parley/core";
import { startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

interface Uploaded {
  readonly url: string;
  readonly safe_name: string;
  readonly sha256: string;
  readonly content: string | null;
}

const post = async (parts: readonly (readonly [name: string, value: string | File])[]) => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const response = await fetch(`${parley.address}/api/upload`, {
    method: "POST",
    body: form,
    headers: { authorization: `Bearer ${api.token}` },
  });
  return { status: response.status, ...((await response.json()) as { code?: string; data?: Uploaded }) };
};
const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(path, parley.address), { headers });
const listStored = async () => [
  ...readdirSync(join(parley.root, "data", "files"), { recursive: true }).filter((one) => one !== "_meta"),
  ...(await Array.fromAsync(parley.host.find(BlobStore)?.names() ?? [])).flat(),
];

test("an upload is stored, read again and previewed", async () => {
  const { status, data } = await post([["file", new File(["some words"], "notes.txt")]]);
  expect({ status, content: data?.content }).toEqual({ status: 200, content: "some words" });
  const login = { authorization: `Bearer ${api.token}` };
  const whole = await get(data?.url ?? "", login);
  expect(await whole.text()).toBe("some words");
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
    "cache-control": "private, max-age=3600",
  });
  const part = await get(data?.url ?? "", { ...login, range: "bytes=5-" });
  expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: "words" });
  const head = await fetch(`${parley.address}${data?.url}`, { method: "HEAD", headers: login });
  expect({ status: head.status, length: head.headers.get("content-length") }).toEqual({ status: 200, length: "10" });
  expect(await api.get(`/api/files/${data?.safe_name}/preview?max_chars=4`)).toMatchObject({
    type: "text",
    content: "some",
    truncated: true,
  });
});

test("a stored file requires a login, or a signed link", async () => {
  const { data } = await post([["file", new File(["secret"], "a.txt")]]);
  const { data: other } = await post([["file", new File(["other"], "b.txt")]]);
  expect((await get(data?.url ?? "")).status).toBe(401);
  const link = parley.host.get(Files).link(data?.url ?? "", 60);
  expect(link.startsWith(parley.address)).toBe(true);
  expect(await (await get(link)).text()).toBe("secret");
  expect((await get(`${other?.url}${new URL(link).search}`)).status).toBe(401);
  expect((await get(link.replace(/sig=./, "sig=!"))).status).toBe(401);
});

test("an upload without exactly one named file is rejected, and leaves nothing", async () => {
  const before = (await listStored()).length;
  const file = new File(["x"], "x.txt");
  expect(await post([["session_id", ""]])).toMatchObject({ status: 400 });
  expect(await post([["other", file]])).toMatchObject({ status: 400 });
  expect(
    await post([
      ["session_id", "sess_none"],
      ["file", file],
    ]),
  ).toMatchObject({ status: 404 });
  for (const more of [["session_id", "sess_none"] as const, ["file", file] as const]) {
    expect((await post([["file", file], more])).status).toBeGreaterThanOrEqual(400);
  }
  expect(await listStored()).toHaveLength(before);
});

test("a file attached in the console is available with its type", async () => {
  const { data } = await post([["file", new File(["words"], "notes.txt")]]);
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "files" });
  const say = (url: string) =>
    api.send("POST", `/api/sessions/${id}/chat`, {
      body: { content: "look", attachments: [{ type: "image", url, mime_type: "image/png", size: 1 }] },
    });
  expect(await say("/static/files/none")).toMatchObject({ status: 400 });
  expect(await say(data?.url ?? "")).toMatchObject({ status: 200 });
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
  expect(items[0]?.attachments).toEqual([
    { type: "file", url: data?.url, name: "notes.txt", mime_type: "text/plain", size: 5 },
  ]);
});

test("a file over the limit is rejected during the upload", async () => {
  await api.put("/api/settings", { files: { max_upload_mb: 1 } });
  const before = (await listStored()).length;
  const large = new File([Buffer.alloc(3 * 1024 * 1024)], "large.bin");
  expect(await post([["file", large]])).toMatchObject({ status: 413, code: "too_large" });
  await api.put("/api/settings", { files: { max_upload_mb: 50 } });
  expect(await listStored()).toHaveLength(before);
});

test("an interrupted upload leaves nothing", async () => {
  const before = (await listStored()).length;
  const leaving = new AbortController();
  const body = new ReadableStream({
    start(controller) {
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\nhalf';
      controller.enqueue(new TextEncoder().encode(head));
    },
    pull: () => {
      setImmediate(() => leaving.abort());
      return new Promise(() => {});
    },
  });
  const sent = fetch(`${parley.address}/api/upload`, {
    method: "POST",
    body,
    duplex: "half",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "multipart/form-data; boundary=b" },
    signal: leaving.signal,
  } as RequestInit);
  await expect(sent).rejects.toThrow();
  await expect.poll(async () => (await listStored()).length).toBe(before);
});

test.each([
  "..%2fsettings.json",
  "%2e%2e%2f%2e%2e%2fconfig.ini",
  "..%5cx",
  "_meta",
  "link.key",
  "%00",
  "a".repeat(300),
])("%s is not a stored file", async (name) => {
  const answer = await api.send("GET", `/static/files/${name}`);
  expect([400, 404]).toContain(answer.status);
});

describe("a remote picture", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const allowPrivate = (allow_private_outbound: boolean) =>
    api.put("/api/settings", { gateway: { allow_private_outbound } });
  const picture = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    get(`/api/outside-picture?url=${encodeURIComponent(url)}`, { authorization: `Bearer ${api.token}`, ...headers });
  const getRejection = async (url: string) => {
    const answer = await picture(url);
    return { status: answer.status, ...((await answer.json()) as { code: string; error: string }) };
  };

  test("is fetched by the service, without information about the reader", async () => {
    await using server = await startReplayServer([{ headers: { "content-type": "text/html" }, body: png }]);
    await allowPrivate(true);
    const answer = await picture(`${server.address}/cat`, { cookie: "a=b", referer: "https://example.com/me" });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "content-disposition": `inline; filename="picture.png"; filename*=UTF-8''picture.png`,
      "cache-control": "private, max-age=3600",
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    const sent = server.calls[0]?.headers ?? {};
    expect(Object.keys(sent).filter((name) => /cookie|referer|authorization|forwarded|origin/.test(name))).toEqual([]);
    expect((await get(`/api/outside-picture?url=${encodeURIComponent(server.address)}`)).status).toBe(401);
    expect(server.calls).toHaveLength(1);
    await allowPrivate(false);
  });

  test("is not fetched from the local network, nor after a redirect to it, unless the operator allows that", async () => {
    await using server = await startReplayServer();
    for (const url of [server.address, "http://localhost:1/a.png", "http://169.254.169.254/a", "http://[::1]/a.png"]) {
      expect(await getRejection(url), url).toMatchObject({ status: 400, code: "bad_request" });
    }
    for (const url of ["file:///etc/passwd", "data:image/png;base64,AA", "javascript:1", "/static/files/x.png", ""]) {
      expect((await picture(url)).status, url).toBe(400);
    }
    expect(server.calls).toEqual([]);
    await allowPrivate(true);
    server.answers.push({ status: 302, headers: { location: "http://169.254.169.254/latest" } });
    expect(await getRejection(server.address)).toMatchObject({ status: 400, code: "bad_request" });
    await allowPrivate(false);
  });

  test.each([
    [
      "a page that says it is a picture",
      { headers: { "content-type": "image/png" }, body: "<html>hi" },
      400,
      /PNG, JPEG/,
    ],
    [
      "a drawing with a script",
      { headers: { "content-type": "image/svg+xml" }, body: "<svg onload='x()'/>" },
      400,
      /PNG/,
    ],
    ["more than ten megabytes", { body: Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]) }, 413, /too much/],
    ["nothing", { status: 404, body: "gone" }, 502, /answered 404/],
  ])("is rejected if there is %s", async (_what, answer, status, words) => {
    await using server = await startReplayServer([answer]);
    await allowPrivate(true);
    expect(await getRejection(`${server.address}/a.png`)).toMatchObject({
      status,
      error: expect.stringMatching(words),
    });
    await allowPrivate(false);
  });
});
