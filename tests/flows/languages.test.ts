import {
  type ChannelStatus,
  ChatCommands,
  definePlugin,
  fillDetail,
  type InboundMessage,
  type Message,
} from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

/** Third-party commands: one described in both languages, one only in English. */
const stranger = definePlugin({
  id: "stranger",
  register({ contribute }) {
    const command = { category: "stranger", adminOnly: false };
    contribute(ChatCommands, () => ({
      ...command,
      name: "/tide",
      usage: "/tide",
      help: { en: "Tells the tide", zh: "查询潮汐" },
      run: async () => ({ en: "The tide is high.", zh: "正在涨潮。" }),
    }));
    contribute(ChatCommands, () => ({
      ...command,
      name: "/leak",
      usage: "/leak",
      help: "",
      async run() {
        throw new Error("water in the boat");
      },
    }));
    contribute(ChatCommands, () => ({
      ...command,
      name: "/plain",
      usage: "/plain",
      help: "Says a word",
      run: async () => "a word",
    }));
  },
});

let fake: FakeChannel;
let models: ModelServer;
let parley: Parley;
let api: Client;
let groups = 0;
const limits = { rate_limits: { user: 3 } };

beforeAll(async () => {
  fake = createFakeChannel();
  models = await startModelServer();
  parley = await startParley({ plugins: [fake.plugin, stranger] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge", config: limits });
  const scripted = { name: "scripted", model: "scripted", base_url: models.baseUrl, api_key: "sk-x", retry_count: 0 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", scripted);
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const setLanguage = (language: string | null) => api.put("/api/channels/fake", { config: { language } });
/** Creates an unknown sender whose platform reports this language. */
const newSender = (language?: string): Pick<InboundMessage, "sender"> => {
  groups += 1;
  const id = `person-${groups}`;
  return { sender: { id, name: id, isAdmin: false, ...(language !== undefined && { language }) } };
};
const replyTo = async (text: string, more: Partial<InboundMessage> = newSender()) => {
  const before = fake.sent.length;
  await fake.say(`team-${groups}`, text, more);
  await eventually(() => expect(fake.sent.length).toBeGreaterThan(before));
  return fake.sent.at(-1)?.text;
};

test("a person is answered in the language of their platform, otherwise in that of their script", async () => {
  await setLanguage(null);
  const english = [
    await replyTo("/tide"),
    await replyTo("/tide", newSender("en-GB")),
    await replyTo("/help", newSender("en")),
  ];
  expect(english).toEqual([
    "The tide is high.",
    "The tide is high.",
    expect.stringContaining("/tide – Tells the tide"),
  ]);
  const chinese = [await replyTo("/tide", newSender("zh-CN")), await replyTo("/帮助"), await replyTo("/help 无此命令")];
  expect(chinese).toEqual(["正在涨潮。", expect.stringMatching(/\/tide – 查询潮汐[\s\S]*/), "没有命令 /无此命令"]);
  expect([chinese[1], english[2]]).toEqual(Array(2).fill(expect.stringContaining("/plain – Says a word")));
});

test("a channel with a fixed language uses it for everybody", async () => {
  await setLanguage("zh");
  expect(await replyTo("/tide", newSender("en"))).toBe("正在涨潮。");
  await setLanguage("en");
  expect(await replyTo("/帮助", newSender("zh"))).toContain("Tells the tide");
  await expect(setLanguage("xx")).rejects.toThrow("400");
});

interface WithForm {
  readonly items: readonly { readonly id: string; readonly config_schema: { readonly properties: object } }[];
}

test("a channel offers the settings that have an effect there, and rejects others", async () => {
  for (const preset of ["imB", "generic_webhook"])
    await api.post(`/api/channels/presets/${preset}`, { enabled: false });
  const { items } = await api.get<WithForm>("/api/channels");
  const offered = Object.fromEntries(items.map((one) => [one.id, Object.keys(one.config_schema.properties)]));
  const ofConversations = ["burst", "burst_ms", "quiet_hours", "reset_after_idle_h", "reset_daily_at"];
  const others = ["character_id", "dedupe_ttl_s", "model_id", "timezone"];
  expect(offered.web?.toSorted()).toEqual([...ofConversations, ...others].toSorted());
  // A channel with idempotent sends never has an unknown outcome.
  expect([offered.webhook?.includes("on_unknown"), offered.webhook?.includes("language")]).toEqual([false, true]);
  expect(offered.imB).toEqual(expect.arrayContaining(["on_unknown", "language", "reply_style"]));
  const web = (config: object) => api.put<{ config: object }>("/api/channels/web", { config });
  await expect(web({ language: "zh" })).rejects.toThrow(/config\.language: has no effect/);
  const { config } = await web({ language: "auto", model_id: "" });
  expect(config).not.toHaveProperty("language");
});

test("errors are reported in the person's language too", async () => {
  await setLanguage(null);
  expect(await replyTo("/leak 漏水")).toBe("抱歉，暂时无法回答，请稍后再试。");
  expect(await replyTo("/leak")).toBe("Sorry, this could not be answered. Please try again later.");
  const hasty = newSender("zh");
  for (const _ of [1, 2, 3]) await replyTo("/tide", hasty);
  expect(await replyTo("/tide", hasty)).toBe("消息过于频繁，请一分钟后再试。");
});

test("an interrupted answer says so where only its text is shown, and is stored unchanged", async () => {
  await setLanguage(null);
  const searchMessages = async (q: string) => {
    const path = `/api/gateway/messages?q=${encodeURIComponent(q)}`;
    return (await api.get<{ items: readonly { state: string; cause: string | null; session_id: string }[] }>(path))
      .items[0];
  };
  models.script.push({ kind: "cut", text: "The harbour lies " }, { kind: "cut", text: "```\n港口在" });
  expect(await replyTo("Where is the harbour?")).toBe(
    "The harbour lies …\n\n(The answer broke off here. Please ask again.)",
  );
  const { session_id = "", ...item } = (await searchMessages("Where is the harbour")) ?? {};
  expect(item).toMatchObject({ state: "done", cause: "broke_off" });
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${session_id}/messages`);
  expect(items.find(({ role }) => role === "assistant")?.content).toBe("The harbour lies ");
  expect(await replyTo("港口在哪里？")).toBe("```\n港口在 …\n```\n\n（回答在此中断，请重新提问。）");
  models.script.push({ kind: "text", text: "By the sea." });
  expect(await replyTo("Where is it now?")).toBe("By the sea.");
  expect(await searchMessages("Where is it now")).toMatchObject({ state: "done", cause: null });
});

test("the console is answered in its display language", async () => {
  using socket = await openSocket(api);
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  await socket.ask({ type: "join_session", session_id: id });
  const answers = async () => {
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    return items.filter(({ role }) => role === "assistant").map(({ content }) => content);
  };
  for (const [index, language] of ["zh-CN", "en"].entries()) {
    await socket.ask({ type: "send_message", session_id: id, content: "/tide", temp_id: `t-${index}`, language });
  }
  await eventually(async () => expect(await answers()).toEqual(["正在涨潮。", "The tide is high."]));
  const { items } = await api.get<{ items: readonly { name: string; help: object; usage_texts: { zh: string } }[] }>(
    "/api/commands?limit=500",
  );
  const helps = Object.fromEntries(items.map(({ name, help }) => [name, help]));
  expect(helps["/tide"]).toEqual({ en: "Tells the tide", zh: "查询潮汐" });
  expect(helps["/plain"]).toEqual({ en: "Says a word", zh: "Says a word" });
  const visible = items.filter(({ name }) => !["/plain", "/leak", "/tide"].includes(name));
  expect(visible.filter(({ usage_texts: { zh } }) => /[<[][a-z_ ]+[>\]]/.test(zh))).toEqual([]);
  const ours = Object.entries(helps).filter(([name]) => !["/plain", "/leak"].includes(name));
  for (const [name, help] of ours)
    expect({ name, help }).toMatchObject({ help: { zh: expect.stringMatching(/\p{Script=Han}/u) } });
});

interface Asked {
  readonly from: string;
  readonly asks: string;
  readonly with?: object;
  readonly says: string;
}

/** One failing request per package, with the Chinese message. */
const FAILURES: readonly Asked[] = [
  { from: "sessions", asks: "POST /api/sessions", with: { character_id: "char_x" }, says: "角色“char_x”不存在" },
  { from: "sessions", asks: "GET /api/sessions?cursor=e30", says: "不是此列表给出的游标" },
  {
    from: "models",
    asks: "POST /api/ai-models",
    with: { name: "m", model: "m", protocol: "smoke" },
    says: "“smoke”不存在",
  },
  { from: "models", asks: "GET /api/ai-models/failover-queue/smoke", says: "“smoke”不存在" },
  { from: "channels", asks: "DELETE /api/channels/web", says: "内置渠道“web”只能停用，不能删除" },
  {
    from: "channels",
    asks: "PUT /api/channels/fake",
    with: { transport: "webhook" },
    says: "类型“fake”的渠道只能使用 bridge",
  },
  { from: "accounts", asks: "POST /api/accounts", with: { name: "Admin", role: "reader" }, says: "“Admin”已被使用" },
  {
    from: "accounts",
    asks: "POST /api/api-keys",
    with: { name: "k", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" },
    says: "已过期",
  },
  { from: "gateway", asks: "POST /api/nodes/alone/drain", says: "没有其他节点可以接手此节点的工作" },
  { from: "core", asks: "POST /api/sessions", with: { name: "a\u0000b" }, says: "不能含有空字符" },
  { from: "host", asks: "GET /api/sessions?q=%00", says: "不能含有空字符" },
  { from: "imA", asks: "POST /api/imA/link-session", with: { imA_id: "1" }, says: "必填" },
  {
    from: "filter",
    asks: "POST /api/message-filter",
    with: { pattern: "x", type: "keyword", action: "replace" },
    says: "动作为替换时必填",
  },
];

const toChinese = (headers: Headers) => fillDetail(JSON.parse(headers.get("x-parley-error") ?? "{}"), "zh");

test.each(FAILURES)("$from explains to a Chinese reader why $asks fails", async ({ asks, with: body, says }) => {
  const [method = "", path = ""] = asks.split(" ");
  const { status, headers, json } = await api.send(method, path, body && { body });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(toChinese(headers)).toBe(says);
  expect(json?.error).not.toMatch(/\p{Script=Han}/u);
});

test("a broken channel explains itself to a Chinese reader too", async () => {
  const bot = { id: "bot", name: "Bot", type: "imB", transport: "webhook", enabled: false };
  await api.post("/api/channels", bot);
  const body = { webhook_url: "http://bot.example" };
  const { headers } = await api.send("POST", "/api/channels/imB/bot/set-webhook", { body });
  expect(toChinese(headers)).toBe("必须是 https");
  const closed = { id: "closed", name: "Closed", type: "custom", transport: "webhook", enabled: true };
  await api.post("/api/channels", { ...closed, config: { auth: { type: "static", secret_env: "" } } });
  await eventually(async () => {
    const { items } = await api.get<{ items: readonly { id: string; status: ChannelStatus }[] }>("/api/channels");
    const status = items.find(({ id }) => id === "closed")?.status;
    expect(status?.last_error).toBe("auth.secret_env is not set: all requests are rejected");
    expect(fillDetail(status?.last_error_detail ?? {}, "zh")).toBe("未设置 auth.secret_env，将拒绝所有请求");
  });
});

test.each([
  ["custom", "webhook", { auth: { type: "none" } }, ["此 Webhook 是开放的，任何人都可以向它发送"]],
  ["imB", "webhook", { secret_token_env: "" }, ["未设置密钥，此 Webhook 是开放的"]],
  [
    "imC",
    "webhook",
    { encrypt_key_env: "", verification_token_env: "" },
    ["未设置加密密钥和校验令牌，此 Webhook 是开放的"],
  ],
])("the warnings of a %s channel appear in Chinese too", async (type, transport, config, says) => {
  const id = `open-${type}`;
  await api.post("/api/channels", { id, name: "Open", type, transport, enabled: true, config });
  await eventually(async () => {
    const { items } = await api.get<{ items: readonly { id: string; status: ChannelStatus }[] }>("/api/channels");
    const { warnings = [], warning_details = [] } = items.find((one) => one.id === id)?.status ?? {};
    expect(warnings).toEqual(says.map(() => expect.stringMatching(/^[ -~]+$/)));
    expect(warning_details.map((detail) => fillDetail(detail ?? {}, "zh"))).toEqual(says);
  });
});
