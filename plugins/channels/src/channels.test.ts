import Joi from "@hapi/joi";
import {
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelIo,
  type ChannelLink,
  Channels,
  type ChatCommand,
  ChatCommands,
  Clock,
  createSecrets,
  definePlugin,
  Egress,
  type EgressPolicy,
  Environment,
  Gateway,
  HostControl,
  type InboundMessage,
  type JsonFile,
  type JsonFileOptions,
  JsonFiles,
  LiveEvents,
  Paths,
  Redaction,
  SecretBox,
  Secrets,
  Settings,
} from "@parley/core";
import {
  createTestClock,
  type RecordedEvents,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
  type TestSettings,
  testSettings,
} from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import channels from "./index.ts";

interface View {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly capabilities: Readonly<Record<string, boolean>>;
  readonly webhook_path: string | null;
  readonly revision: number;
  readonly status: {
    readonly state: string;
    readonly connected: boolean;
    readonly last_error: string | null;
    readonly last_error_detail: object | null;
  };
}

let file: unknown;
let events: RecordedEvents;
let accepted: InboundMessage[];
/** The links that are open, and the number of links that were ever opened. */
let open: ChannelIo[];
let opened: number;
let fails: string | undefined;
let settings: TestSettings;
let running: StartedPlugins;

/** A link as third parties may write it: an instance of a class with further members. */
class LinesLink implements ChannelLink {
  readonly #io: ChannelIo;
  readonly isOpen = true;

  constructor(io: ChannelIo) {
    this.#io = io;
  }
  async send() {
    return { quality: "accepted" as const };
  }
  async poll(question: string) {
    return `${question}? ${open.includes(this.#io)}`;
  }
  async [Symbol.asyncDispose]() {
    open = open.filter((one) => one !== this.#io);
  }
}

const adapter: ChannelAdapter = {
  type: "lines",
  title: { en: "Lines", zh: "文本行" },
  webhookPath: (id) => `/lines/${id}/in`,
  transports: ["websocket", "webhook"],
  capabilities: { supports_stream: true },
  settings: Joi.object({ port: Joi.number().port().default(7000), token_env: Joi.string().allow("").default("") }),
  idempotency: "none",
  async open(_channel, io) {
    if (fails === "never") return new Promise(() => {});
    if (fails) throw new Error(fails);
    opened += 1;
    open.push(io);
    return Object.freeze(new LinesLink(io));
  },
};

const jsonFiles: JsonFiles = {
  open<Content>({ path, empty, parse }: JsonFileOptions<Content>): JsonFile<Content> {
    let other: unknown;
    const isRows = path.endsWith("channels.json");
    const content = () => (isRows ? file : other);
    const read = () => (content() === undefined ? empty : parse(content()));
    return {
      read,
      problem: () => undefined,
      async update(change) {
        const next = change(read());
        if (isRows) file = structuredClone(next);
        else other = structuredClone(next);
        return next;
      },
    };
  },
};

/** Masks one secret. */
const mask = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll("canary", "***"));

/** Fake secret box that reveals its binding; encryption is tested elsewhere. */
const box: SecretBox = {
  seal: (secret, owner) => JSON.stringify([owner, secret]),
  open(sealed, owner) {
    const [given, secret] = JSON.parse(sealed);
    if (given !== owner) throw new Error("sealed for somebody else");
    return secret;
  },
};

const INBOUND_MESSAGE: InboundMessage = {
  channelId: "mine",
  sessionId: "mine:7",
  conversation: { id: "7", isGroup: false },
  kind: "message",
  sender: { id: "7", name: "Eve", isAdmin: false },
  text: "hi",
  attachments: [],
  addressed: true,
  source: "mine",
};

beforeEach(async () => {
  file = undefined;
  events = recordedEvents();
  accepted = [];
  open = [];
  opened = 0;
  fails = undefined;
  settings = testSettings({ admin_ids: ["mine:42"] });
  const known: ChatCommand = {
    name: "/known",
    usage: "/known",
    help: "",
    category: "",
    adminOnly: false,
    run: async () => "",
  };
  const lines = definePlugin({
    id: "lines",
    register({ contribute }) {
      contribute(ChannelAdapters, () => adapter);
      contribute(ChatCommands, () => known);
    },
  });
  running = await startPlugins([lines, channels], {
    services: (from) => [
      [JsonFiles, jsonFiles],
      [SecretBox, box],
      [Redaction, { mask, remember: () => {} }],
      [Secrets, createSecrets(from)],
      [LiveEvents, events],
      [Clock, createTestClock()],
      [HostControl, { contributor: () => "lines" }],
      [
        Egress,
        {
          fetch:
            ({ reach }: EgressPolicy) =>
            async () =>
              new Response(reach),
        },
      ],
      [Environment, { get: () => undefined, secret: () => undefined }],
      [Paths, { root: "/nowhere", data: "/nowhere" }],
      [Settings, settings],
      [
        Gateway,
        {
          accept: async (message: InboundMessage) => void accepted.push(message),
          connect: () => ({ async [Symbol.asyncDispose]() {} }),
        },
      ],
    ],
  });
});
afterEach(() => running[Symbol.asyncDispose]());

const create = (body: object = {}) =>
  running.call<View>("POST /api/channels", { body: { id: "mine", name: "Mine", type: "lines", ...body } });
const state = (wanted: string) =>
  events.next(
    ({ type, payload }) => type === "channel_status" && payload.channel_id === "mine" && payload.state === wanted,
  );
const list = async () => (await running.call<{ items: readonly View[] }>("GET /api/channels")).items;
const mine = async () => (await list()).find(({ id }) => id === "mine");

describe("the list of channels", () => {
  test("always contains the three built-in ones, which cannot be deleted", async () => {
    expect((await list()).map(({ id }) => id)).toEqual(["imA", "imAbot", "web"].sort());
    await expect(running.call("DELETE /api/channels/web")).rejects.toMatchObject({ code: "bad_request" });
    await expect(running.call("PUT /api/channels/web", { body: { type: "lines" } })).rejects.toMatchObject({
      code: "bad_request",
    });
    expect(await running.call("POST /api/channels/web/toggle", { body: { enabled: false } })).toMatchObject({
      enabled: false,
    });
  });

  test("shows values of the adapter and the capabilities of each channel", async () => {
    const made = await create({ transport: "webhook" });
    expect(made).toMatchObject({
      config: { port: 7000, token_env: "", group_trigger: "mention", on_unknown: "review" },
      capabilities: { supports_stream: true, supports_stop: false },
    });
    expect(made.webhook_path).toBe("/lines/mine/in");
  });

  test.each([
    ["an id that is taken, in other letters", { id: "WEB" }, "conflict"],
    ["an id that is reserved", { id: "global" }, "bad_request"],
    ["a secret itself", { config: { token: "abc" } }, "bad_request"],
    ["the name of a variable of the service", { config: { token_env: "SVC_SECRET_KEY" } }, "bad_request"],
    ["a setting the adapter does not know", { config: { colour: "red" } }, "bad_request"],
    ["a way the adapter does not go", { transport: "bridge" }, "bad_request"],
    ["a type that is built in", { type: "imA" }, "bad_request"],
  ])("rejects %s, and stores nothing", async (_what, body, code) => {
    await expect(create(body)).rejects.toMatchObject({ code });
    expect(await mine()).toBeUndefined();
  });

  test("offers any installed adapter, under the name of its package", async () => {
    const { items } = await running.call<{ items: readonly { id: string }[] }>("GET /api/channels/presets");
    expect(items.map(({ id }) => id)).toEqual(["imB", "imC", "imC_ws", "generic_webhook", "lines"]);
    expect(items.at(-1)).toMatchObject({
      name: "Lines",
      title: { zh: "文本行" },
      transport: "websocket",
      installed: true,
    });
    const made = await running.call("POST /api/channels/presets/lines", { body: { id: "mine" } });
    expect(made).toMatchObject({ id: "mine", name: "Lines", type: "lines", config: { port: 7000 } });
  });

  test("gets a channel of a preset by one call, configured as the platform requires", async () => {
    expect(await running.call("POST /api/channels/presets/imB", { body: {} })).toMatchObject({
      id: "imB",
      type: "imB",
      transport: "webhook",
      config: { bot_token_env: "IMB_BOT_TOKEN", secret_token_env: "IMB_WEBHOOK_SECRET", webhook_url: "" },
      capabilities: {
        supports_stream: false,
        supports_progress_updates: false,
        supports_file_send: false,
        supports_stop: false,
      },
      webhook_path: "/api/gateway/imB/webhook",
    });
  });

  test("marks channels whose adapter is missing", async () => {
    await running.call("POST /api/channels", { body: { id: "mine", name: "Mine", type: "unknown" } });
    await state("error");
    const { last_error, last_error_detail } = (await mine())?.status ?? {};
    expect(last_error).toBe("no installed package serves the type 'unknown'");
    // People with another language get the error in that language.
    expect(last_error_detail).toEqual({ key: "channel_type_unserved", params: { type: "unknown" } });
  });
});

describe("a mistyped channel type", () => {
  test.each([
    ["Lines", "lines"],
    ["liness", "lines"],
    ["customs", "custom"],
    ["ima", "imA"],
    ["imX", undefined],
    ["mine", undefined],
  ])("gets a suggestion: %s means %s", async (type, near) => {
    const made = running.call("POST /api/channels", { body: { id: "slip", name: "Slip", type } });
    if (near === undefined) return void (await made);
    await expect(made).rejects.toMatchObject({
      code: "bad_request",
      message: `the type '${type}' is not known; did you mean '${near}'?`,
    });
    await create();
    await expect(running.call("PUT /api/channels/mine", { body: { type } })).rejects.toThrow("did you mean");
  });
});

describe("the connection of a channel", () => {
  test("exists once, however often the channel is switched and changed", async () => {
    await create();
    for (let round = 0; round < 100; round += 1) await running.call("POST /api/channels/mine/toggle", { body: {} });
    await running.call("PUT /api/channels/mine", { body: { config: { port: 7001 } } });
    await running.call("POST /api/channels/mine/toggle", { body: { enabled: false } });
    expect(open).toHaveLength(0);
    await running.call("POST /api/channels/mine/toggle", { body: { enabled: true } });
    expect(open).toHaveLength(1);
  });

  test("stays open when only the name changes", async () => {
    await create();
    await state("running");
    const before = opened;
    await running.call("PUT /api/channels/mine", { body: { name: "Other" } });
    expect(opened).toBe(before);
    expect(open).toHaveLength(1);
  });

  test("that cannot be opened shows why, and is open once it can be", async () => {
    fails = "the address /?token=canary is in use";
    await create();
    const error = "the address /?token=*** is in use";
    expect(await state("error")).toMatchObject({ payload: { error } });
    expect((await mine())?.status).toMatchObject({ state: "error", connected: false, last_error: error });
    fails = undefined;
    await running.call("PUT /api/channels/mine", { body: { config: { port: 7002 } } });
    await state("running");
    expect(running.get(Channels).link("mine")).toBeDefined();
  });

  test("that never opens delays neither a change of its channel nor the end of the service", async () => {
    fails = "never";
    const making = create();
    await state("starting");
    expect((await mine())?.status.state).toBe("starting");
    fails = undefined;
    await running.call("PUT /api/channels/mine", { body: { config: { port: 7002 } } });
    await making;
    await state("running");
    fails = "never";
    await running.call("POST /api/channels/mine/toggle", { body: { enabled: false } });
    void running.call("POST /api/channels/mine/toggle", { body: { enabled: true } });
    await expect.poll(async () => (await mine())?.status.state).toBe("starting");
    await running[Symbol.asyncDispose]();
  });

  test("that failed still shows why when the channel is disabled, until it works again", async () => {
    fails = "the address is in use";
    await create();
    await state("error");
    await running.call("POST /api/channels/mine/toggle", { body: { enabled: false } });
    expect((await mine())?.status).toMatchObject({ state: "disabled", last_error: "the address is in use" });
    fails = undefined;
    await running.call("POST /api/channels/mine/toggle", { body: { enabled: true } });
    expect((await mine())?.status).toMatchObject({ state: "running", last_error: null });
  });

  test("reaches private addresses only while the setting allows it", async () => {
    await create();
    await state("running");
    const reach = async () => (await open[0]?.fetch("https://platform.example"))?.text();
    expect(await reach()).toBe("loopback");
    settings.put("gateway.allow_private_outbound", true);
    expect(await reach()).toBe("private");
    settings.put("gateway.allow_private_outbound", false);
    expect(await reach()).toBe("loopback");
  });

  test("is closed when its channel is deleted", async () => {
    await create();
    await state("running");
    await running.call("DELETE /api/channels/mine");
    expect(open).toEqual([]);
    expect(running.get(Channels).get("mine")).toBeUndefined();
  });

  test("passes on methods that the plugin does not know", async () => {
    await create();
    await state("running");
    const link = running.get(Channels).link("mine") as LinesLink;
    expect(await link.poll("open")).toBe("open? true");
    expect("poll" in link && link.isOpen).toBe(true);
    expect("recall" in link).toBe(false);
  });

  test("does not let an adapter decide who is an administrator, or where a message comes from", async () => {
    await create();
    await state("running");
    const message = { ...INBOUND_MESSAGE, source: "web", sender: { id: "7", name: "Eve", isAdmin: true } };
    await open[0]?.accept(message);
    await open[0]?.accept({ ...message, sender: { id: "42", name: "Ada", isAdmin: false } });
    expect(accepted).toMatchObject([
      { channelId: "mine", source: "mine", sender: { isAdmin: false } },
      { channelId: "mine", sender: { isAdmin: true } },
    ]);
  });

  test.each([
    ["of another channel", { channelId: "web" }],
    ["of another channel's session", { sessionId: "other:7" }],
    ["without a conversation", { conversation: undefined }],
    ["of a conversation without an id", { conversation: { id: null, isGroup: false } }],
    ["of a kind that nobody knows", { kind: "hello" }],
    ["of nobody", { sender: undefined }],
    ["that has no text", { text: undefined }],
    ["with something else than a list of attachments", { attachments: "a.png" }],
  ])("rejects a message %s", async (_what, wrong) => {
    await create();
    await state("running");
    const accepting = open[0]?.accept({ ...INBOUND_MESSAGE, ...wrong } as unknown as InboundMessage);
    await expect(accepting).rejects.toMatchObject({ code: "bad_request" });
    expect(accepted).toEqual([]);
  });
});

describe("in a group chat", () => {
  const message = { ...INBOUND_MESSAGE, conversation: { id: "g", isGroup: true } };

  test.each([
    ["mention", false, "hello", false],
    ["mention", true, "hello", true],
    ["mention", false, "/known now", true],
    ["all", false, "hello", true],
    ["never", true, "hello", false],
    ["never", false, "/known", true],
  ])(
    "with the trigger %s, mentioned: %s, the text %j is addressed to the bot: %s",
    async (group_trigger, addressed, text, isFor) => {
      await create({ config: { group_trigger } });
      await expect.poll(() => open.length).toBe(1);
      await open[0]?.accept({ ...message, addressed, text });
      expect(accepted[0]?.addressed).toBe(isFor);
    },
  );
});

test.each([
  ["a list", [{ id: "mine", type: "lines" }]],
  ["an object by id", { mine: { type: "lines" } }],
  ["with 'channels'", { channels: [{ id: "mine", type: "lines" }] }],
])("a hand-written file is read: %s", async (_what, content) => {
  file = content;
  expect(await mine()).toMatchObject({ id: "mine", revision: 1, config: {} });
});
