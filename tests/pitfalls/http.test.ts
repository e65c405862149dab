import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let session: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  session = (await api.post<{ id: string }>("/api/sessions", { name: "kept" })).id;
});

afterAll(() => parley[Symbol.asyncDispose]());

/** Bytes as written: what no HTTP client would send. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(parley.address).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

/** The status of an upgrade that is rejected; 101 when it is not. */
async function upgrade(headers: Record<string, string>): Promise<number> {
  const asking = request(new URL("/api/ws", parley.address), {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": Buffer.alloc(16).toString("base64"),
      ...headers,
    },
  });
  asking.on("error", () => {});
  asking.end();
  const [response] = await Promise.race([
    once(asking, "response"),
    once(asking, "upgrade").then(([answer, socket]) => {
      socket.destroy();
      return [answer];
    }),
  ]);
  response.destroy();
  return response.statusCode;
}

const cookie = () => `svc_auth_token=${api.token}`;
const nothing = async () => (await api.get<{ total: number }>(`/api/sessions/${session}/messages`)).total;

describe("6: HTTP and sockets", () => {
  test.each([
    ["6.1 a foreign origin on the socket", () => ({ origin: "http://evil.example", cookie: cookie() })],
    ["6.1 a cookie without an origin on the socket", () => ({ cookie: cookie() })],
    ["6.2 a foreign host on the socket", () => ({ host: "evil.example", authorization: `Bearer ${api.token}` })],
  ])("%s: 403", async (_what, headers) => {
    expect(await upgrade(headers() as Record<string, string>)).toBe(403);
  });

  test.each([
    ["a foreign origin", { origin: "http://evil.example" }],
    ["a foreign site", { "sec-fetch-site": "cross-site" }],
    ["no proof of origin", {}],
  ])("6.1 a change by cookie with %s: 403", async (_what, headers) => {
    const answer = await api.send("POST", "/api/sessions", {
      token: "",
      body: {},
      headers: { cookie: cookie(), ...headers },
    });
    expect(answer).toMatchObject({ status: 403, json: { code: "permission_denied" } });
  });

  test("6.1 a change by cookie from the own pages works", async () => {
    const headers = { cookie: cookie(), origin: new URL(parley.address).origin };
    expect((await api.send("POST", "/api/sessions", { token: "", body: {}, headers })).status).toBe(200);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "image/png"])(
    "6.3, 6.11 JSON sent as %s: 400",
    async (type) => {
      const body = JSON.stringify({ content: "hello" });
      const path = `/api/sessions/${session}/messages`;
      const answer = await api.send("POST", path, { body, headers: { "content-type": type } });
      expect(answer).toMatchObject({ status: 400, json: { code: "bad_request" } });
      expect(await nothing()).toBe(0);
    },
  );

  test("6.4 the method is that of the request line", async () => {
    const headers = { "x-http-method-override": "DELETE" };
    expect((await api.send("GET", `/api/sessions/${session}`, { headers })).json?.data).toMatchObject({ id: session });
    for (const method of ["PATCH", "DELETE"]) {
      expect(await api.send(method, "/api/sessions"), method).toMatchObject({
        status: 404,
        json: { code: "not_found" },
      });
    }
    const trace = await raw(
      `TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(trace).toMatch(/^HTTP\/1.1 40[045]/);
    expect(trace).not.toContain(api.token);
  });

  test.each([
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n"],
    ["length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"],
    ["a line break in a value", "X-A: b\rX-C: d\r\n"],
  ])("6.5 %s: 400", async (_what, headers) => {
    const answer = await raw(`POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n{}`);
    expect(answer).toMatch(/^HTTP\/1.1 400/);
  });

  test("6.6 a token in the query string is no credential", async () => {
    const answer = await api.send("GET", "/api/sessions", {
      token: "",
      query: { token: api.token, access_token: api.token },
    });
    expect(answer).toMatchObject({ status: 401, json: { code: "unauthorized" } });
  });

  test.each([
    ["a body as deep as a well", `{"metadata":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`, [400]],
    ["33 levels", `{"metadata":${'{"a":'.repeat(33)}1${"}".repeat(33)}}`, [400]],
    ["a million keys", `{${Array.from({ length: 300_000 }, (_, key) => `"k${key}":1`).join(",")}}`, [400, 413]],
    ["a number beyond all numbers", '{"name":"x","metadata":{"n":1e999}}', [400]],
    ["a prototype", '{"metadata":{"__proto__":{"polluted":true}}}', [400]],
    ["a constructor", '{"metadata":{"a":{"constructor":{"prototype":{}}}}}', [400]],
    ["no JSON", '{"name":', [400]],
    ["a list", "[]", [400]],
    ["a word", '"name"', [400]],
    ["null", "null", [400]],
    ["a string for a boolean", '{"favorite":"true"}', [400]],
    ["a number for a string", '{"name":5}', [400]],
    ["null for what cannot be empty", '{"name":null}', [400]],
  ])("6.7 %s", async (_what, body, statuses) => {
    const before = (await api.get<{ total: number }>("/api/sessions")).total;
    const answer = await api.send("POST", "/api/sessions", { body });
    expect(statuses).toContain(answer.status);
    expect(answer.json).toMatchObject({ success: false });
    expect((await api.get<{ total: number }>("/api/sessions")).total).toBe(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("6.7 of a duplicate key the last one counts", async () => {
    const answer = await api.send("POST", "/api/sessions", { body: '{"name":"first","name":"last"}' });
    expect(answer.json?.data).toMatchObject({ name: "last" });
  });

  test("6.8 a body that is too large: 413, compressed or not", async () => {
    const big = JSON.stringify({ name: "x", metadata: { text: "a".repeat(3_000_000) } });
    const plain = await api.send("POST", "/api/sessions", { body: big });
    expect(plain).toMatchObject({ status: 413, json: { code: "too_large" } });
    const packed = await fetch(new URL("/api/sessions", api.address), {
      method: "POST",
      headers: {
        authorization: `Bearer ${api.token}`,
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body: gzipSync(Buffer.alloc(50_000_000, 32)),
    });
    expect(packed.status).toBe(413);
  });

  test.each([
    "/api/%2e%2e/sessions",
    "//api/sessions",
    "/api/sessions/",
    "/API/sessions",
    "/api/sessions/..%2f..%2fetc",
    "/api/none",
  ])("6.9 %s does not bypass the login, and is not found", async (path) => {
    const line = (token: string) =>
      raw(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${token && `Authorization: Bearer ${token}\r\n`}\r\n`,
      );
    expect(await line("")).toMatch(/^HTTP\/1.1 40[14]/);
    expect(await line(api.token)).toMatch(/^HTTP\/1.1 404/);
  });

  test("6.10 forwarding headers of an untrusted peer are ignored", async () => {
    const headers = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example",
    };
    const login = await api.send("POST", "/api/login", { body: parley.credentials, headers, token: "" });
    expect(login.headers.get("set-cookie")).not.toContain("Secure");
    const tokens = await api.get<{ items: readonly { ip_address: string }[] }>("/api/login-tokens");
    expect(tokens.items.map(({ ip_address }) => ip_address)).not.toContain("203.0.113.9");
  });

  test("6.12 a frame that is too large closes the socket and has no other effect", async () => {
    const socket = new WebSocket(`${parley.address.replace("http", "ws")}/api/ws`, {
      headers: { authorization: `Bearer ${api.token}` },
    });
    await once(socket, "open");
    socket.send("x".repeat(1024 * 1024 + 1));
    const [code] = await once(socket, "close");
    expect(code).toBe(1009);
    expect((await api.send("GET", "/api/sessions")).status).toBe(200);
  });

  test.each(["..", "../x", "..%2fx", "%2e%2e/x", "C:\\x", "x\u0000y", "CON", "a".repeat(5000)])(
    "an id like %s is just unknown",
    async (id) => {
      const answer = await api.send("GET", `/api/sessions/${encodeURIComponent(id)}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.text).not.toMatch(/\/work|\/root|node_modules|SQLITE|at .+\.ts/);
    },
  );
});

describe("7: authentication", () => {
  const asked = (token: string) => api.send("GET", "/api/sessions", { token });

  test("7.3 a revoked token and an expired token are rejected at once", async () => {
    const { token, hash_full } = await api.post<{ token: string; hash_full: string }>("/api/login-tokens", {});
    expect((await asked(token)).status).toBe(200);
    await api.send("DELETE", `/api/login-tokens/${hash_full}`);
    expect(await asked(token)).toMatchObject({ status: 401, json: { code: "unauthorized" } });
  });

  test("7.4 the shown form of a token is no valid token", async () => {
    const { hash_full, token_prefix } = await api.post<{ hash_full: string; token_prefix: string }>(
      "/api/login-tokens",
      {},
    );
    for (const text of [hash_full, token_prefix, "", "Bearer", "null"]) {
      const answer = await api.send("GET", "/api/sessions", {
        token: "",
        headers: { authorization: `Bearer ${text}` },
      });
      expect(answer.status, text).toBe(401);
    }
  });

  test("7.5 a caller does not choose its own scopes", async () => {
    const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "reader", scopes: ["read"] });
    const headers = { "x-scopes": "admin", scope: "admin" };
    const answer = await api.send("POST", "/api/api-keys", {
      token: secret,
      headers,
      body: { name: "more", scopes: ["admin"] },
    });
    expect(answer).toMatchObject({ status: 403, json: { code: "permission_denied" } });
  });

  test("a second login from another place does not affect the first one, and each ends by itself", async () => {
    const [one, other] = [await parley.signIn(), await parley.signIn()];
    expect((await asked(one.token)).status).toBe(200);
    await other.post("/api/logout", {});
    expect((await asked(other.token)).status).toBe(401);
    expect((await asked(one.token)).status).toBe(200);
  });

  test("7.8 after signing out twice the token is invalid everywhere, also on the socket", async () => {
    const other = await parley.signIn();
    const socket = new WebSocket(`${parley.address.replace("http", "ws")}/api/ws`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    await once(socket, "open");
    const ended = once(socket, "close");
    for (const revoked of [true, false]) expect(await other.post("/api/logout", {})).toEqual({ revoked });
    expect((await asked(other.token)).status).toBe(401);
    expect((await ended)[0]).toBe(4401);
  });

  test("7.7 the sixth wrong password is rate-limited before the password is checked", async () => {
    const login = (password: string) =>
      api.send("POST", "/api/login", { token: "", body: { username: "admin", password } });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await login("wrong password")).status).toBe(401);
    const sixth = await login(parley.credentials.password);
    expect(sixth).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(Number(sixth.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
