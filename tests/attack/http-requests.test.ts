import { once } from "node:events";
import { request } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Databases } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { sendRaw } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({
    config: "[web]\npublic_base_url = https://chat.example\nallowed_hosts = parley\ntrusted_proxies = 127.0.0.7\n",
  });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Returns status and body of a request with headers that `fetch` would not send. */
async function ask(path: string, headers: Readonly<Record<string, string>>, localAddress = "127.0.0.1") {
  const asking = request(new URL(path, parley.address), { headers, localAddress });
  asking.end();
  const [response] = await once(asking, "response");
  const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { status: response.statusCode as number, text: Buffer.concat(chunks).toString() };
}

describe("the host name of a request", () => {
  test.each(["evil.example", "evil.example:80", "a b"])(
    "%s is rejected: no page, no sign-in, no metrics",
    async (host) => {
      for (const path of ["/", "/metrics", "/api/startup-status", "/api/openapi.json"]) {
        const { status, text } = await ask(path, { host });
        expect([path, status, JSON.parse(text).code]).toEqual([path, 403, "permission_denied"]);
      }
    },
  );

  test.each(["localhost:1", "127.0.0.1", "[::1]:5000", "chat.example", "parley:5000"])(
    "%s is accepted",
    async (host) => {
      expect((await ask("/api/startup-status", { host })).status).toBe(200);
    },
  );

  test("from a trusted proxy is accepted, and only from there", async () => {
    const headers = { host: "upstream", "x-forwarded-host": "bots.example" };
    expect((await ask("/api/startup-status", headers, "127.0.0.7")).status).toBe(200);
    expect((await ask("/api/startup-status", headers)).status).toBe(403);
  });

  test("is given once, and a request target does not contain another", async () => {
    const line = "GET /api/startup-status HTTP/1.1\r\n";
    const end = "Connection: close\r\n\r\n";
    expect(await sendRaw(parley.address, `${line}Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n${end}`)).toMatch(
      /^HTTP\/1.1 400/,
    );
    const absolute = `GET http://evil.example/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n${end}`;
    expect(await sendRaw(parley.address, absolute)).toMatch(/^HTTP\/1.1 403/);
  });
});

test.each(['prefs={"a":1,"b":"x y"}', "a=b c", "a,b", "bare", "a[b]=1", '="', "a=\u00e9", `long=${"x".repeat(8_000)}`])(
  "a cookie of another program (%s) does not prevent access",
  async (cookie) => {
    expect((await ask("/api/startup-status", { cookie })).status).toBe(200);
    expect((await ask("/api/sessions", { cookie: `${cookie}; svc_auth_token=${api.token}` })).status).toBe(200);
  },
);

describe("an idempotency key", () => {
  const countStored = async () => {
    const tables = parley.host.get(Databases).main.tables<{ idempotent_answers: { id: string } }>();
    return (await tables.selectFrom("idempotent_answers").selectAll().execute()).length;
  };
  const post = (path: string, body: object, token: string, key: string) =>
    api.send("POST", path, { body, token, headers: { "idempotency-key": key } });

  test("is not stored for anonymous callers, rejections and read-only routes", async () => {
    const before = await countStored();
    await post("/api/logout", {}, "", "k1");
    await post("/api/verify-token", { token: "x" }, "", "k2");
    await post("/api/login", parley.credentials, "", "k3");
    expect((await post("/api/sessions", { no_such_key: 1 }, api.token, "k4")).status).toBe(400);
    expect((await post("/api/sessions/none/archive", {}, api.token, "k5")).status).toBe(404);
    expect(await countStored()).toBe(before);
    expect((await post("/api/sessions", {}, api.token, "k6")).status).toBe(200);
    expect(await countStored()).toBe(before + 1);
  });

  test("does not make an expired credential valid", async () => {
    const other = await parley.signIn();
    const verify = () => post("/api/verify-token", { token: other.token }, other.token, "same");
    expect((await verify()).json?.data).toMatchObject({ valid: true });
    await other.post("/api/logout", {});
    expect(await verify()).toMatchObject({ status: 401 });
  });
});

describe("a request body", () => {
  test.each(["/api/login", "/api/verify-token", "/api/logout"])(
    "of an anonymous caller to %s is limited to a few KiB",
    async (path) => {
      const body = JSON.stringify({ a: "x".repeat(9_000) });
      expect(await api.send("POST", path, { token: "", body })).toMatchObject({
        status: 413,
        json: { code: "too_large" },
      });
    },
  );

  test("with more values than its size allows is rejected before it is parsed", async () => {
    const body = `{"a":[${"0,".repeat(900_000)}0]}`;
    expect(await api.send("POST", "/api/sessions", { body })).toMatchObject({
      status: 413,
      json: { code: "too_large" },
    });
  });

  test("in an unsupported encoding is rejected as such", async () => {
    const send = (encoding: string, body: Buffer) =>
      fetch(new URL("/api/sessions", parley.address), {
        method: "POST",
        headers: {
          authorization: `Bearer ${api.token}`,
          "content-type": "application/json",
          "content-encoding": encoding,
        },
        body: new Uint8Array(body),
      });
    for (const [encoding, body] of [
      ["br", brotliCompressSync("{}")],
      ["zstd", Buffer.from("{}")],
      ["GZIP", Buffer.from("{}")],
    ] as const) {
      const answer = await send(encoding, body);
      expect([encoding, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        encoding,
        400,
        "bad_request",
      ]);
    }
    expect((await send("gzip", gzipSync("{}"))).status).toBe(200);
  });
});

describe("a range request", () => {
  const store = async () => {
    const form = new FormData();
    form.append("file", new File(["0123456789"], "a.txt"));
    const headers = { authorization: `Bearer ${api.token}` };
    const sent = await fetch(new URL("/api/upload", parley.address), { method: "POST", headers, body: form });
    const { data } = (await sent.json()) as { data: { url: string } };
    return (more: Readonly<Record<string, string>>) => ask(data.url, { ...headers, ...more });
  };

  test("is answered only for the known version", async () => {
    const get = await store();
    expect(await get({})).toEqual({ status: 200, text: "0123456789" });
    expect(await get({ range: "bytes=2-3", "if-range": '"another"' })).toEqual({ status: 200, text: "0123456789" });
    expect(await get({ range: "bytes=2-3", "if-range": "Tue, 01 Jan 2030 00:00:00 GMT" })).toMatchObject({
      status: 200,
    });
    expect(await get({ range: "bytes=2-3" })).toEqual({ status: 206, text: "23" });
  });

  test("has one range: hundreds are answered with the whole, impossible ones with an error", async () => {
    const get = await store();
    const many = `bytes=${Array.from({ length: 300 }, (_, at) => `${at % 10}-${at % 10}`).join(",")}`;
    expect(await get({ range: many })).toEqual({ status: 200, text: "0123456789" });
    const { status, text } = await get({ range: "bytes=50-" });
    expect([status, JSON.parse(text)]).toEqual([
      416,
      { success: false, code: "bad_request", error: expect.any(String) },
    ]);
  });
});
