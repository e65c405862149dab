import {
  type Caller,
  fillDetail,
  formatFailure,
  SCOPES,
  type TransferPlan,
  type TransferSection,
  TransferSections,
} from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const caller: Caller = {
  kind: "login",
  credentialId: "test",
  accountId: "user_test",
  username: "admin",
  scopes: SCOPES,
  rateLimitPerMinute: 0,
};
const SECRET = "sk-planted-secret-1234567890";

let here: Parley;
let there: Parley;
let api: Client;
let other: Client;

beforeAll(async () => {
  [here, there] = await Promise.all([startParley(), startParley()]);
  [api, other] = await Promise.all([here.signIn(), there.signIn()]);
  const chat = { name: "Mine", model: "m-1", base_url: "https://models.example/v1" };
  await api.post("/api/ai-models", { ...chat, api_key: SECRET });
  await api.post("/api/ai-models", { ...chat, name: "By name", api_key_env: "MY_MODEL_KEY", temperature: 0.3 });
  await api.post("/api/channels/presets/imB", { name: "Our imB" });
  await api.post("/api/channels", {
    id: "shop",
    name: "Shop",
    config: { auth: { type: "static", secret_env: "SHOP" } },
  });
  await api.put("/api/channels/imA", { config: { group_trigger: "all" } });
  await api.post("/api/world-books", {
    name: "Town",
    card: { scan_depth: 3 },
    entries: [
      { keywords: ["inn"], content: "An old inn.", card: { uid: 7 } },
      { content: "A mill.", enabled: false },
    ],
  });
  const window = { from: "2026-01-01", days: ["mon"], start: "22:00", end: "06:00" };
  await api.post("/api/message-filter", { pattern: "apple", group: "Fruit", window });
  await api.post("/api/message-filter", { pattern: "p.ar", type: "regex", action: "recall", channel: "imB" });
  await api.post("/api/message-filter", {
    pattern: "plum",
    channel: "imB",
    session_scope: "specific",
    session_id: "42",
  });
  await api.post("/api/message-filter/toggle", { enabled: false });
  await api.post("/api/mcp-servers", {
    id: "weather",
    name: "Weather",
    transport: "streamable-http",
    url: "https://mcp.example/mcp",
    headers_env: { Authorization: "WEATHER_KEY" },
    tool_deny: ["storm"],
  });
  await api.post("/api/tools", {
    name: "stock",
    description: "What there is.",
    implementation: { type: "http", url: "https://shop.example/stock", headers_env: { Authorization: "SHOP_KEY" } },
  });
  await api.post("/api/skills", { name: "tea", description: "How tea is made.", skill_md: "# Tea" });
  await api.post("/api/skills/storage/tea/reference-md", { content: "Three minutes." });
  await api.post("/api/skills/storage/tea/script/run.py", { content: "print(1)" });
  await api.put("/api/settings", { timezone: "Asia/Shanghai", web: { title: "Ours" } });
}, 60_000);
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
});

const getSection = (parley: Parley, id: string): TransferSection => {
  const found = parley.host.all(TransferSections).find((section) => section.id === id);
  if (!found) throw new Error(`there is no section '${id}'`);
  return found;
};
/** Exports a section and returns it as the other installation reads it. */
async function exportSection(id: string): Promise<unknown> {
  const json = JSON.parse(JSON.stringify(await getSection(here, id).export(caller)));
  const { value, error } = getSection(there, id).schema.validate(json);
  if (error) throw error;
  return value;
}
const plan = (id: string, part: unknown, mode: "skip" | "overwrite" = "skip") =>
  getSection(there, id).plan(part, { caller, mode });
async function importSection(id: string, part: unknown, mode: "skip" | "overwrite" = "skip") {
  const section = getSection(there, id);
  const planned = await section.plan(part, { caller, mode });
  const { run } = await section.apply(part, planned, { caller, mode });
  expect(await run()).toEqual([]);
  return planned;
}
const getModel = async (id: string | undefined) =>
  (await other.get<{ items: { id: string }[] }>("/api/ai-models")).items.find((model) => model.id === id);
const actions = ({ items }: TransferPlan) => Object.fromEntries(items.map(({ name, action }) => [name, action]));

test("each configurable area has its section", () => {
  const sections = here.host.all(TransferSections);
  expect(sections.map(({ id }) => id).toSorted()).toEqual([
    "ai_config",
    "ai_models",
    "budgets",
    "channels",
    "characters",
    "custom_presets",
    "heartbeat",
    "mcp_servers",
    "message_filter",
    "personality",
    "personas",
    "prompts",
    "settings",
    "skills",
    "tasks",
    "tools",
    "workflows",
    "world_books",
  ]);
  expect(sections.every(({ title }) => title.en !== "" && title.zh !== "")).toBe(true);
});

test("no section contains a secret, and each names the variables that its import needs", async () => {
  const all = here.host.all(TransferSections);
  const text = JSON.stringify(await Promise.all(all.map((section) => section.export(caller))));
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain("sealed");
  expect((await plan("ai_models", await exportSection("ai_models"))).variables).toEqual(["MY_MODEL_KEY"]);
  expect((await plan("channels", await exportSection("channels"))).variables.toSorted()).toEqual([
    // From a built-in channel that was changed.
    "IMA_ACCESS_TOKEN",
    "IMB_BOT_TOKEN",
    "IMB_WEBHOOK_SECRET",
    "SHOP",
  ]);
  expect((await plan("mcp_servers", await exportSection("mcp_servers"))).variables).toEqual(["WEATHER_KEY"]);
  // Variables of headers are in an object whose name ends in _env.
  expect((await plan("tools", await exportSection("tools"))).variables).toContain("SHOP_KEY");
  expect(JSON.stringify(await exportSection("skills"))).not.toContain("print");
});

describe.each(["ai_models", "message_filter", "settings", "channels", "mcp_servers", "skills", "tools", "world_books"])(
  "section %s",
  (id) => {
    test("is imported completely, changes nothing before that, and nothing when it is imported again", async () => {
      const part = await exportSection(id);
      const before = await getSection(there, id).export(caller);
      const planned = await plan(id, part);
      expect(planned.items.filter(({ action }) => action === "create").length).toBeGreaterThan(0);
      expect(await getSection(there, id).export(caller)).toEqual(before);
      await importSection(id, part, "overwrite");
      const [mine, theirs] = await Promise.all([here, there].map((parley) => getSection(parley, id).export(caller)));
      // Records that can run by themselves are imported switched off.
      if (["mcp_servers", "skills", "tools"].includes(id))
        expect(theirs).toEqual([{ ...(mine as object[])[0], enabled: false }]);
      else expect(theirs).toEqual(mine);
      const again = await plan(id, part, "overwrite");
      expect(again.items.filter(({ action }) => action !== "skip")).toEqual([]);
    });
  },
);

describe("an existing record", () => {
  test("of a world book is replaced with its entries, which are activated afterwards", async () => {
    const [book] = (await exportSection("world_books")) as { id: string; entries: { content: string }[] }[];
    const entries = [{ ...book?.entries[0], content: "It burnt down.", always_on: true }];
    const planned = await importSection("world_books", [{ ...book, entries }], "overwrite");
    expect(planned.items).toMatchObject([{ action: "update", changed_fields: ["entries"] }]);
    expect(await other.get(`/api/world-books/${book?.id}`)).toMatchObject({
      entry_count: 1,
      card: { scan_depth: 3 },
      entries: [{ content: "It burnt down.", card: { uid: 7 } }],
    });
    expect(await other.post("/api/world-books/test-match", { message: "hello" })).toMatchObject({
      matches: [{ content_preview: "It burnt down.", injected: true }],
    });
  });

  test("is skipped or replaced as the package states, field by field", async () => {
    const part = (await exportSection("ai_models")) as { id: string; name: string; temperature: number }[];
    const changed = part.map((model) => (model.name === "Mine" ? { ...model, temperature: 1.5, voice: "x" } : model));
    expect(actions(await plan("ai_models", changed))).toEqual({ Mine: "skip", "By name": "skip" });
    const planned = await importSection("ai_models", changed, "overwrite");
    expect(planned.items.find(({ name }) => name === "Mine")).toEqual({
      id: expect.any(String),
      name: "Mine",
      action: "update",
      changed_fields: ["temperature", "voice"],
    });
    expect(await getModel(planned.items.find(({ name }) => name === "Mine")?.id)).toMatchObject({
      temperature: 1.5,
      voice: "x",
    });
  });

  test("of a filter rule keeps its position, and a disabled filter is enabled only on request", async () => {
    const part = (await exportSection("message_filter")) as { rules: { channel: string; session_scope: string }[] };
    const everywhere = part.rules.filter(({ session_scope }) => session_scope === "all");
    const moved = { enabled: true, rules: everywhere.map((rule) => ({ ...rule, channel: "imC" })) };
    const { items } = await plan("message_filter", moved, "overwrite");
    expect(items[0]).toMatchObject({ id: "enabled", action: "update" });
    expect(items.filter(({ why }) => why?.includes("elsewhere"))).toHaveLength(2);
    expect((await plan("message_filter", moved)).items[0]).toMatchObject({ id: "enabled", action: "skip" });
  });

  test("of a filter rule loses its group and time window if the package has none", async () => {
    const part = (await exportSection("message_filter")) as { rules: readonly { readonly group?: string }[] };
    const plain = part.rules.map((rule) => ({ ...rule, group: undefined, window: undefined }));
    const asked = JSON.parse(JSON.stringify({ ...part, rules: plain }));
    const { items } = await importSection("message_filter", asked, "overwrite");
    expect(items.filter(({ action }) => action === "update")).toMatchObject([{ changed_fields: ["group", "window"] }]);
    expect(await getSection(there, "message_filter").export(caller)).toEqual(asked);
  });

  test("with an invalid setting stops the plan, and nothing is changed", async () => {
    await expect(plan("settings", { timezone: "Mars/Base" }, "overwrite")).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("timezone"),
    });
    await expect(plan("settings", { plugins: { web: { enabled: false } } }, "overwrite")).rejects.toMatchObject({
      code: "bad_request",
    });
  });
});

test("a program of another machine is listed and never imported", async () => {
  const program = { id: "prog", name: "Prog", transport: "stdio", command: "npx", args: ["x@1.0.0"] };
  const part = getSection(there, "mcp_servers").schema.validate([program]).value;
  const planned = await importSection("mcp_servers", part, "overwrite");
  expect(planned.items).toMatchObject([{ id: "prog", action: "skip", why: "it starts a program" }]);
  expect(fillDetail(planned.items[0]?.why_detail ?? {}, "zh")).toBe("它会启动程序");
  const { items } = await other.get<{ items: { id: string }[] }>("/api/mcp-servers");
  expect(items.map(({ id }) => id)).not.toContain("prog");
});

test("characters, presets and the personality are imported with all fields, also those that lists omit", async () => {
  const card = {
    system_prompt: "Be Mira.",
    example_dialogues: "{{user}}: hi",
    extensions: { a: { b: 1 } },
    nickname: "Mi",
  };
  const character = await api.post<{ id: string }>("/api/characters", { name: "Mira", ...card });
  const preset = await api.post<{ id: string }>("/api/personality/custom-presets", { name: "Kept", ...card });
  await api.put("/api/personality", { name: "Ours", ...card });
  for (const id of ["characters", "custom_presets", "personality"])
    await importSection(id, await exportSection(id), "overwrite");
  const { nickname, ...fields } = card;
  const whole = { ...fields, card_extra: { nickname }, system_prompt_mode: "manual" };
  expect(await other.get(`/api/characters/${character.id}`)).toMatchObject({ name: "Mira", ...whole });
  expect(await other.get(`/api/personality/custom-presets/${preset.id}`)).toMatchObject({ name: "Kept", ...whole });
  expect(await other.get("/api/personality")).toMatchObject({ name: "Ours", ...whole });
});

test("of the personas only the caller's own are exported, and they are the importer's afterwards", async () => {
  const fields = { name: "Captain Jo", description: "Wears a hat.", is_default: true };
  const { id, account_id: accountId } = await api.post<{ id: string; account_id: string }>("/api/personas", fields);
  const section = getSection(here, "personas");
  expect(await section.export(caller)).toEqual([]);
  const part = await section.export({ ...caller, accountId });
  expect(part).toEqual([{ id, avatar: "", ...fields }]);
  await importSection("personas", part);
  expect(await other.get(`/api/personas/${id}`)).toMatchObject({ ...fields, account_id: caller.accountId });
  expect(actions(await plan("personas", part))).toEqual({ "Captain Jo": "skip" });
});

test("a record that cannot be stored is reported, and the others are imported", async () => {
  const part = (await exportSection("ai_models")) as Record<string, unknown>[];
  const two = [
    { ...part[0], id: "model_new1", protocol: "nobody" },
    { ...part[0], id: "model_new2", name: "New" },
  ];
  const section = getSection(there, "ai_models");
  const planned = await section.plan(two, { caller, mode: "skip" });
  const { run } = await section.apply(two, planned, { caller, mode: "skip" });
  const [rejected, ...others] = await run();
  expect(rejected).toMatchObject({ id: "model_new1", error: "protocol: 'nobody' does not exist" });
  expect(rejected && formatFailure(rejected, "zh")).toBe("protocol：“nobody”不存在");
  expect(others).toEqual([]);
  expect(await getModel("model_new2")).toMatchObject({ name: "New" });
  expect(await getModel("model_new1")).toBeUndefined();
});

test.each([
  ["ai_models", [{ id: "model_x", name: "x", model: "m", api_key: "sk-1" }]],
  ["ai_models", [{ id: "../x", name: "x", model: "m" }]],
  ["channels", [{ id: "a", name: "" }]],
  ["message_filter", { enabled: true, rules: [{ id: "rule_1" }] }],
  ["mcp_servers", [{ id: "_builtin_local_mcp", name: "x", transport: "stdio" }]],
  ["settings", []],
])("%s rejects an invalid part of a package: %j", (id, part) => {
  expect(getSection(there, id).schema.validate(part).error).toBeDefined();
});
