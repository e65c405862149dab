import { LiveEvents } from "@parley/core";
import { type ModelServer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The API of tools as programs rely on it: fields and their limits, lists, rejections, the bundled tools.

let parley: Parley;
let api: Client;
let shop: ReplayServer;
let models: ModelServer;
let count = 0;

interface ToolRecord {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly enabled: boolean;
  readonly builtin: boolean;
  readonly parameters: {
    readonly properties?: Readonly<Record<string, { readonly default?: unknown; readonly enum?: readonly string[] }>>;
    readonly required?: readonly string[];
  };
  readonly implementation: object;
  readonly requires_confirm: boolean;
  readonly revision: number;
}
interface Trial {
  readonly result: string | null;
  readonly error: { readonly code: string; readonly error: string } | null;
}
interface Answered {
  readonly replies: readonly { readonly tool_calls: readonly { readonly status: string; readonly result: string }[] }[];
}

beforeAll(async () => {
  [shop, models, parley] = await Promise.all([startReplayServer(), startModelServer(), startParley()]);
  api = await parley.signIn();
  await api.put("/api/settings", { tools: { allow_private_addresses: true } });
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await shop?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

const http = (more: object = {}) => ({ type: "http", url: "https://shop.example.org/stock", ...more });
const draft = (more: object = {}) => ({
  name: `tool_${++count}`,
  description: "Looks something up.",
  implementation: { type: "static", result: "nothing" },
  ...more,
});
const createTool = (more: object = {}) => api.post<ToolRecord>("/api/tools", draft(more));
const getCode = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const { status, json } = await api.send(method, path, { ...(body && { body }), headers });
  return `${status} ${json?.code ?? ""}`;
};
const list = async (query: string) =>
  (await api.get<{ items: readonly ToolRecord[] }>(`/api/tools?limit=500&${query}`)).items;
const tryTool = (implementation: object) => api.post<Trial>("/api/tools/try", { implementation, arguments: {} });

describe("a custom tool", () => {
  test("is enabled at first, without arguments and confirmation, and announced", async () => {
    const events: unknown[] = [];
    const stop = parley.host.get(LiveEvents).subscribe(({ type, payload }) => {
      if (type === "resource_changed" && payload.kind === "tool") events.push([payload.id, payload.action]);
    });
    const made = await createTool();
    stop();
    expect(made).toMatchObject({
      id: expect.stringMatching(/^tool_/),
      enabled: true,
      builtin: false,
      source: "custom",
      parameters: { type: "object", properties: {} },
      requires_confirm: false,
      revision: 1,
    });
    expect(events).toEqual([[made.id, "created"]]);
  });

  test("cannot declare itself built-in", async () => {
    const { id } = await createTool();
    expect(
      await api.put<ToolRecord>(`/api/tools/${id}`, { builtin: true, source: "builtin", enabled: false }),
    ).toMatchObject({
      builtin: false,
      source: "custom",
      enabled: false,
    });
  });

  test.each<[string, object]>([
    ["a name of 64 characters", { name: `a${"b".repeat(63)}` }],
    ["a name that begins with _", { name: "_look" }],
    ["a description of 4,000 characters", { description: "茶".repeat(4_000) }],
    [
      "an answer of up to 100,000 characters within 60 s",
      { implementation: http({ max_length: 100_000, timeout_s: 60 }) },
    ],
    ["an answer of one character within 1 s", { implementation: http({ max_length: 1, timeout_s: 1 }) }],
    ["a body that is an object", { implementation: http({ method: "PATCH", body: { a: [1] } }) }],
    ["a path into the answer", { implementation: http({ response_path: "a.b[0].c" }) }],
  ])("may have %s", async (_, more) => {
    const { id } = await createTool(more);
    await api.send("DELETE", `/api/tools/${id}`);
  });

  test.each<[string, object]>([
    ["a name of 65 characters", { name: "a".repeat(65) }],
    ["a name that begins with a digit", { name: "1a" }],
    ["no name", { name: undefined }],
    ["no description", { description: "" }],
    ["a description of 4,001 characters", { description: "茶".repeat(4_001) }],
    ["nothing that it does", { implementation: undefined }],
    ["another method", { implementation: http({ method: "HEAD" }) }],
    ["an answer of no length", { implementation: http({ max_length: 0 }) }],
    ["an answer of 100,001 characters", { implementation: http({ max_length: 100_001 }) }],
    ["no time", { implementation: http({ timeout_s: 0 }) }],
    ["61 seconds", { implementation: http({ timeout_s: 61 }) }],
    ["a query that is no text", { implementation: http({ query: { a: 1 } }) }],
    ["a body that is a number", { implementation: http({ body: 1 }) }],
    ["a path that leads nowhere", { implementation: http({ response_path: "a..b" }) }],
    ["an address without a scheme", { implementation: http({ url: "shop.example.org" }) }],
  ])("cannot have %s, neither when created nor when changed", async (_, more) => {
    expect(await getCode("POST", "/api/tools", draft(more))).toBe("400 bad_request");
    const [[field, value]] = Object.entries(more) as [[string, unknown]];
    if (value === undefined) return;
    const { id } = await createTool();
    expect(await getCode("PUT", `/api/tools/${id}`, { [field]: value })).toBe("400 bad_request");
  });

  test("is inaccessible after its deletion", async () => {
    const { id } = await createTool();
    const { name } = await createTool();
    expect(await getCode("PUT", `/api/tools/${id}`, { name })).toBe("409 conflict");
    expect((await api.send("DELETE", `/api/tools/${id}`)).json?.data).toEqual({ id, deleted: true });
    expect(await getCode("DELETE", `/api/tools/${id}`)).toBe("404 not_found");
    expect(await getCode("PUT", `/api/tools/${id}`, { description: "x" })).toBe("404 not_found");
    expect(await getCode("POST", `/api/tools/${id}/toggle`, { enabled: true })).toBe("404 not_found");
  });

  test("is filtered by words, source and state", async () => {
    const { id, name } = await createTool({ description: "Counts the owls." });
    expect((await list("q=OWLS")).map((one) => one.id)).toEqual([id]);
    expect((await list(`q=${name}&source=builtin`)).map((one) => one.id)).toEqual([]);
    await api.post(`/api/tools/${id}/toggle`, { enabled: false });
    expect((await list(`q=${name}&enabled=false`)).map((one) => one.id)).toEqual([id]);
    expect(await list(`q=${name}&enabled=true`)).toEqual([]);
    expect((await list("source=builtin")).every(({ builtin, source }) => builtin && source === "builtin")).toBe(true);
    expect((await list("source=custom")).some(({ builtin }) => builtin)).toBe(false);
  });
});

describe("a request of a tool", () => {
  const to = (path: string, more: object = {}) => http({ url: `${shop.address}${path}`, ...more });

  test("follows at most three redirects", async () => {
    const moved = { status: 302, headers: { location: `${shop.address}/on` } };
    shop.answers.push(moved, moved, moved, { body: { there: true } });
    expect((await tryTool(to("/three"))).result).toBe('{"there":true}');
    const before = shop.calls.length;
    shop.answers.push(moved, moved, moved, moved);
    expect((await tryTool(to("/four"))).error).toMatchObject({ code: "upstream_failed" });
    expect(shop.calls.length - before).toBe(4);
    shop.answers.length = 0;
  });

  test("returns the configured message when it fails", async () => {
    shop.answers.push({ status: 500, body: "stack trace" });
    const { name } = await createTool({ implementation: to("/x", { error_message: "The shop is closed." }) });
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const { replies } = await api.post<Answered>(`/api/sessions/${id}/chat`, { content: `/tool ${name} {}` });
    expect(replies[0]?.tool_calls[0]).toMatchObject({
      status: "error",
      result: expect.stringContaining("The shop is closed."),
    });
    expect(JSON.stringify(replies)).not.toContain("stack trace");
  });
});

/** Names and arguments of the contract; `*` means required, `=` the default. */
const CONTRACT: Readonly<Record<string, string>> = {
  get_date_time: "",
  get_weather: "city*",
  search_web: "query*, num_results=3",
  search_news: "query*, count=5",
  http_get: "url*",
  download_file: "url*, filename",
  understand_image: "prompt*, image_source*",
  generate_image: "prompt*, size",
  save_to_memory: "title*, content*, summary, mem_type, expire_days",
  read_memory: "mem_type, query",
  search_knowledge: "query*, top_k",
  send_message: "content*, message_type=info",
  get_session_thinking_history: "limit=10",
  ...Object.fromEntries(["create", "edit"].map((verb) => [`workspace_${verb}_file`, "filename*, scope=private"])),
  workspace_read_file: "filename*, scope=private",
  workspace_delete_file: "filename*, scope=private",
  workspace_list_files: "scope",
  workspace_send_file: "filename*, scope=private",
  workspace_parse_file: "filename*, scope=private",
  workspace_file_info: "filename*, scope=private",
  todo_add: "text*",
  todo_list: "",
  todo_complete: "id*",
  todo_delete: "id*",
  todo_clear: "",
  skill_list: "",
  skill_get_info: "",
  workspace_skill_copy: "skill_id*",
  run_skill_script: "",
  exec_command: "command*, timeout=30",
};

describe("built-in tools", () => {
  test.each(Object.entries(CONTRACT))("include %s with its arguments (%s)", async (name, wanted) => {
    const found = (await list(`q=${name}`)).find((one) => one.name === name);
    expect(found).toMatchObject({ id: `_builtin_${name}`, builtin: true, implementation: { type: "builtin" } });
    const { properties = {}, required = [] } = found?.parameters ?? {};
    for (const one of wanted.split(", ").filter(Boolean)) {
      const [, argument = "", isRequired, byItself] = /^(\w+)(\*)?(?:=(.*))?$/.exec(one) ?? [];
      expect(Object.keys(properties), one).toContain(argument);
      expect(required.includes(argument), one).toBe(isRequired !== undefined);
      if (byItself !== undefined) expect(String(properties[argument]?.default), one).toBe(byItself);
    }
  });

  test("return earlier thoughts of this conversation only", async () => {
    const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
    const { id } = await api.post<{ id: string }>("/api/sessions", { model_id: model.id });
    for (const thinking of ["first thought", "second thought"]) {
      models.script.push({ kind: "text", text: "Well.", thinking });
      await api.post(`/api/sessions/${id}/chat`, { content: "Think." });
    }
    await api.put(`/api/sessions/${id}`, { model_id: null });
    await api.send("DELETE", `/api/ai-models/${model.id}`);
    const askForHistory = async (session: string, limit: number) => {
      const message = { content: `/tool get_session_thinking_history {"limit":${limit}}` };
      const { replies } = await api.post<Answered>(`/api/sessions/${session}/chat`, message);
      const { thoughts } = JSON.parse(replies[0]?.tool_calls[0]?.result ?? "{}") as {
        readonly thoughts: readonly { readonly thinking: string }[];
      };
      return thoughts.map(({ thinking }) => thinking);
    };
    expect(await askForHistory(id, 10)).toEqual(["second thought", "first thought"]);
    expect(await askForHistory(id, 1)).toEqual(["second thought"]);
    const { id: other } = await api.post<{ id: string }>("/api/sessions", {});
    expect(await askForHistory(other, 10)).toEqual([]);
  });
});
