import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import Joi from "@hapi/joi";
import {
  Accounts,
  AppError,
  type Caller,
  Clock,
  Databases,
  definePlugin,
  notFound,
  Redaction,
  type Route,
  RouteTables,
  reply,
  route,
  silentLogger,
  systemClock,
} from "@parley/core";
import { answerFields, shape } from "@parley/core/http";
import { memoryDatabases, type StartedPlugins, startPlugins, testCaller } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRedaction } from "../diagnostics/redaction.ts";
import { createHttpListener, type HttpListener, type MountedGeneration } from "./listener/http-listener.ts";

let front: HttpListener;
let mounted: MountedGeneration;
let plugins: StartedPlugins;
let calls: unknown[];
let isAborted: boolean;

const reader: Caller = {
  ...testCaller,
  kind: "api_key",
  credentialId: "key_r",
  scopes: ["read"],
  rateLimitPerMinute: 3,
};
const callers: Readonly<Record<string, Caller>> = {
  admin: testCaller,
  reader,
  tools: { ...reader, credentialId: "key_m", scopes: ["mcp"] },
};

const SECRET = "hunter2-and-more";
const { text, count, orNull, listOf } = answerFields;
const listed = shape({ items: listOf(text), revision: count });
const changed = shape(
  { thing_id: text, name: text, size: count.optional(), ifMatch: answerFields.anything.optional() },
  "Thing",
);

const rows = (): readonly Route[] => [
  route({ method: "GET", path: "/api/things", summary: "list", data: listed, run: () => ({ items: [], revision: 3 }) }),
  route({
    method: "POST",
    path: "/api/things",
    summary: "make",
    data: shape({ name: text, token: orNull(text) }),
    body: Joi.object<{ name: string; size?: number; word?: string }>({
      name: Joi.string().required(),
      size: Joi.number(),
      word: Joi.string()
        .pattern(/^[a-z]+$/, "small letters")
        .pattern(/^.{1,9}$/),
    }),
    run({ body }) {
      calls.push(body);
      return reply({ data: { name: body.name, token: "tok_once" }, headers: { "set-cookie": "a=b" } });
    },
  }),
  route({
    method: "PUT",
    path: "/api/things/{thing_id}",
    summary: "change",
    data: changed,
    body: Joi.object<{ name?: string }>({ name: Joi.string() }).min(1),
    run: ({ params, body, ifMatch }) => ({ ...params, ...body, ifMatch }),
  }),
  route({
    method: "POST",
    path: "/api/form",
    summary: "a form",
    data: answerFields.record,
    payload: "multipart",
    body: Joi.object<{ size: number; isOn: boolean }>({
      size: Joi.number().required(),
      isOn: Joi.boolean().required(),
    }),
    run: ({ body, parts }) => ({
      body,
      files: parts.filter(({ filename }) => filename).map(({ filename, bytes }) => [filename, bytes.length]),
    }),
  }),
  route({
    method: "GET",
    path: "/api/slow",
    summary: "never ends",
    data: answerFields.anything,
    timeoutMs: 20,
    run: ({ signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          isAborted = true;
        });
      }),
  }),
  route({
    method: "GET",
    path: "/api/broken",
    summary: "fails",
    data: answerFields.anything,
    run: () => {
      throw new Error("SELECT password FROM accounts");
    },
  }),
  route({
    method: "GET",
    path: "/api/busy",
    summary: "busy",
    data: answerFields.anything,
    run: () => {
      throw new AppError("unavailable", "try again", { retryAfterS: 7 });
    },
  }),
  route({
    method: "GET",
    path: "/api/lost",
    summary: "is not there",
    data: answerFields.anything,
    run() {
      throw notFound("thing", SECRET);
    },
  }),
  route({
    method: "GET",
    path: "/api/wrong",
    summary: "names a field",
    data: answerFields.anything,
    run() {
      throw new AppError("bad_request", "config.url: must be https");
    },
  }),
  route({
    method: "POST",
    path: "/api/hooks/{hook_id}",
    summary: "takes nothing while it is behind",
    data: text,
    auth: "open",
    payload: "raw",
    busy: ({ params }) =>
      params.hook_id === "flooded" ? { reason: "too many at once", retryAfterS: 4, traceId: "gw_1" } : undefined,
    run: ({ parts }) => {
      calls.push(parts.length);
      return "taken";
    },
  }),
  route({
    method: "GET",
    path: "/api/open",
    summary: "open",
    data: text,
    auth: "open",
    run: ({ caller }) => caller.kind,
  }),
];

beforeEach(async () => {
  calls = [];
  isAborted = false;
  const plugin = definePlugin({ id: "things", register: ({ contribute }) => contribute(RouteTables, rows) });
  const redaction = createRedaction();
  redaction.remember(SECRET);
  plugins = await startPlugins([plugin], {
    services: [
      [Redaction, redaction],
      [Accounts, { authenticate: async (secret: string) => callers[secret], onRevoked: () => () => {} }],
      [Databases, memoryDatabases()],
      [Clock, systemClock],
    ],
  });
  front = await createHttpListener({ host: "127.0.0.1", port: 0, log: silentLogger });
  mounted = await mount();
});
afterEach(async () => {
  await mounted.end("none");
  await front[Symbol.asyncDispose]();
});

const nobody = () => Promise.reject(new AppError("not_found", "no"));
const mount = (web: Readonly<Record<string, string>> = {}) =>
  front.mount({
    from: plugins,
    sections: { section: () => web },
    plugins: { list: () => [], iconOf: () => undefined, change: nobody, remove: nobody },
    log: silentLogger,
  });

interface Asked {
  readonly as?: string;
  readonly body?: string | FormData;
  readonly headers?: Record<string, string>;
}
async function ask(method: string, path: string, { as = "admin", body, headers = {} }: Asked = {}) {
  const isText = typeof body === "string";
  const response = await fetch(front.address + path, {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(isText && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) };
}

describe("a busy route", () => {
  test("answers with 503 and a delay before the body is read, whoever the caller is", async () => {
    const { port } = new URL(front.address);
    // Announces a body and never sends it.
    const asking = request({
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/api/hooks/flooded",
      headers: { "content-length": "100", "content-type": "application/json" },
    });
    asking.flushHeaders();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ "retry-after": "4", "x-trace-id": "gw_1", "cache-control": "no-store" });
    expect(await json(response)).toEqual({ success: false, error: "too many at once", code: "unavailable" });
    asking.destroy();
    expect(calls).toEqual([]);
  });

  test("accepts requests that its limit allows", async () => {
    expect((await ask("POST", "/api/hooks/quiet", { as: "", body: "{}" })).json.data).toBe("taken");
    expect(calls).toEqual([1]);
  });
});

describe("the translatable detail of an error", () => {
  const detailOf = async (...asked: Parameters<typeof ask>) =>
    JSON.parse((await ask(...asked)).headers.get("x-parley-error") ?? "null");

  test("is its key and its parameters, without secrets", async () => {
    expect(await detailOf("GET", "/api/lost")).toEqual({ key: "not_found", params: { kind: "thing", id: "***" } });
    expect(await detailOf("GET", "/api/things", { as: "" })).toEqual({ key: "sign_in_first", params: {} });
  });

  test("is the field of the request, and the rule of the schema that it breaks", async () => {
    expect(await detailOf("POST", "/api/things", { body: "{}" })).toMatchObject({ key: "any.required", field: "name" });
    const sent = { name: "a", size: "not a number" };
    const detail = await detailOf("POST", "/api/things", { body: JSON.stringify(sent) });
    expect(detail).toMatchObject({ key: "number.base", field: "size" });
    expect(JSON.stringify(detail)).not.toContain("not a number");
  });

  test("is every problem of a request, each at its field", async () => {
    const sent = { name: 7, size: "not a number", colour: "red" };
    const { key, field, others } = await detailOf("POST", "/api/things", { body: JSON.stringify(sent) });
    expect({ key, field }).toEqual({ key: "string.base", field: "name" });
    expect(others).toEqual([
      { error: "must be a number", key: "number.base", field: "size", params: {} },
      { error: "is not allowed", key: "object.unknown", field: "colour", params: { child: "colour" } },
    ]);
    expect(JSON.stringify(others)).not.toContain("not a number");
  });

  test("is a text that represents a number too", async () => {
    const detail = await detailOf("POST", "/api/things", { body: JSON.stringify({ name: 7, size: "5" }) });
    expect(detail).toMatchObject({ field: "name", others: [{ key: "number.base", field: "size" }] });
  });

  test("stays short, however many problems there are", async () => {
    const names = (most: number) => Object.fromEntries(Array.from({ length: most }, (_, at) => [`unknown_${at}`, 1]));
    const { headers } = await ask("POST", "/api/things", { body: JSON.stringify(names(500)) });
    expect(headers.get("x-parley-error")?.length).toBeLessThanOrEqual(2_048);
    const detail = await detailOf("POST", "/api/things", { body: JSON.stringify(names(1_001)) });
    expect(detail).toMatchObject({ key: "any.required", field: "name" });
    expect(detail).not.toHaveProperty("others");
  });

  test("is the field that a message begins with, when nothing else is known", async () => {
    expect(await detailOf("GET", "/api/wrong")).toEqual({ key: "bad_request", field: "config.url" });
  });

  test("is missing for an unexpected error", async () => {
    expect(await detailOf("GET", "/api/broken")).toBeNull();
  });
});

describe("authorization", () => {
  test("is checked before the body is read", async () => {
    const big = "x".repeat(3_000_000);
    expect((await ask("POST", "/api/things", { as: "", body: big })).status).toBe(401);
    expect((await ask("POST", "/api/things", { as: "reader", body: big })).status).toBe(403);
    expect((await ask("POST", "/api/things", { body: big })).status).toBe(413);
  });

  test("hides which routes exist without a login, and answers 404 with any login", async () => {
    expect((await ask("GET", "/api/none", { as: "" })).status).toBe(401);
    expect(await ask("GET", "/api/none", { as: "tools" })).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect((await ask("DELETE", "/api/things")).status).toBe(404);
  });

  test("is not required on a public route", async () => {
    expect((await ask("GET", "/api/open", { as: "" })).json.data).toBe("anonymous");
    expect((await ask("GET", "/api/open", { as: "wrong" })).json.data).toBe("anonymous");
    expect((await ask("GET", "/api/open")).json.data).toBe("login");
  });

  test("delays an API key that exceeds its rate", async () => {
    for (let count = 0; count < 3; count += 1)
      expect((await ask("GET", "/api/things", { as: "reader" })).status).toBe(200);
    const fourth = await ask("GET", "/api/things", { as: "reader" });
    expect(fourth).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(Number(fourth.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("an answer", () => {
  test("is wrapped in an envelope, tagged with its revision and has security headers", async () => {
    const { json, headers } = await ask("GET", "/api/things", { headers: { "x-request-id": "mine-1" } });
    expect(json).toEqual({ success: true, data: { items: [], revision: 3 }, message: "" });
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: '"3"',
      "x-request-id": "mine-1",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  test("to an unexpected error shows only an id for the log", async () => {
    const { status, json } = await ask("GET", "/api/broken");
    expect(status).toBe(500);
    expect(json.error).toMatch(/^internal error \(req_[0-9a-z]{20}\)$/);
  });

  test("contains a delay for the next attempt", async () => {
    const { status, headers } = await ask("GET", "/api/busy");
    expect([status, headers.get("retry-after")]).toEqual([503, "7"]);
  });

  test("that takes too long is aborted together with its work", async () => {
    expect(await ask("GET", "/api/slow")).toMatchObject({ status: 504, json: { code: "timed_out" } });
    expect(isAborted).toBe(true);
  });
});

describe("a body", () => {
  test.each([
    ['{"name":"a","size":"5"}', "size: must be a number"],
    ['{"size":5}', "name: is required"],
    ['{"name":"a","surprise":1}', "surprise: is not allowed"],
    // Submitted values may be secret, so the error does not repeat them.
    ['{"name":"a","word":"SESAME"}', "word: must be small letters"],
    ['{"name":"a","word":"sesameseeds"}', "word: must match /^.{1,9}$/"],
    ['{"name":"a","size":1e999}', "size: is a number too large to store"],
  ])("is rejected with the field's name: %s", async (body, error) => {
    expect(await ask("POST", "/api/things", { body })).toMatchObject({ status: 400, json: { error } });
    expect(calls).toEqual([]);
  });

  test("that is sent back with read-only fields is accepted, but not with another id", async () => {
    const put = (body: string) => ask("PUT", "/api/things/t1", { body, headers: { "if-match": '"3"' } });
    expect((await put('{"id":"t1","revision":3,"size":7,"name":"b"}')).json.data).toEqual({
      thing_id: "t1",
      name: "b",
      ifMatch: 3,
    });
    expect(await put('{"id":"t2","name":"b"}')).toMatchObject({ status: 400 });
    expect(await put('{"sise":7,"name":"b"}')).toMatchObject({ status: 400 });
    expect(await put("{}")).toMatchObject({ status: 400, json: { error: "nothing to update" } });
  });

  test("of a form accepts numbers and switches as text, and files as bytes", async () => {
    const form = new FormData();
    form.set("size", "5");
    form.set("isOn", "true");
    form.set("file", new Blob(["hello"]), "../a.txt");
    expect((await ask("POST", "/api/form", { body: form })).json.data).toEqual({
      body: { size: 5, isOn: true },
      files: [["../a.txt", 5]],
    });
  });

  test.each([
    ['"3"', 3],
    ['W/"3"', 3],
    ["3", 3],
    ["*", undefined],
  ])("with If-Match %s has the revision %s", async (tag, revision) => {
    const { status, json } = await ask("PUT", "/api/things/t1", { body: '{"name":"b"}', headers: { "if-match": tag } });
    expect([status, json.data.ifMatch]).toEqual([200, revision]);
  });

  test.each(['"not-the-etag"', '"1", "2"', "W/*", '"*"', '"2"3'])(
    "with If-Match %s matches no record, and is a conflict",
    async (tag) => {
      const asked = { body: '{"name":"b"}', headers: { "if-match": tag } };
      expect(await ask("PUT", "/api/things/t1", asked)).toMatchObject({ status: 409, json: { code: "conflict" } });
    },
  );
});

describe("an idempotency key", () => {
  const post = (body: string, key = "k1") => ask("POST", "/api/things", { body, headers: { "idempotency-key": key } });

  test("returns the same answer to a repeat without repeating the work, and hides secrets shown once", async () => {
    const first = await post('{"name":"a"}');
    const again = await post('{"name":"a"}');
    expect(calls).toHaveLength(1);
    expect(first.json.data).toEqual({ name: "a", token: "tok_once" });
    expect(first.headers.get("set-cookie")).toBe("a=b");
    expect(again.json.data).toEqual({ name: "a", token: null });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  test("with another body is a conflict, and another key is another call", async () => {
    await post('{"name":"a"}');
    expect(await post('{"name":"b"}')).toMatchObject({ status: 409 });
    expect((await post('{"name":"b"}', "k2")).status).toBe(200);
    expect(calls).toHaveLength(2);
  });

  test("is not consumed by a rejection, so that the next attempt may succeed", async () => {
    expect((await post("{}")).status).toBe(400);
    expect((await post('{"name":"a"}')).json.data).toMatchObject({ name: "a" });
    const again = await post('{"name":"a"}');
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
  });
});

describe("other origins", () => {
  test("may call with a bearer token only when they are configured", async () => {
    await mounted.end("none");
    mounted = await mount({ cors_origins: "https://app.example.org" });
    const from = (origin: string) => ask("GET", "/api/things", { headers: { origin } });
    expect((await from("https://app.example.org")).headers.get("access-control-allow-origin")).toBe(
      "https://app.example.org",
    );
    expect((await from("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await ask("OPTIONS", "/api/things", { as: "", headers: { origin: "https://app.example.org" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-credentials")]).toEqual([204, null]);
  });
});

test("requests between two generations are asked to try again", async () => {
  await mounted.end("none");
  const answer = await ask("GET", "/api/things");
  expect([answer.status, answer.headers.get("retry-after"), answer.json.code]).toEqual([503, "1", "unavailable"]);
  mounted = await mount();
  expect((await ask("GET", "/api/things")).status).toBe(200);
});

test("requests during a plugin reload wait for the new plugins", async () => {
  const replaced = mounted;
  const ending = replaced.end("follows");
  const waiting = ask("GET", "/api/things");
  await ending;
  mounted = await mount();
  expect((await waiting).status).toBe(200);
});

test("the API is described: every route, and a page for people", async () => {
  const document = (await ask("GET", "/api/openapi.json")).json;
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toContain("/api/things/{thing_id}");
  expect(document.paths["/api/things"].post.requestBody.content["application/json"].schema.required).toEqual(["name"]);
  const page = await (await fetch(`${front.address}/api/docs`)).text();
  expect(page).toContain("/api/things/{thing_id}");
});
