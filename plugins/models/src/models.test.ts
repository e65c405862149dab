import { Databases, fixedStatement, ModelCalls, Models, Probes, TokenUsage } from "@parley/core";
import { describe, expect, it } from "vitest";
import type { QueuedModel } from "./failover/failover.ts";
import type { ModelView } from "./records/schema.ts";
import { type StartedModels, startModels } from "./test-setup.ts";

const draft = { name: "Local", model: "llama", base_url: "http://127.0.0.1:9/v1" };

describe("model records", () => {
  it("give a new model the defaults of its purpose and the next priority", async () => {
    await using app = await startModels();
    await app.call("POST /api/ai-models", { body: draft });
    const model = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, name: "Second" } });
    expect(model).toMatchObject({
      purpose: "chat",
      protocol: "openai_chat",
      priority: 1,
      temperature: 0.7,
      max_tokens: 2000,
      supports_tools: true,
      is_active: false,
      has_api_key: false,
      revision: 1,
    });
  });

  it("take the protocol's address when none is given", async () => {
    await using app = await startModels();
    const body = { name: "Claude", model: "claude", protocol: "anthropic_messages" };
    const model = await app.call<ModelView>("POST /api/ai-models", { body });
    expect(model.base_url).toBe("https://api.anthropic.com");
  });

  it.each([
    ["no name", { model: "x" }, /name/],
    ["an unknown field", { ...draft, nonsense: 1 }, /nonsense/],
    ["a wrong type", { ...draft, max_tokens: "many" }, /max_tokens/],
    ["an address that is not http", { ...draft, base_url: "file:///etc/passwd" }, /base_url/],
    ["an address with a user name", { ...draft, base_url: "http://a:b@example.com" }, /base_url/],
    ["a link-local address", { ...draft, base_url: "http://169.254.169.254/" }, /base_url/],
    ["an unknown protocol", { ...draft, protocol: "smoke" }, /protocol/],
    ["a protocol without the purpose", { ...draft, protocol: "anthropic_messages", purpose: "tts" }, /protocol/],
    ["extra fields that take over the request", { ...draft, extra_body: { messages: [] } }, /extra_body/],
    ["a value out of range", { ...draft, temperature: 3 }, /temperature/],
  ])("reject %s", async (_, body, reason) => {
    await using app = await startModels();
    await expect(app.call("POST /api/ai-models", { body })).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(reason),
    });
  });

  it("are listed by purpose and priority and filtered", async () => {
    await using app = await startModels();
    await app.call("POST /api/ai-models", { body: { ...draft, name: "Late", priority: 5 } });
    await app.call("POST /api/ai-models", { body: { ...draft, name: "Early", priority: 1 } });
    await app.call("POST /api/ai-models", { body: { ...draft, name: "Vectors", purpose: "embedding" } });
    const all = await app.call<{ items: ModelView[]; total: number }>("GET /api/ai-models");
    expect(all.items.map(({ name }) => name)).toEqual(["Early", "Late", "Vectors"]);
    const byName = await app.call<{ items: ModelView[] }>("GET /api/ai-models?sort=-name");
    expect(byName.items.map(({ name }) => name)).toEqual(
      all.items
        .map(({ name }) => name)
        .toSorted()
        .toReversed(),
    );
    const found = await app.call<{ items: ModelView[] }>("GET /api/ai-models?q=vec&purpose=embedding");
    expect(found.items.map(({ name }) => name)).toEqual(["Vectors"]);
    const chat = await app.call<{ purpose: string; total: number }>("GET /api/ai-models/by-purpose/chat");
    expect(chat).toMatchObject({ purpose: "chat", total: 2 });
  });

  it("reject a stale revision, an empty change and a changed purpose", async () => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    const path = `PUT /api/ai-models/${id}`;
    await expect(app.call(path, { body: { name: "x" }, ifMatch: 7 })).rejects.toMatchObject({ code: "conflict" });
    await expect(app.call(path, { body: {} })).rejects.toMatchObject({ code: "bad_request" });
    await expect(app.call(path, { body: { purpose: "vision" } })).rejects.toMatchObject({ code: "bad_request" });
    await expect(app.call(path, { body: { purpose: "chat", name: "y" } })).resolves.toMatchObject({
      name: "y",
      revision: 2,
    });
  });

  it("report an unknown id as not found", async () => {
    await using app = await startModels();
    const missing = { code: "not_found" };
    await expect(app.call("PUT /api/ai-models/model_x", { body: { name: "x" } })).rejects.toMatchObject(missing);
    await expect(app.call("DELETE /api/ai-models/model_x")).rejects.toMatchObject(missing);
    for (const action of ["apply", "toggle", "clone", "test"]) {
      await expect(app.call(`POST /api/ai-models/model_x/${action}`)).rejects.toMatchObject(missing);
    }
    const body = { purpose: "vision" };
    await expect(app.call("POST /api/ai-models/model_x/set-purpose", { body })).rejects.toMatchObject(missing);
    await expect(app.call("GET /api/ai-models/by-purpose/smoke")).rejects.toMatchObject({ code: "bad_request" });
  });

  it.each([
    ["apply", { purpose: "smoke" }],
    ["toggle", { enabled: "yes" }],
    ["clone", { name: "" }],
    ["test", { timeout_s: 0 }],
    ["set-purpose", {}],
  ])("reject a bad body for %s", async (action, body) => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    await expect(app.call(`POST /api/ai-models/${id}/${action}`, { body })).rejects.toMatchObject({
      code: "bad_request",
    });
  });

  it("put the active model first and prevent its deletion while it is enabled", async () => {
    await using app = await startModels();
    const first = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    const second = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, name: "Second" } });
    const applied = await app.call(`POST /api/ai-models/${second.id}/apply`);
    expect(applied).toEqual({ model_id: second.id, purpose: "chat", previous_model_id: null });
    const list = await app.call<{ items: ModelView[] }>("GET /api/ai-models");
    expect(list.items.map(({ id, priority, is_active }) => [id, priority, is_active])).toEqual([
      [second.id, 0, true],
      [first.id, 1, false],
    ]);
    await expect(app.call(`DELETE /api/ai-models/${second.id}`)).rejects.toMatchObject({ code: "conflict" });
    const toggled = await app.call(`POST /api/ai-models/${second.id}/toggle`);
    expect(toggled).toEqual({ id: second.id, enabled: false, is_active: false });
    await expect(app.call(`POST /api/ai-models/${second.id}/apply`)).rejects.toMatchObject({ code: "conflict" });
    await expect(app.call(`DELETE /api/ai-models/${second.id}`)).resolves.toEqual({ id: second.id, deleted: true });
  });

  it("leave the pointer of the old purpose when they move to another one", async () => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    await app.call(`POST /api/ai-models/${id}/apply`);
    const moved = await app.call<ModelView>(`POST /api/ai-models/${id}/set-purpose`, { body: { purpose: "vision" } });
    expect(moved).toMatchObject({ purpose: "vision", max_tokens: 1000, is_active: false });
    const active = await app.call<{ active_models: Record<string, { source: string }> }>(
      "GET /api/ai-models/active-by-purpose",
    );
    expect(active.active_models.chat?.source).toBe("offline");
  });

  it("notify the console about each change", async () => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    await app.call(`POST /api/ai-models/${id}/toggle`);
    const actions = app.events.published.map(({ payload }) => [payload.kind, payload.action]);
    expect(actions).toEqual([
      ["model", "created"],
      ["model", "toggled"],
    ]);
  });
});

describe("API keys", () => {
  const secret = "sk-secret-1234567890";

  it("are stored sealed and answered masked", async () => {
    await using app = await startModels();
    const model = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, api_key: secret } });
    expect(model).toMatchObject({ has_api_key: true, api_key_masked: "****7890" });
    expect(JSON.stringify(await app.call("GET /api/ai-models"))).not.toContain(secret);
    const stored = await readModel(app, model.id);
    expect(stored).toContain(model.id);
    expect(stored).not.toContain(secret);
  });

  it.each([
    ["is absent", { name: "x" }, true],
    ["is the mask", { api_key: "****7890" }, true],
    ["is null", { api_key: null }, false],
    ["is empty", { api_key: "" }, false],
  ])("after a change whose key %s", async (_, body, keepsKey) => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, api_key: secret } });
    const model = await app.call<ModelView>(`PUT /api/ai-models/${id}`, { body });
    expect(model.has_api_key).toBe(keepsKey);
  });

  it("are dropped when the address moves to another origin", async () => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, api_key: secret } });
    const path = `PUT /api/ai-models/${id}`;
    const same = await app.call<ModelView>(path, { body: { base_url: "http://127.0.0.1:9/v2" } });
    expect(same.has_api_key).toBe(true);
    const moved = await app.call<ModelView>(path, { body: { base_url: "http://evil.example/v1" } });
    expect(moved.has_api_key).toBe(false);
  });

  it("are copied with a clone, which is disabled and last", async () => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, api_key: secret } });
    const copy = await app.call<ModelView>(`POST /api/ai-models/${id}/clone`);
    expect(copy).toMatchObject({ name: "Local - Copy", enabled: false, priority: 1, api_key_masked: "****7890" });
  });

  describe("of another model", () => {
    const path = "POST /api/ai-models";
    const withKey = async (app: StartedModels) => {
      const { id } = await app.call<ModelView>(path, { body: { ...draft, api_key: secret } });
      return id;
    };

    it("are copied for one that calls the same server, and remain when that one is deleted", async () => {
      await using app = await startModels();
      const api_key_from = await withKey(app);
      const second = { ...draft, name: "Second", base_url: "http://127.0.0.1:9/v2", api_key_from };
      const made = await app.call<ModelView>(path, { body: second });
      expect(made).toMatchObject({ has_api_key: true, api_key_masked: "****7890" });
      expect(made).not.toHaveProperty("api_key_from");
      await app.call(`DELETE /api/ai-models/${api_key_from}`);
      const { id } = await app.call<ModelView>(path, { body: { ...draft, name: "Third", api_key_from: made.id } });
      const stored = await readModel(app, id);
      expect(stored).toContain(id);
      expect(stored).not.toContain(secret);
    });

    it("are copied to an existing one, also when it moves to that server in the same change", async () => {
      await using app = await startModels();
      const api_key_from = await withKey(app);
      const changed = { ...draft, base_url: "http://elsewhere.example/v1", api_key: "sk-other-0987654321" };
      const { id } = await app.call<ModelView>(path, { body: changed });
      const moved = await app.call<ModelView>(`PUT /api/ai-models/${id}`, {
        body: { base_url: draft.base_url, api_key_from },
      });
      expect(moved.api_key_masked).toBe("****7890");
    });

    it.each([
      ["another server", { base_url: "http://evil.example/v1" }, /127\.0\.0\.1:9/],
      ["another port", { base_url: "http://127.0.0.1:10/v1" }, /127\.0\.0\.1:9/],
      ["the same one in another way", { protocol: "anthropic_messages" }, /openai_chat/],
      ["a key of its own", { api_key: "sk-other-0987654321" }, /the model that has it/],
      ["a model that is not there", { api_key_from: "model_none" }, /does not exist/],
    ])("are not copied to a model with %s", async (_, change, reason) => {
      await using app = await startModels();
      const body = { ...draft, api_key_from: await withKey(app), ...change };
      const rejected = { code: "bad_request", message: expect.stringMatching(reason) };
      await expect(app.call(path, { body })).rejects.toMatchObject(rejected);
      const { name: _name, ...connection } = body;
      await expect(app.call("POST /api/ai-config/test", { body: connection })).rejects.toMatchObject(rejected);
    });

    it("are none if the other model has none", async () => {
      await using app = await startModels();
      const { id: api_key_from } = await app.call<ModelView>(path, { body: draft });
      await expect(app.call(path, { body: { ...draft, api_key_from } })).rejects.toMatchObject({
        code: "bad_request",
        message: expect.stringContaining("has no key of its own"),
      });
    });
  });

  it("are masked completely when they are short", async () => {
    await using app = await startModels();
    const model = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, api_key: "short" } });
    expect(model.api_key_masked).toBe("****");
  });
});

describe("the selection of a model", () => {
  it("falls from session to pointer to first enabled to configuration to environment to offline", async () => {
    await using app = await startModels();
    const models = app.get(Models);
    const source = async (id?: string) => (await models.choose("chat", id)).source;
    expect(await source()).toBe("offline");
    app.variables.set("MODEL", "from-environment");
    expect(await source()).toBe("environment");
    await app.call("PUT /api/ai-config", { body: { model: "fallback" } });
    expect(await source()).toBe("ai_config");
    const a = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    expect(await source()).toBe("first_enabled");
    const b = await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, name: "B" } });
    await app.call(`POST /api/ai-models/${b.id}/apply`);
    expect(await source()).toBe("active");
    expect(await source(a.id)).toBe("session");
    await app.call(`POST /api/ai-models/${a.id}/toggle`);
    expect(await source(a.id)).toBe("active");
  });

  it("fails for a purpose without a model", async () => {
    await using app = await startModels();
    await expect(app.get(Models).choose("embedding")).rejects.toMatchObject({ code: "unavailable" });
    await expect(app.call("GET /api/ai-config/by-purpose/embedding")).rejects.toMatchObject({ code: "not_found" });
    await expect(app.call("GET /api/ai-config/by-purpose/smoke")).rejects.toMatchObject({ code: "bad_request" });
  });

  it("is shown for every purpose", async () => {
    await using app = await startModels();
    const { configs } = await app.call<{ configs: Record<string, unknown> }>("GET /api/ai-config/all-purposes");
    expect(Object.keys(configs)).toHaveLength(9);
    expect(configs).toMatchObject({ chat: { source: "offline", model_id: null }, tts: null });
    expect(await app.call("GET /api/ai-config/by-purpose/chat")).toMatchObject({ purpose: "chat", source: "offline" });
  });

  it("finds models by id and by a name that only one has", async () => {
    await using app = await startModels();
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: draft });
    const models = app.get(Models);
    expect(await models.find("local")).toMatchObject({ id });
    expect(await models.find(id)).toMatchObject({ id });
    await app.call("POST /api/ai-models", { body: draft });
    expect(await models.find("local")).toBeUndefined();
    expect(await models.listEnabled("chat")).toHaveLength(2);
  });
});

describe("the queue of a purpose", () => {
  const setUp = async (app: StartedModels) => {
    const ids: string[] = [];
    for (const name of ["A", "B", "C"]) {
      ids.push((await app.call<ModelView>("POST /api/ai-models", { body: { ...draft, name } })).id);
    }
    return ids as [string, string, string];
  };
  const order = async (app: StartedModels) => {
    const { items } = await app.call<{ items: QueuedModel[] }>("GET /api/ai-models/failover-queue/chat");
    return items.map(({ name, priority, is_active }) => `${name}${priority}${is_active ? "*" : ""}`);
  };

  it("is in trying order: the active one, then by priority, those that are off last", async () => {
    await using app = await startModels();
    const [a, b, c] = await setUp(app);
    await app.call(`POST /api/ai-models/${c}/apply`);
    await app.call(`POST /api/ai-models/${a}/toggle`);
    expect(await order(app)).toEqual(["C0*", "B2", "A1"]);
    const { health } = await app.call<{ health: object }>("GET /api/ai-models/failover-status?purpose=chat");
    expect(Object.keys(health).sort()).toEqual([a, b, c].sort());
    expect(health).toMatchObject({ [a]: { state: "disabled" }, [b]: { state: "healthy", token_usage: { daily: 0 } } });
    await expect(app.call("GET /api/ai-models/failover-queue/smoke")).rejects.toMatchObject({ code: "bad_request" });
    await expect(app.call("GET /api/ai-models/failover-status?purpose=smoke")).rejects.toMatchObject({
      code: "bad_request",
    });
  });

  it("is reordered; models without a given place keep their order behind, and the first enabled one is active", async () => {
    await using app = await startModels();
    const [a, b, c] = await setUp(app);
    await app.call(`POST /api/ai-models/${c}/toggle`);
    const priorities = [
      { id: c, priority: 0 },
      { id: b, priority: 0 },
    ];
    const result = await app.call("POST /api/ai-models/failover-reorder", { body: { priorities } });
    expect(result).toMatchObject({ updated: 3, active_model_id: b, queue: { purpose: "chat", total: 3 } });
    expect(await order(app)).toEqual(["B0*", "A2", "C1"]);
    expect(app.events.published.at(-1)?.payload).toMatchObject({ kind: "model", id: "chat", action: "reordered" });
    const high = [{ id: a, priority: 10_000 }, ...[b, c].map((id) => ({ id, priority: 10_000 }))];
    await app.call("POST /api/ai-models/failover-reorder", { body: { priorities: high } });
    expect(await order(app)).toHaveLength(3);
  });

  it.each([
    ["nothing", () => []],
    [
      "an unknown id",
      (a: string) => [
        { id: a, priority: 7 },
        { id: "model_x", priority: 1 },
      ],
    ],
    [
      "an id twice",
      (a: string) => [
        { id: a, priority: 7 },
        { id: a, priority: 1 },
      ],
    ],
    ["a number out of range", (a: string) => [{ id: a, priority: -1 }]],
  ])("rejects %s, and nothing changes", async (_, make: (a: string) => object[]) => {
    await using app = await startModels();
    const [a] = await setUp(app);
    const before = await order(app);
    const asked = app.call("POST /api/ai-models/failover-reorder", { body: { priorities: make(a) } });
    await expect(asked).rejects.toMatchObject({ code: "bad_request" });
    expect(await order(app)).toEqual(before);
  });

  it("rejects a model of another purpose", async () => {
    await using app = await startModels();
    const [a] = await setUp(app);
    const body = { purpose: "vision", priorities: [{ id: a, priority: 1 }] };
    await expect(app.call("POST /api/ai-models/failover-reorder", { body })).rejects.toMatchObject({
      code: "bad_request",
    });
  });

  it("clears failures on request", async () => {
    await using app = await startModels();
    const [a] = await setUp(app);
    const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
    const { signal } = new AbortController();
    await app.get(ModelCalls).ask({ purpose: "chat", messages, isOnce: true, signal }).answer;
    const reset = (body: object) => app.call("POST /api/ai-models/failover-reset", { body });
    await expect(reset({ model_id: "model_x" })).rejects.toMatchObject({ code: "not_found" });
    expect(await reset({ model_id: a })).toEqual({ reset: 1 });
    expect(await reset({})).toEqual({ reset: 0 });
  });
});

describe("the AI configuration", () => {
  it("shows its defaults and effective values", async () => {
    await using app = await startModels();
    expect(await app.call("GET /api/ai-config")).toMatchObject({
      temperature: 0.7,
      model: "",
      stream: true,
      has_api_key: false,
      revision: 1,
      effective: { source: "offline", protocol: "offline" },
    });
  });

  it("preserves omitted fields, masks its key and rejects stale revisions", async () => {
    await using app = await startModels();
    const body = { model: "gpt", api_key: "sk-abcdefgh12345678" };
    const changed = await app.call("PUT /api/ai-config", { body });
    expect(changed).toMatchObject({ model: "gpt", max_tokens: 2000, api_key_masked: "****5678", revision: 2 });
    await expect(app.call("PUT /api/ai-config", { body: { model: "x" }, ifMatch: 1 })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(app.call("PUT /api/ai-config", { body: {} })).rejects.toMatchObject({ code: "bad_request" });
    await expect(app.call("PUT /api/ai-config", { body: { protocol: "smoke" } })).rejects.toMatchObject({
      code: "bad_request",
    });
  });
});

describe("catalogues", () => {
  it("list purposes with their defaults", async () => {
    await using app = await startModels();
    const { items } = await app.call<{ items: { id: string; defaults: object }[] }>("GET /api/ai-models/purposes");
    expect(items.map(({ id }) => id)).toContain("embedding");
    expect(items[0]?.defaults).toMatchObject({ temperature: 0.7, max_tokens: 2000 });
  });

  it("list the protocols that are loaded", async () => {
    await using app = await startModels();
    const { items } = await app.call<{ items: { id: string }[] }>("GET /api/ai-models/protocols");
    expect(items.map(({ id }) => id)).toEqual([
      "openai_chat",
      "openai_responses",
      "anthropic_messages",
      "gemini_generate",
      "offline",
    ]);
  });
});

describe("token usage", () => {
  const entry = { model: "m", purpose: "chat", session_id: "sess_1", user: "ann", trace_id: null } as const;

  it("prices a call by its model, sums by the requested dimension and expires after 400 days", async () => {
    await using app = await startModels();
    const priced = { ...draft, input_price: 2, output_price: 10 };
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body: priced });
    const usage = app.get(TokenUsage);
    const call = { ...entry, model_id: id, input_tokens: 1000, output_tokens: 100, duration_ms: 20, ok: true };
    expect(await usage.record(call)).toBeCloseTo(0.003);
    expect(await usage.record({ ...call, model_id: "", ok: false })).toBeNull();
    const [since, until] = ["2026-01-01", "2027-01-01"];
    const rows = await usage.rows(since, until, { limit: 10, offset: 0 });
    expect(rows.map(({ ok, total_tokens }) => [ok, total_tokens])).toEqual([
      [true, 1100],
      [false, 1100],
    ]);
    const sums = await usage.sums("session", since, until);
    expect(sums).toEqual([expect.objectContaining({ key: "sess_1", requests: 2, total_tokens: 2200, average_ms: 20 })]);
    expect(await usage.sums("model", since, until)).toHaveLength(2);
    expect(await usage.sums("hour", since, until)).toMatchObject([{ key: "2026-01-06T10" }]);
  });
});

it("shows in the statistics whether a model is configured and what was called", async () => {
  await using app = await startModels();
  const [probe] = app.all(Probes);
  expect(await probe?.stats?.()).toMatchObject({ ai_service_status: "not_configured", ai_calls: 0 });
  await app.call("POST /api/ai-models", { body: draft });
  expect(await probe?.stats?.()).toMatchObject({ ai_service_status: "normal" });
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
  const { signal } = new AbortController();
  await app.get(ModelCalls).ask({ purpose: "chat", messages, isOnce: true, signal }).answer;
  expect(await probe?.stats?.()).toMatchObject({ ai_service_status: "degraded" });
  expect(await probe?.health?.()).toMatchObject({ status: "ok" });
  expect((await probe?.measure?.())?.slice(-1)).toMatchObject([{ name: "parley_model_tokens_last_day" }]);
});

/** Reads the stored row of a model. */
async function readModel(app: StartedModels, id: string): Promise<string> {
  const query = fixedStatement<{ readonly value: string }>("select value from documents where key = ?", [id]);
  const [row] = await app.get(Databases).main.lookup(query);
  return row?.value ?? "";
}
