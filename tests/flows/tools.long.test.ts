import { LiveEvents, type LocalizedError } from "@parley/core";
import { chineseOf } from "@parley/core/chinese";
import { type ModelServer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { PNG } from "../harness/files/sample-files.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The offline model calls a tool when it is told `/tool name {…}`, and repeats what it answered.

let parley: Parley;
let api: Client;
let shop: ReplayServer;
let models: ModelServer;
let count = 0;
/** Before anything is started: for tables of tests. */
const SOMEWHERE = "http://127.0.0.1:9";

interface ToolRecord {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly source: string;
  readonly builtin: boolean;
  readonly is_offered: boolean;
}
interface Trial {
  readonly request: { readonly url: string; readonly headers: Record<string, string>; readonly body: string } | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: LocalizedError | null;
}
interface Answered {
  readonly replies: readonly {
    readonly content: string;
    readonly tool_calls: readonly { readonly name: string; readonly status: string; readonly result: string }[];
  }[];
}

beforeAll(async () => {
  shop = await startReplayServer();
  models = await startModelServer();
  const config = `[plugin.tools]\nopen_meteo_url = ${shop.address}\ngeocoding_url = ${shop.address}\nwikipedia_url = ${shop.address}\ngdelt_url = ${shop.address}\n`;
  parley = await startParley({ env: { SHOP_TOKEN: "shop-secret-token" }, config });
  api = await parley.signIn();
  await api.put("/api/settings", { tools: { allow_private_addresses: true } });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});
beforeEach(() => {
  shop.answers.length = 0;
});

const session = async (more: object = {}) => (await api.post<{ id: string }>("/api/sessions", more)).id;
const call = async (name: string, args: object = {}, id?: string) => {
  const message = { content: `/tool ${name} ${JSON.stringify(args)}` };
  const { replies } = await api.post<Answered>(`/api/sessions/${id ?? (await session())}/chat`, message);
  return replies[0]?.tool_calls[0];
};
const strings = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const http = (more: object = {}) => ({ type: "http", url: `${shop?.address ?? SOMEWHERE}/stock`, ...more });
const draft = (more: object = {}) => ({
  name: `look_up_${++count}`,
  description: "Looks up what the shop has.",
  parameters: strings("item", "note"),
  implementation: http(),
  ...more,
});
const make = (more: object = {}) => api.post<ToolRecord>("/api/tools", draft(more));
const attempt = (implementation: object, args: object = {}, parameters: object = strings("item", "note")) =>
  api.post<Trial>("/api/tools/try", { parameters, implementation, arguments: args });
const list = (query = "") => api.get<{ items: readonly ToolRecord[]; total: number }>(`/api/tools?limit=500${query}`);
const builtIn = async (name: string) => (await list("&source=builtin")).items.find((one) => one.name === name);

describe("a custom tool", () => {
  test("is called by the model, and its answer is marked as data", async () => {
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    const { name } = await make({
      implementation: http({
        query: { q: "{{item}}" },
        headers_env: { "X-Shop": "SHOP_TOKEN" },
        response_path: "found[0].left",
      }),
    });
    shop.answers.push({ body: { found: [{ left: 7 }] } });
    models.script.push({ kind: "tool", name, args: { item: "red & blue" } }, { kind: "text", text: "Seven are left." });
    const chat = await session({ model_id: id });
    const { replies } = await api.post<Answered>(`/api/sessions/${chat}/chat`, { content: "How many are left?" });
    expect(replies[0]).toMatchObject({ content: "Seven are left.", tool_calls: [{ name, status: "ok", result: "7" }] });
    expect(models.requests.at(-2)?.body.tools?.map((one) => one.function.name)).toContain(name);
    expect(JSON.stringify(models.requests.at(-1)?.body.messages)).toContain(`<data source=\\"${name}\\">`);
    const asked = shop.calls.at(-1);
    expect(asked?.path).toBe("/stock?q=red+%26+blue");
    expect(asked?.headers["x-shop"]).toBe("shop-secret-token");
    await api.send("DELETE", `/api/ai-models/${id}`);
  });

  test("gets no arguments that its schema rejects", async () => {
    const parameters = { ...strings("item"), required: ["item"], additionalProperties: false };
    const { name } = await make({ parameters });
    const before = shop.calls.length;
    expect(await call(name, {})).toMatchObject({ status: "error", result: expect.stringMatching(/bad_request.*item/) });
    expect(await call(name, { item: 5 })).toMatchObject({ status: "error", result: expect.stringContaining("string") });
    expect(await call(name, { item: "a", other: 1 })).toMatchObject({ status: "error" });
    expect(shop.calls).toHaveLength(before);
  });

  test("disappears from the model when it is disabled or deleted, and gets its new name when it is renamed", async () => {
    const { id, name } = await make({ implementation: { type: "static", result: "Closed on {{item}}." } });
    expect(await call(name, { item: "Monday" })).toMatchObject({ status: "ok", result: "Closed on Monday." });
    expect(await api.post(`/api/tools/${id}/toggle`, { enabled: false })).toEqual({ id, enabled: false });
    expect(await call(name)).toBeUndefined();
    await api.put(`/api/tools/${id}`, { enabled: true, name: `${name}_b` });
    expect(await call(name)).toBeUndefined();
    expect(await call(`${name}_b`)).toMatchObject({ status: "ok" });
    await api.send("DELETE", `/api/tools/${id}`);
    expect(await call(`${name}_b`)).toBeUndefined();
  });

  test("asks a person before each call if configured", async () => {
    const { name } = await make({ requires_confirm: true, implementation: { type: "static", result: "done" } });
    const id = await session();
    const asked = Promise.withResolvers<string>();
    const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "exec_confirm_request" && session_id === id) asked.resolve(String(payload.request_id));
    });
    const answering = call(name, {}, id);
    await api.post(`/api/confirmations/${await asked.promise}`, { approved: true });
    expect(await answering).toMatchObject({ status: "ok", result: "done" });
    stop();
  });

  test("is the same after a restart", async () => {
    const { name, id } = await make({ implementation: { type: "static", result: "still here" } });
    await api.post("/api/tools/_builtin_get_date_time/toggle", { enabled: false });
    await api.post("/api/system/reload-core", {});
    expect(await call(name)).toMatchObject({ result: "still here" });
    expect(await builtIn("get_date_time")).toMatchObject({ enabled: false });
    expect(await call("get_date_time")).toBeUndefined();
    await api.post("/api/tools/_builtin_get_date_time/toggle", { enabled: true });
    expect(await call("get_date_time")).toMatchObject({ status: "ok" });
    await api.send("DELETE", `/api/tools/${id}`);
  });
});

describe("a tool test", () => {
  test("shows the sent request with masked secrets, and the answer", async () => {
    shop.answers.push({ status: 201, body: { ok: true } });
    const body = { item: "{{item}}", count: "{{count}}", tags: ["{{note}}", "x"] };
    const parameters = { type: "object", properties: { item: {}, count: { type: "number" }, note: {} } };
    const trial = await attempt(
      http({
        method: "POST",
        url: `${shop.address}/a b/{{item}}?one={{item}}`,
        headers_env: { authorization: "SHOP_TOKEN" },
        body,
      }),
      { item: "x/y&z", count: 3 },
      parameters,
    );
    expect(trial).toMatchObject({ status: 201, result: '{"ok":true}', error: null });
    expect(trial.request?.url).toBe(`${shop.address}/a%20b/x%2Fy%26z?one=x%2Fy%26z`);
    expect(trial.request?.headers).toEqual({ authorization: "***", "content-type": "application/json" });
    expect(JSON.parse(shop.calls.at(-1)?.raw.toString() ?? "")).toEqual({ item: "x/y&z", count: 3, tags: [null, "x"] });
    expect(shop.calls.at(-1)?.headers.authorization).toBe("shop-secret-token");
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
      shop.answers.push({ body: {} });
      await attempt(http({ method: "POST", headers: { "content-type": type }, body }), { note: hostile });
      expect(shop.calls.at(-1)?.raw.toString()).toBe(sent);
    }
    const inHeader = await attempt(http({ headers: { "X-Note": "{{note}}" } }), { note: hostile });
    expect(inHeader.error).toMatchObject({ code: "bad_request", error: expect.stringContaining("X-Note") });
    for (const item of ["..", ".", "%2e%2e"]) {
      const { request, error } = await attempt(http({ url: `${shop.address}/items/{{item}}` }), { item });
      if (item === "%2e%2e") expect(request?.url).toBe(`${shop.address}/items/%252e%252e`);
      else expect(error).toMatchObject({ code: "bad_request" });
    }
  });

  test("truncates an answer of ten megabytes, and says so", async () => {
    shop.answers.push({ headers: { "content-type": "text/plain" }, body: "y".repeat(10_000_000) });
    const { result } = await attempt(http({ max_length: 50 }));
    expect(result).toBe(`${"y".repeat(50)}\n… (cut after 50 characters)`);
  });

  test.each([
    ["a server's refusal", { status: 404, body: "no such thing" }, {}, "upstream_failed", /404: no such thing/],
    ["an answer that is no JSON", { body: "plain" }, { response_path: "a" }, "upstream_failed", /not JSON/],
    ["an answer without what is wanted", { body: { b: 1 } }, { response_path: "a[0]" }, "upstream_failed", /no a\[0\]/],
  ] as const)("reports %s", async (_, answer, more, code, text) => {
    shop.answers.push(answer);
    const { error, result } = await attempt(http(more));
    expect(result).toBeNull();
    expect(error).toMatchObject({ code, error: expect.stringMatching(text) });
    expect(chineseOf(error?.detail ?? {})).toMatch(/^(服务器|返回的内容)/);
  });

  test("reaches private addresses only if the setting allows it, and metadata addresses never", async () => {
    const metadata = await attempt(http({ url: "http://169.254.169.254/latest" }));
    expect(metadata.error).toMatchObject({ code: "bad_request" });
    await api.put("/api/settings", { tools: { allow_private_addresses: false } });
    const before = shop.calls.length;
    expect((await attempt(http())).error).toMatchObject({ code: "bad_request" });
    expect(await call("http_get", { url: `${shop.address}/x` })).toMatchObject({ status: "error" });
    expect(shop.calls).toHaveLength(before);
    await api.put("/api/settings", { tools: { allow_private_addresses: true } });
  });

  test("follows redirects, and sends its secret to no other server", async () => {
    const other = await startReplayServer([{ body: { at: "other" } }]);
    shop.answers.push({ status: 302, headers: { location: `${other.address}/there` } });
    const { result } = await attempt(http({ headers_env: { "X-Shop": "SHOP_TOKEN" } }));
    expect(result).toBe('{"at":"other"}');
    expect(other.calls[0]?.headers).not.toHaveProperty("x-shop");
    shop.answers.push({ status: 302, headers: { location: "http://169.254.169.254/" } });
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
  const { status, json } = await api.send("POST", "/api/tools", { body: draft(more) });
  expect([status, json?.code]).toEqual([400, "bad_request"]);
  expect(json?.error).toMatch(text);
});

test("a pattern in a schema is shown to the model and never executed", async () => {
  const parameters = { type: "object", properties: { item: { type: "string", pattern: "^(a+)+$" } } };
  const { name } = await make({ parameters, implementation: { type: "static", result: "ok" } });
  const begun = performance.now();
  expect(await call(name, { item: `${"a".repeat(40)}!` })).toMatchObject({ status: "ok" });
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test("a name is unique among bundled tools, plugins' tools and custom tools, whatever its case", async () => {
  const { id, name } = await make();
  for (const taken of ["get_date_time", "GET_DATE_TIME", "web_delete_session", name.toUpperCase()]) {
    const { status } = await api.send("POST", "/api/tools", { body: draft({ name: taken }) });
    expect([taken, status]).toEqual([taken, 409]);
  }
  const stale = await api.send("PUT", `/api/tools/${id}`, {
    body: { description: "b" },
    headers: { "if-match": '"7"' },
  });
  expect(stale.status).toBe(409);
});

describe("the bundled tools", () => {
  test("are listed first, can be toggled and not changed", async () => {
    const { items } = await list();
    const own = items.findIndex(({ builtin }) => !builtin);
    expect(own).toBeGreaterThan(5);
    expect(items.slice(own).some(({ builtin }) => builtin)).toBe(false);
    const others = items.filter(({ name }) => ["roll_dice", "agent_run_workflow"].includes(name));
    expect(others).toMatchObject(Array(2).fill({ source: "plugin", help: { zh: expect.stringMatching(/[，。]$/) } }));
    for (const method of ["PUT", "DELETE"]) {
      const body = method === "PUT" ? { body: { description: "mine" } } : {};
      expect((await api.send(method, "/api/tools/_builtin_http_get", body)).status).toBe(400);
    }
    expect((await api.send("POST", "/api/tools/_builtin_nothing/toggle", { body: { enabled: true } })).status).toBe(
      404,
    );
  });

  test("return the time in a place", async () => {
    const { result = "" } = (await call("get_date_time", { timezone: "Asia/Tokyo" })) ?? {};
    expect(JSON.parse(result)).toMatchObject({
      timezone: "Asia/Tokyo",
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(await call("get_date_time", { timezone: "Nowhere" })).toMatchObject({ status: "error" });
  });

  test("return the weather of a city, or that there is no such city", async () => {
    const daily = {
      time: ["2026-01-06"],
      weather_code: [61],
      temperature_2m_min: [1.5],
      temperature_2m_max: [6],
      precipitation_probability_max: [80],
    };
    const current = {
      time: "2026-01-06T10:15",
      temperature_2m: 4.2,
      apparent_temperature: 1,
      relative_humidity_2m: 90,
      wind_speed_10m: 12,
      weather_code: 3,
    };
    shop.answers.push(
      { body: { results: [{ name: "Kiel", country: "Germany", latitude: 54.3, longitude: 10.1 }] } },
      { body: { current, daily } },
    );
    const { result = "" } = (await call("get_weather", { city: "Kiel" })) ?? {};
    expect(JSON.parse(result)).toMatchObject({
      place: "Kiel, Germany",
      now: { sky: "overcast", temperature: 4.2 },
      days: [{ sky: "light rain", rain: 80 }],
    });
    expect(shop.calls.at(-1)?.path).toContain("latitude=54.3");
    shop.answers.push({ body: {} });
    expect(await call("get_weather", { city: "Atlantis" })).toMatchObject({
      result: expect.stringContaining("not_found"),
    });
  });

  test("search with the configured provider, and are not offered without one", async () => {
    expect(await builtIn("search_web")).toMatchObject({ enabled: true, is_offered: false });
    expect(await call("search_web", { query: "owls" })).toBeUndefined();
    await api.put("/api/settings", { tools: { search: "wikipedia", news: "gdelt" } });
    shop.answers.push({
      body: { query: { search: [{ title: "Owl", snippet: "<b>Owls</b> &amp; more", pageid: 5 }] } },
    });
    const { result = "" } = (await call("search_web", { query: "owls" })) ?? {};
    expect(JSON.parse(result)).toEqual({
      source: "wikipedia",
      results: [{ title: "Owl", url: `${shop.address}/?curid=5`, text: "Owls & more" }],
    });
    shop.answers.push({
      body: { articles: [{ title: "N", url: "https://n.example", domain: "n.example", seendate: "20260106" }] },
    });
    expect(await call("search_news", { query: "owls" })).toMatchObject({
      result: expect.stringContaining("n.example"),
    });
    await api.put("/api/settings", { tools: { search: "searxng", searxng_url: `${shop.address}/own` } });
    shop.answers.push({ body: { results: [{ title: "A", url: "https://a.example", content: "about" }] } });
    expect(await call("search_web", { query: "owls" })).toMatchObject({ result: expect.stringContaining("a.example") });
    expect(shop.calls.at(-1)?.path).toBe("/own/search?q=owls&format=json&categories=general");
    await api.put("/api/settings", { tools: { search: "off", news: "off" } });
  });

  test("read a web page in its encoding", async () => {
    shop.answers.push({ headers: { "content-type": "text/plain" }, body: "{{hello}}" });
    expect(await call("http_get", { url: `${shop.address}/{{a}}` })).toMatchObject({
      status: "ok",
      result: "{{hello}}",
    });
    expect(shop.calls.at(-1)?.path).toBe("/%7B%7Ba%7D%7D");
    expect(await call("http_get", { url: "file:///etc/passwd" })).toMatchObject({ status: "error" });
  });
});

describe("a download", () => {
  test("is stored in the workspace of its conversation, under its own name or a chosen one", async () => {
    const id = await session();
    shop.answers.push({ headers: { "content-type": "text/csv" }, body: "a,b\n1,2\n" }, { body: "x" }, { body: "y" });
    const own = await call("download_file", { url: `${shop.address}/reports/M%C3%A4rz%202026.csv?x=1` }, id);
    expect(JSON.parse(own?.result ?? "null")).toMatchObject({ path: "März_2026.csv", size: 8 });
    const named = await call("download_file", { url: `${shop.address}/`, filename: "in/b.txt" }, id);
    expect(JSON.parse(named?.result ?? "null")).toMatchObject({ path: "in/b.txt", size: 1 });
    const rootOf = await call("download_file", { url: `${shop.address}/..` }, id);
    expect(JSON.parse(rootOf?.result ?? "null")).toMatchObject({ path: "download" });
  });

  test.each([
    ["an address that answers nothing good", { url: "/gone" }, { status: 404 }, "upstream_failed"],
    ["a path that climbs", { url: "/a", filename: "../a" }, undefined, "bad_request"],
    ["more than it may be", { url: "/big" }, { body: Buffer.alloc(51 * 1024 * 1024) }, "too_large"],
  ] as const)("leaves nothing of %s", async (_, { url, ...more }, answer, code) => {
    const id = await session();
    if (answer) shop.answers.push(answer);
    const called = await call("download_file", { url: `${shop.address}${url}`, ...more }, id);
    expect(called).toMatchObject({ status: "error", result: expect.stringContaining(code) });
    expect(await api.get(`/api/sessions/${id}/workspace/files`)).toMatchObject({ total: 0 });
  });

  test("comes from a private address only if the setting allows it", async () => {
    await api.put("/api/settings", { tools: { allow_private_addresses: false } });
    const before = shop.calls.length;
    expect(await call("download_file", { url: `${shop.address}/x` })).toMatchObject({ status: "error" });
    expect(shop.calls).toHaveLength(before);
    await api.put("/api/settings", { tools: { allow_private_addresses: true } });
  });
});

describe("a todo list", () => {
  const add = (text: string): { readonly kind: "tool"; readonly name: string; readonly args: object } => ({
    kind: "tool",
    name: "todo_add",
    args: { text },
  });
  const cardsOf = (id: string) => {
    const cards: {
      readonly todos: readonly object[];
      readonly is_complete: boolean;
      readonly parent_message_id: string;
    }[] = [];
    const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type === "todo_card" && session_id === id) cards.push(payload as never);
    });
    return { cards, stop };
  };

  test("is shown while the model works, and stored with its answer", async () => {
    const model = await api.post<{ id: string }>("/api/ai-models", { name: "t", model: "m", base_url: models.baseUrl });
    const id = await session({ model_id: model.id });
    const { cards, stop } = cardsOf(id);
    models.script.push(
      add("boil water"),
      add("brew"),
      { kind: "tool", name: "todo_complete", args: { id: 1 } },
      { kind: "text", text: "Begun." },
    );
    const { replies } = await api.post<Answered & { readonly replies: readonly { readonly id: string }[] }>(
      `/api/sessions/${id}/chat`,
      { content: "tea?" },
    );
    stop();
    expect(cards.map(({ todos, is_complete }) => [todos.length, is_complete])).toEqual([
      [1, false],
      [2, false],
      [2, false],
      [2, true],
    ]);
    expect(cards.at(-1)).toMatchObject({
      parent_message_id: replies[0]?.id,
      todos: [
        { id: 1, text: "boil water", done: true },
        { id: 2, text: "brew", done: false },
      ],
    });
    const stored = await api.get<{ readonly todos: readonly object[] }>(`/api/sessions/${id}/todos`);
    expect(stored.todos).toEqual(cards.at(-1)?.todos);
    await api.send("DELETE", `/api/ai-models/${model.id}`);
    await api.put(`/api/sessions/${id}`, { model_id: null });
    expect(await call("todo_list", {}, id)).toMatchObject({ result: expect.stringContaining("boil water") });
    expect(await call("todo_list")).toMatchObject({ result: '{"todos":[]}' });
  });

  test("is restored when the turn fails", async () => {
    const model = await api.post<{ id: string }>("/api/ai-models", {
      name: "f",
      model: "m",
      base_url: models.baseUrl,
      retry_count: 0,
    });
    const id = await session({ model_id: model.id });
    models.script.push(add("never"), { kind: "status", status: 400, message: "no" });
    await api.send("POST", `/api/sessions/${id}/chat`, { body: { content: "tea?" } });
    models.script.length = 0;
    await api.send("DELETE", `/api/ai-models/${model.id}`);
    await api.put(`/api/sessions/${id}`, { model_id: null });
    expect(await call("todo_list", {}, id)).toMatchObject({ result: '{"todos":[]}' });
  });
});

test("text of the model between tool calls passes the filter, and is not stored", async () => {
  const id = await session();
  const seen: unknown[] = [];
  const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
    if (type === "progress_message" && session_id === id) seen.push(payload);
  });
  expect(await call("send_message", { content: "half done", message_type: "success" }, id)).toMatchObject({
    status: "ok",
  });
  expect(seen).toMatchObject([{ text: "half done", level: "success" }]);
  const rule = { pattern: "plan nine", type: "keyword", filter_target: "ai", action: "recall" };
  await api.post("/api/message-filter", rule);
  expect(await call("send_message", { content: "plan nine" }, id)).toMatchObject({ status: "error" });
  stop();
  expect(seen).toHaveLength(1);
});

describe("pictures", () => {
  test("are described and drawn if a model for that is configured, and drawn ones are attached to the answer", async () => {
    expect(await builtIn("generate_image")).toMatchObject({ is_offered: false });
    expect(await call("generate_image", { prompt: "an owl" })).toBeUndefined();
    for (const purpose of ["vision", "image_generation"]) {
      await api.post("/api/ai-models", { name: purpose, model: "m", base_url: models.baseUrl, purpose });
    }
    await eventually(async () => expect(await builtIn("generate_image")).toMatchObject({ is_offered: true }));
    await eventually(async () => expect(await builtIn("understand_image")).toMatchObject({ is_offered: true }));
    models.script.push({ kind: "image", base64: PNG.toString("base64") });
    const id = await session();
    const content = '/tool generate_image {"prompt":"an owl"}';
    const { replies } = await api.post<{
      replies: readonly { attachments: readonly { type: string; url: string }[] }[];
    }>(`/api/sessions/${id}/chat`, { content });
    const [picture] = replies[0]?.attachments ?? [];
    expect(picture).toMatchObject({ type: "image", mime_type: "image/png" });
    models.script.push({ kind: "text", text: "an owl, as it seems" });
    const looked = await call("understand_image", { prompt: "what is it?", image_source: picture?.url });
    expect(looked).toMatchObject({ status: "ok", result: "an owl, as it seems" });
    expect(JSON.stringify(models.requests.at(-1)?.body.messages)).toContain("image/png;base64,");
    expect(await call("understand_image", { prompt: "?", image_source: "file:///etc/passwd" })).toMatchObject({
      status: "error",
    });
  });
});
