import { fillDetail, LiveEvents, type LocalizedError } from "@parley/core";
import { startReplayServer } from "@parley/simulators";
import { describe, expect, test } from "vitest";
import { type Answered, builtIn, call, scene, session, type ToolRecord, useTools } from "./tools-setup.ts";

useTools();

/** A placeholder address for test tables, which are built before any server is started. */
const SOMEWHERE = "http://127.0.0.1:9";
interface Trial {
  readonly request: { readonly url: string; readonly headers: Record<string, string>; readonly body: string } | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: LocalizedError | null;
}
const strings = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const http = (more: object = {}) => ({ type: "http", url: `${scene.shop?.address ?? SOMEWHERE}/stock`, ...more });
const draft = (more: object = {}) => ({
  name: `look_up_${++scene.count}`,
  description: "Looks up what the shop has.",
  parameters: strings("item", "note"),
  implementation: http(),
  ...more,
});
const createTool = (more: object = {}) => scene.api.post<ToolRecord>("/api/tools", draft(more));
const attempt = (implementation: object, args: object = {}, parameters: object = strings("item", "note")) =>
  scene.api.post<Trial>("/api/tools/try", { parameters, implementation, arguments: args });

describe("a custom tool", () => {
  test("is called by the model, and its answer is marked as data", async () => {
    const { id } = await scene.api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: scene.models.baseUrl,
    });
    const { name } = await createTool({
      implementation: http({
        query: { q: "{{item}}" },
        headers_env: { "X-Shop": "SHOP_TOKEN" },
        response_path: "found[0].left",
      }),
    });
    scene.shop.answers.push({ body: { found: [{ left: 7 }] } });
    scene.models.script.push(
      { kind: "tool", name, args: { item: "red & blue" } },
      { kind: "text", text: "Seven are left." },
    );
    const chat = await session({ model_id: id });
    const { replies } = await scene.api.post<Answered>(`/api/sessions/${chat}/chat`, { content: "How many are left?" });
    expect(replies[0]).toMatchObject({ content: "Seven are left.", tool_calls: [{ name, status: "ok", result: "7" }] });
    expect(scene.models.requests.at(-2)?.body.tools?.map((one) => one.function.name)).toContain(name);
    expect(JSON.stringify(scene.models.requests.at(-1)?.body.messages)).toContain(`<data source=\\"${name}\\">`);
    const asked = scene.shop.calls.at(-1);
    expect(asked?.path).toBe("/stock?q=red+%26+blue");
    expect(asked?.headers["x-shop"]).toBe("shop-secret-token");
    await scene.api.send("DELETE", `/api/ai-models/${id}`);
  });

  test("gets no arguments that its schema rejects", async () => {
    const parameters = { ...strings("item"), required: ["item"], additionalProperties: false };
    const { name } = await createTool({ parameters });
    const before = scene.shop.calls.length;
    expect(await call(name, {})).toMatchObject({ status: "error", result: expect.stringMatching(/bad_request.*item/) });
    expect(await call(name, { item: 5 })).toMatchObject({ status: "error", result: expect.stringContaining("string") });
    expect(await call(name, { item: "a", other: 1 })).toMatchObject({ status: "error" });
    expect(scene.shop.calls).toHaveLength(before);
  });

  test("disappears from the model when it is disabled or deleted, and gets its new name when it is renamed", async () => {
    const { id, name } = await createTool({ implementation: { type: "static", result: "Closed on {{item}}." } });
    expect(await call(name, { item: "Monday" })).toMatchObject({ status: "ok", result: "Closed on Monday." });
    expect(await scene.api.post(`/api/tools/${id}/toggle`, { enabled: false })).toEqual({ id, enabled: false });
    expect(await call(name)).toBeUndefined();
    await scene.api.put(`/api/tools/${id}`, { enabled: true, name: `${name}_b` });
    expect(await call(name)).toBeUndefined();
    expect(await call(`${name}_b`)).toMatchObject({ status: "ok" });
    await scene.api.send("DELETE", `/api/tools/${id}`);
    expect(await call(`${name}_b`)).toBeUndefined();
  });

  test("asks a person before each call if configured", async () => {
    const { name } = await createTool({ requires_confirm: true, implementation: { type: "static", result: "done" } });
    const id = await session();
    const asked = Promise.withResolvers<string>();
    const stop = scene.parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "exec_confirm_request" && session_id === id) asked.resolve(String(payload.request_id));
    });
    const answering = call(name, {}, id);
    await scene.api.post(`/api/confirmations/${await asked.promise}`, { approved: true });
    expect(await answering).toMatchObject({ status: "ok", result: "done" });
    stop();
  });

  test("is the same after a restart", async () => {
    const { name, id } = await createTool({ implementation: { type: "static", result: "still here" } });
    await scene.api.post("/api/tools/_builtin_get_date_time/toggle", { enabled: false });
    await scene.api.post("/api/system/reload-core", {});
    expect(await call(name)).toMatchObject({ result: "still here" });
    expect(await builtIn("get_date_time")).toMatchObject({ enabled: false });
    expect(await call("get_date_time")).toBeUndefined();
    await scene.api.post("/api/tools/_builtin_get_date_time/toggle", { enabled: true });
    expect(await call("get_date_time")).toMatchObject({ status: "ok" });
    await scene.api.send("DELETE", `/api/tools/${id}`);
  });
});

describe("a tool test", () => {
  test("shows the sent request with masked secrets, and the answer", async () => {
    scene.shop.answers.push({ status: 201, body: { ok: true } });
    const body = { item: "{{item}}", count: "{{count}}", tags: ["{{note}}", "x"] };
    const parameters = { type: "object", properties: { item: {}, count: { type: "number" }, note: {} } };
    const trial = await attempt(
      http({
        method: "POST",
        url: `${scene.shop.address}/a b/{{item}}?one={{item}}`,
        headers_env: { authorization: "SHOP_TOKEN" },
        body,
      }),
      { item: "x/y&z", count: 3 },
      parameters,
    );
    expect(trial).toMatchObject({ status: 201, result: '{"ok":true}', error: null });
    expect(trial.request?.url).toBe(`${scene.shop.address}/a%20b/x%2Fy%26z?one=x%2Fy%26z`);
    expect(trial.request?.headers).toEqual({ authorization: "***", "content-type": "application/json" });
    expect(JSON.parse(scene.shop.calls.at(-1)?.raw.toString() ?? "")).toEqual({
      item: "x/y&z",
      count: 3,
      tags: [null, "x"],
    });
    expect(scene.shop.calls.at(-1)?.headers.authorization).toBe("shop-secret-token");
  });

  test("keeps arguments at their position in the address", async () => {
    const hostile = '"}, "admin": true, "x": {"a": "\r\nX-Evil: 1&b=<c>';
    const bodies = [
      ["application/json", '{"note": "{{note}}"}', JSON.stringify({ note: hostile })],
      ["application/x-www-form-urlencoded", "note={{note}}", `note=${encodeURIComponent(hostile)}`],
      [
        "application/xml",
        "<n>{{note}}</n>",
        `<n>${hostile.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")}</n>`,
      ],
    ] as const;
    for (const [type, body, sent] of bodies) {
      scene.shop.answers.push({ body: {} });
      await attempt(http({ method: "POST", headers: { "content-type": type }, body }), { note: hostile });
      expect(scene.shop.calls.at(-1)?.raw.toString()).toBe(sent);
    }
    const inHeader = await attempt(http({ headers: { "X-Note": "{{note}}" } }), { note: hostile });
    expect(inHeader.error).toMatchObject({ code: "bad_request", error: expect.stringContaining("X-Note") });
    for (const item of ["..", ".", "%2e%2e"]) {
      const { request, error } = await attempt(http({ url: `${scene.shop.address}/items/{{item}}` }), { item });
      if (item === "%2e%2e") expect(request?.url).toBe(`${scene.shop.address}/items/%252e%252e`);
      else expect(error).toMatchObject({ code: "bad_request" });
    }
  });

  test("truncates an answer of ten megabytes, and says so", async () => {
    scene.shop.answers.push({ headers: { "content-type": "text/plain" }, body: "y".repeat(10_000_000) });
    const { result } = await attempt(http({ max_length: 50 }));
    expect(result).toBe(`${"y".repeat(50)}\n… (cut after 50 characters)`);
  });

  test.each([
    ["a server's refusal", { status: 404, body: "no such thing" }, {}, "upstream_failed", /404: no such thing/],
    ["an answer that is no JSON", { body: "plain" }, { response_path: "a" }, "upstream_failed", /not JSON/],
    ["an answer without what is wanted", { body: { b: 1 } }, { response_path: "a[0]" }, "upstream_failed", /no a\[0\]/],
  ] as const)("reports %s", async (_, answer, more, code, text) => {
    scene.shop.answers.push(answer);
    const { error, result } = await attempt(http(more));
    expect(result).toBeNull();
    expect(error).toMatchObject({ code, error: expect.stringMatching(text) });
    expect(fillDetail(error?.detail ?? {}, "zh")).toMatch(/^(服务器|返回的内容)/);
  });

  test("reaches private addresses only if the setting allows it, and metadata addresses never", async () => {
    const metadata = await attempt(http({ url: "http://169.254.169.254/latest" }));
    expect(metadata.error).toMatchObject({ code: "bad_request" });
    await scene.api.put("/api/settings", { tools: { allow_private_addresses: false } });
    const before = scene.shop.calls.length;
    expect((await attempt(http())).error).toMatchObject({ code: "bad_request" });
    expect(await call("http_get", { url: `${scene.shop.address}/x` })).toMatchObject({ status: "error" });
    expect(scene.shop.calls).toHaveLength(before);
    await scene.api.put("/api/settings", { tools: { allow_private_addresses: true } });
  });

  test("follows redirects, and sends its secret to no other server", async () => {
    const other = await startReplayServer([{ body: { at: "other" } }]);
    scene.shop.answers.push({ status: 302, headers: { location: `${other.address}/there` } });
    const { result } = await attempt(http({ headers_env: { "X-Shop": "SHOP_TOKEN" } }));
    expect(result).toBe('{"at":"other"}');
    expect(other.calls[0]?.headers).not.toHaveProperty("x-shop");
    scene.shop.answers.push({ status: 302, headers: { location: "http://169.254.169.254/" } });
    expect((await attempt(http())).error).toMatchObject({ code: "bad_request" });
    await other[Symbol.asyncDispose]();
  });
});

test.each<[string, object, RegExp]>([
  ["a name that begins like one of another server", { name: "mcp__a" }, /name/],
  ["a name with a blank", { name: "look up" }, /name/],
  ["a template that names nothing", { implementation: http({ query: { a: "{{nothing}}" } }) }, /\{\{nothing\}\}/],
  ["an address of no web server", { implementation: { type: "http", url: "file:///etc/passwd" } }, /http or https/],
  [
    "a server that an argument chooses",
    { implementation: { type: "http", url: "https://{{item}}.example.org/" } },
    /server/,
  ],
  ["a user in the address", { implementation: { type: "http", url: "https://a:b@example.org/" } }, /user/],
  ["a header of the connection", { implementation: http({ headers: { Host: "x" } }) }, /Host/],
  ["a variable of the service itself", { implementation: http({ headers_env: { a: "SVC_ADMIN_PASSWORD" } }) }, /SVC_/],
  [
    "JSON that an argument could break",
    {
      implementation: http({
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"a": {{item}}}',
      }),
    },
    /quotes/,
  ],
  ["code", { implementation: { type: "javascript", code: "1" } }, /type/],
  ["an implementation that only the service has", { implementation: { type: "builtin" } }, /http or static/],
  ["a schema of no object", { parameters: { type: "string" } }, /object/],
  ["a schema that is none", { parameters: { type: "object", properties: { a: { type: "nonsense" } } } }, /JSON Schema/],
  [
    "a schema of elsewhere",
    { parameters: { type: "object", properties: { a: { $ref: "https://example.org/s" } } } },
    /local/,
  ],
  ["a schema as large as a book", { parameters: { type: "object", title: "x".repeat(65_536) } }, /64 KiB/],
  ["an argument that stands for a person's word", { parameters: strings("confirm") }, /confirm/],
])("no tool has %s", async (_, more, text) => {
  const { status, json } = await scene.api.send("POST", "/api/tools", { body: draft(more) });
  expect([status, json?.code]).toEqual([400, "bad_request"]);
  expect(json?.error).toMatch(text);
});

test("a pattern in a schema is shown to the model and never executed", async () => {
  const parameters = { type: "object", properties: { item: { type: "string", pattern: "^(a+)+$" } } };
  const { name } = await createTool({ parameters, implementation: { type: "static", result: "ok" } });
  const begun = performance.now();
  expect(await call(name, { item: `${"a".repeat(40)}!` })).toMatchObject({ status: "ok" });
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test("a name is unique among bundled tools, plugins' tools and custom tools, whatever its case", async () => {
  const { id, name } = await createTool();
  for (const taken of ["get_date_time", "GET_DATE_TIME", "web_delete_session", name.toUpperCase()]) {
    const { status } = await scene.api.send("POST", "/api/tools", { body: draft({ name: taken }) });
    expect([taken, status]).toEqual([taken, 409]);
  }
  const stale = await scene.api.send("PUT", `/api/tools/${id}`, {
    body: { description: "b" },
    headers: { "if-match": '"7"' },
  });
  expect(stale.status).toBe(409);
});
