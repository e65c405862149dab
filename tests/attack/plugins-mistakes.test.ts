import Joi from "@hapi/joi";
import { checkConfiguration } from "@parley/cli";
import {
  ChannelAdapters,
  ChatCommands,
  type DefinedPlugin,
  definePlugin,
  type ExtensionPoint,
  JobKinds,
  LogFeed,
  type LogRow,
  McpPrompts,
  McpResources,
  ModelProtocols,
  type Plugin,
  Probes,
  PromptSources,
  type RegisterContext,
  RouteTables,
  route,
  Sessions,
  SocketEndpoints,
  type StartContext,
  serviceKey,
  stage,
  TaskKinds,
  Tools,
  ToolTables,
  TurnStages,
  tool,
} from "@parley/core";
import { answerFields } from "@parley/core/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const answer = async () => "";
const command = { name: "/acme", usage: "/acme", help: "", category: "acme", adminOnly: false, run: answer };
const acmeTool = {
  name: "acme",
  purpose: "Does something.",
  args: Joi.object({}),
  scope: "gateway.read",
  risk: "read",
  audience: ["ai"],
  run: answer,
};
const row = { method: "GET", path: "/acme", summary: "acme", data: answerFields.anything, run: answer };
const jobKind = { kind: "acme.work", titles: { en: "Work", zh: "工作" }, schema: Joi.object({}), run: answer };
const turnStage = { id: "acme.stage", phase: "context", run: async (turn: unknown) => turn };
const adapter = {
  type: "acme",
  transports: ["webhook"],
  capabilities: {},
  settings: Joi.object({}),
  idempotency: "none",
  open: answer,
};
/** A schema from another copy of joi, as a package with its own dependency brings it. */
const foreignJoi = { type: "object", [Symbol.for("@hapi/joi/schema")]: { version: "17.1.1" } };

const adds =
  (point: ExtensionPoint<never>, contribution: unknown): Plugin["register"] =>
  ({ contribute }) =>
    contribute(point, () => contribution as never);
const contributeAt = (point: unknown, contribution: unknown) => ({
  register: adds(point as ExtensionPoint<never>, contribution),
});

const Own = serviceKey<object>("acme.own");
let contributeLater: RegisterContext<object>["contribute"];
const late = {
  register({ contribute }: RegisterContext<object>) {
    contributeLater = contribute;
  },
  async start() {
    contributeLater(Tools, () => acmeTool as never);
  },
};

/** Faulty plugins, and the reason each is left out. */
const MISTAKES: readonly (readonly [mistake: string, plugin: object, reason: string | RegExp])[] = [
  ["a tool that is undefined", contributeAt(Tools, undefined), "what it adds to tools cannot be used: it is undefined"],
  ["a tool that is 5", contributeAt(Tools, 5), "what it adds to tools cannot be used: it must be of type object"],
  [
    "a tool with a blank in its name",
    contributeAt(Tools, { ...acmeTool, name: "two words" }),
    "'name' with value 'two words'",
  ],
  [
    "a tool whose args are no joi",
    contributeAt(Tools, { ...acmeTool, args: { type: "object" } }),
    "'args' is no joi schema",
  ],
  [
    "a tool whose args are no object",
    contributeAt(Tools, { ...acmeTool, args: Joi.string() }),
    "'args' is a joi schema of type string",
  ],
  ["a tool of another joi", contributeAt(Tools, { ...acmeTool, args: foreignJoi }), "'args' was made by joi 17.1.1"],
  ["a tool of an unknown scope", contributeAt(Tools, { ...acmeTool, scope: "everything" }), "'scope' must be one of"],
  ["a tool without run", contributeAt(Tools, { ...acmeTool, run: undefined }), "'run' is required"],
  ["a table of tools with a hole", contributeAt(ToolTables, [null]), "'[0]' must be of type object"],
  [
    "a tool of a name that ours has",
    contributeAt(Tools, { ...acmeTool, name: "agent_get_settings" }),
    "adds the tool agent_get_settings, which 'operations' adds already",
  ],
  ["one tool twice", contributeAt(ToolTables, [acmeTool, acmeTool]), "adds the tool acme twice"],
  [
    "a command that is undefined",
    contributeAt(ChatCommands, undefined),
    "what it adds to chat-commands cannot be used",
  ],
  [
    "a command without a name",
    contributeAt(ChatCommands, { ...command, name: undefined, nome: "/acme" }),
    "'name' is required",
  ],
  [
    "a command without a slash",
    contributeAt(ChatCommands, { ...command, name: "acme" }),
    "'name' with value 'acme' must be a slash and a word",
  ],
  [
    "a second /help",
    contributeAt(ChatCommands, { ...command, name: "/help" }),
    "adds the command /help, which 'chat' adds already",
  ],
  ["a stage without run", contributeAt(TurnStages, { ...turnStage, run: undefined }), "'run' is required"],
  [
    "a stage whose unanswered is no function",
    contributeAt(TurnStages, { ...turnStage, unanswered: 1 }),
    "'unanswered' must be of type function",
  ],
  ["a stage of an unknown phase", contributeAt(TurnStages, { ...turnStage, phase: "later" }), "'phase' must be one of"],
  [
    "a prompt source at an unknown place",
    contributeAt(PromptSources, { id: "acme.mood", priority: 30, place: "footer", collect: answer }),
    "'place' must be one of",
  ],
  ["an adapter without open", contributeAt(ChannelAdapters, { ...adapter, open: undefined }), "'open' is required"],
  ["an adapter that is only a type", contributeAt(ChannelAdapters, { type: "acme" }), "'transports' is required"],
  [
    "a second imB",
    contributeAt(ChannelAdapters, { ...adapter, type: "imB" }),
    "adds the channel type imB, which 'imb' adds already",
  ],
  [
    "a probe whose measure is no function",
    contributeAt(Probes, { id: "acme", measure: 5 }),
    "'measure' must be of type function",
  ],
  ["a probe that is undefined", contributeAt(Probes, undefined), "what it adds to probes cannot be used"],
  [
    "a model protocol that is undefined",
    contributeAt(ModelProtocols, undefined),
    "what it adds to model-protocols cannot be used",
  ],
  ["rows that are undefined", contributeAt(RouteTables, undefined), "what it adds to route-tables cannot be used"],
  ["rows that are 5", contributeAt(RouteTables, 5), "cannot be used: it must be an array"],
  [
    "a row that does not say what it answers",
    contributeAt(RouteTables, [{ ...row, data: undefined }]),
    "row 'GET /acme' does not say what it answers: data",
  ],
  [
    "a raw row that declares no content types",
    contributeAt(RouteTables, [{ ...row, reply: "raw" }]),
    "row 'GET /acme' does not say what it sends: data, by content type",
  ],
  ["a row that is null", contributeAt(RouteTables, [null]), "'[0]' must be of type object"],
  [
    "a row of an unknown method",
    contributeAt(RouteTables, [{ ...row, method: "PATCH" }]),
    "'[0].method' must be one of",
  ],
  ["a row of a broken path", contributeAt(RouteTables, [{ ...row, path: "api/{x" }]), "'[0].path' is no path like"],
  [
    "a row with one parameter twice",
    contributeAt(RouteTables, [{ ...row, path: "/a/{x}/{x}" }]),
    "'[0].path' is no path like",
  ],
  [
    "a row of ours",
    contributeAt(RouteTables, [{ ...row, path: "/api/channels" }]),
    "adds the row GET /api/channels, which 'channels' adds already",
  ],
  [
    "a row of ours under another parameter",
    contributeAt(RouteTables, [{ ...row, path: "/api/sessions/{id}" }]),
    "adds the row GET /api/sessions/{}",
  ],
  [
    "a row of the host",
    contributeAt(RouteTables, [{ ...row, path: "/metrics" }]),
    "adds the row GET /metrics, which the host has already",
  ],
  [
    "a row with a body of another joi",
    contributeAt(RouteTables, [{ ...row, method: "POST", body: foreignJoi }]),
    "'[0].body' was made by joi 17.1.1",
  ],
  [
    "a socket door of ours",
    contributeAt(SocketEndpoints, { path: "/api/ws", take() {} }),
    "adds the socket door /api/ws, which 'web' adds already",
  ],
  ["a socket door that takes nothing", contributeAt(SocketEndpoints, { path: "/acme" }), "'take' is required"],
  [
    "a task kind nobody knows",
    contributeAt(TaskKinds, { kind: "hourly", has: answer, run: answer }),
    "'kind' must be one of",
  ],
  ["a job kind without a schema", contributeAt(JobKinds, { ...jobKind, schema: undefined }), "'schema' is required"],
  [
    "a job kind whose schema is of another joi",
    contributeAt(JobKinds, { ...jobKind, schema: foreignJoi }),
    "'schema' was made by joi",
  ],
  [
    "a job kind without a title in Chinese",
    contributeAt(JobKinds, { ...jobKind, titles: { en: "x" } }),
    "'titles.zh' is required",
  ],
  ["a job kind that runs nothing", contributeAt(JobKinds, { ...jobKind, run: 5 }), "'run' must be of type function"],
  [
    "a job kind that runs none at once",
    contributeAt(JobKinds, { ...jobKind, concurrency: 0 }),
    "'concurrency' must be",
  ],
  [
    "a job kind of ours",
    contributeAt(JobKinds, { ...jobKind, kind: "jobs.prune" }),
    "adds the job kind jobs.prune, which 'jobs' adds already",
  ],
  [
    "a prompt for clients without messages",
    contributeAt(McpPrompts, { name: "acme", description: "", arguments: [] }),
    "'messages' is required",
  ],
  [
    "a resource of an unknown scope",
    contributeAt(McpResources, { uri: "x", name: "x", mimeType: "x", scope: "x", read: answer }),
    "'scope' must be one of",
  ],
  [
    "a make that throws",
    {
      register: ({ contribute }: never) =>
        (contribute as (...all: unknown[]) => void)(Tools, () => {
          throw new Error("not today");
        }),
    },
    "what it adds to tools cannot be made: not today",
  ],
  [
    "a make that is async",
    {
      register: ({ contribute }: never) =>
        (contribute as (...all: unknown[]) => void)(Tools, async () => {
          throw new Error("too late");
        }),
    },
    "it is a promise",
  ],
  [
    "a misspelt extension point",
    contributeAt(undefined, acmeTool),
    "contribute takes an extension point, and was given undefined",
  ],
  [
    "a service in place of a point",
    contributeAt(LogFeed, acmeTool),
    "contribute takes an extension point, and was given something else",
  ],
  [
    "register that throws",
    {
      register() {
        throw new Error("no luck");
      },
    },
    "register failed: no luck",
  ],
  [
    "register that is async",
    {
      async register() {
        throw new Error("too late");
      },
    },
    "register failed: it is async",
  ],
  [
    "a tool in place of what makes it",
    { register: ({ contribute }: never) => (contribute as (...all: unknown[]) => void)(Tools, acmeTool) },
    "contribute('tools', …) takes a function that makes it",
  ],
  [
    "a service in place of what makes it",
    { register: ({ provide }: never) => (provide as (...all: unknown[]) => void)(Own, {}) },
    "provide('acme.own', …) takes a function that makes it",
  ],
  [
    "a misspelt service",
    { register: ({ provide }: never) => (provide as (...all: unknown[]) => void)(undefined, () => ({})) },
    "provide takes a service, and was given undefined (is its name spelled as in @parley/core?)",
  ],
  [
    "one service twice",
    {
      register({ provide }: RegisterContext<object>) {
        for (const own of [1, 2]) provide(Own, () => ({ own }));
      },
    },
    "register failed: provide('acme.own', …) was called twice",
  ],
  [
    "a service of ours",
    { register: ({ provide }: RegisterContext<object>) => provide(Sessions, () => ({}) as never) },
    "provides 'sessions', which 'sessions' provides already",
  ],
  [
    "a service that nobody provides",
    { requires: [serviceKey("acme.moon")], register() {} },
    "needs 'acme.moon', which no enabled plugin provides",
  ],
  [
    "a service that it asks for in register",
    { register: ({ get }: never) => (get as (key: unknown) => void)(Sessions) },
    "register failed: get is not there yet: register declares; ask for services in start, or in what contribute makes",
  ],
  [
    "a release that it wants in register",
    { register: ({ defer }: never) => (defer as (release: unknown) => void)(() => {}) },
    "register failed: defer is not there yet: register declares; what must be released is acquired in start",
  ],
  ["what it contributes when it starts", late, "start failed: contribute was called after register had ended"],
  [
    "a service that is not there when it starts",
    {
      register() {},
      async start({ get }: StartContext<object>) {
        get(serviceKey("acme.moon"));
      },
    },
    "start failed: no enabled plugin provides 'acme.moon'",
  ],
  [
    "a service whose name is misspelt when it starts",
    {
      register() {},
      async start({ get }: StartContext<object>) {
        get(undefined as never);
      },
    },
    "start failed: get takes a service, and was given none (is its name spelled as in @parley/core?)",
  ],
  [
    "a release that is no function",
    {
      register() {},
      async start({ defer }: never) {
        (defer as (release: unknown) => void)({});
      },
    },
    "start failed: defer takes a function that releases what was acquired",
  ],
  [
    "settings that must be given, and are not",
    { config: Joi.object({ url: Joi.string().required() }), register() {} },
    /^\[plugin\.wrong-\d+\] 'url' is required/,
  ],
  [
    "settings that are a text",
    { config: Joi.string(), register() {} },
    "config is a joi schema of type string, not of an object",
  ],
  ["a misspelt requirement", { requires: [undefined], register() {} }, "requires must be a list of services"],
  ["settings that are no joi", { config: { size: 3 }, register() {} }, "config is no joi schema"],
  ["settings of another joi", { config: foreignJoi, register() {} }, "config was made by joi 17.1.1"],
  [
    "start that throws at once",
    {
      register() {},
      start() {
        throw new Error("no network");
      },
    },
    "start failed: no network",
  ],
  [
    "start that rejects",
    {
      register() {},
      async start() {
        throw new Error("no network");
      },
    },
    "start failed: no network",
  ],
  ["start that is no function", { register() {}, start: 5 }, "start is no function"],
  ["ready that is no function", { register() {}, ready: 5 }, "ready is no function"],
  [
    "ready that rejects",
    {
      register() {},
      async ready() {
        throw new Error("no clock");
      },
    },
    "ready failed: no clock",
  ],
];

const wrong = MISTAKES.map(([, plugin], index) => definePlugin({ id: `wrong-${index}`, ...plugin } as Plugin));
const logRows: LogRow[] = [];

/** Two third-party plugins that use the same name, and one that is correct. */
const createForeignPlugin = (id: string) =>
  definePlugin({ id, ...contributeAt(Tools, { ...acmeTool, name: "shared" }) } as Plugin);
const released: string[] = [];
const started = definePlugin({
  id: "started",
  register: adds(Tools as never, undefined),
  start: async ({ defer }: StartContext<object>) => defer(() => void released.push("started")),
});
const circle: { self?: object } = {};
circle.self = circle;
const faulty = definePlugin({
  id: "faulty",
  register({ contribute }) {
    contribute(TurnStages, () =>
      stage({
        id: "faulty.stage",
        phase: "context",
        async run(turn) {
          if (turn.text === "give nothing") return {} as never;
          if (turn.text === "throw") throw new Error("no mood today");
          return turn;
        },
      }),
    );
    contribute(ChatCommands, () => ({
      ...command,
      name: "/faulty",
      usage: "/faulty",
      run: () => Promise.reject(new Error("no idea")),
    }));
    contribute(ChatCommands, () => ({
      ...command,
      name: "/mute",
      usage: "/mute",
      run: async () => undefined as never,
    }));
    contribute(Tools, () => tool({ ...(acmeTool as never as Parameters<typeof tool>[0]), name: "fine" }));
    contribute(Probes, () => ({
      id: "throwing",
      health: () => {
        throw new Error("no pulse");
      },
      measure: () => {
        throw new Error("no numbers");
      },
      stats: () => {
        throw new Error("no statistics");
      },
    }));
    contribute(Probes, () => ({ id: "garbage", measure: async () => 5 as never, health: async () => ({}) as never }));
    contribute(Probes, () => ({
      id: "hanging",
      measure: () => new Promise(() => {}),
      health: () => new Promise(() => {}),
    }));
    contribute(RouteTables, () => [
      route({ method: "GET", path: "/faulty/circle", summary: "x", data: answerFields.anything, run: () => circle }),
      route({
        method: "GET",
        path: "/faulty/big",
        summary: "x",
        data: answerFields.anything,
        run: () => ({ big: 1n }),
      }),
      route({
        method: "GET",
        path: "/faulty/throws",
        summary: "x",
        data: answerFields.anything,
        run: () => Promise.reject(new Error("no answer")),
      }),
    ]);
  },
});
const listener = definePlugin({
  id: "listener",
  register() {},
  async start({ get, defer }) {
    defer(get(LogFeed).subscribe((line) => logRows.push(line)));
  },
});

let parley: Parley;
let api: Client;
let session: string;

beforeAll(async () => {
  const plugins: readonly DefinedPlugin[] = [
    listener,
    ...wrong,
    createForeignPlugin("stranger-1"),
    createForeignPlugin("stranger-2"),
    started,
    faulty,
  ];
  parley = await startParley({ plugins });
  api = await parley.signIn();
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly failure: string | null;
}
const listPlugins = async () => (await api.get<{ items: readonly Listed[] }>("/api/plugins")).items;
const sendChat = (content: string) => api.send("POST", `/api/sessions/${session}/chat`, { body: { content } });

describe("a third-party plugin is skipped, and named with the reason, for", () => {
  test.each(MISTAKES.map(([mistake, , reason], index) => [mistake, `wrong-${index}`, reason] as const))(
    "%s",
    async (_mistake, id, reason) => {
      const failure = parley.host.control.plugins().find((one) => one.id === id)?.failure;
      expect(failure).toMatch(typeof reason === "string" ? new RegExp(RegExp.escape(reason)) : reason);
    },
  );

  test("a tool name that another plugin uses as well: the later one", async () => {
    const failures = new Map((await listPlugins()).map(({ id, failure }) => [id, failure]));
    expect(failures.get("stranger-1")).toBeNull();
    expect(failures.get("stranger-2")).toBe("adds the tool shared, which 'stranger-1' adds already");
  });

  test("an invalid contribution after its start: its resources are released", () => {
    expect(released).toEqual(["started"]);
  });
});

test("a check reports the same without a start, except for errors during one", async () => {
  const { root, credentials } = parley;
  const env = { SVC_ADMIN_PASSWORD: credentials.password };
  const { plugins } = await checkConfiguration({ root, env, plugins: wrong });
  const failures = new Map(plugins.map(({ id, failure }) => [id, failure]));
  const unsaid = (await listPlugins()).flatMap(({ id, failure }) =>
    id.startsWith("wrong-") && failures.get(id) !== failure ? [`${id}: ${failure}`] : [],
  );
  expect(unsaid.filter((one) => !/: (start|ready) failed: /.test(one))).toEqual([]);
});

describe("beside faulty plugins", () => {
  test("every other plugin runs", async () => {
    const out = (await listPlugins()).filter(({ state }) => state === "failed").map(({ id }) => id);
    expect(out.toSorted()).toEqual([...wrong.map(({ id }) => id), "stranger-2", "started"].toSorted());
  });

  test("people are answered, and shown their commands", async () => {
    expect((await sendChat("hello")).status).toBe(200);
    expect((await sendChat("/help")).text).toContain("/faulty");
  });

  test("every page that queries all plugins answers", async () => {
    const paths = [
      "/metrics",
      "/api/stats",
      "/api/gateway/health",
      "/api/startup-status",
      "/api/commands",
      "/api/channels",
    ];
    const answers = await Promise.all([...paths, "/api/openapi.json"].map((path) => api.send("GET", path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test("a probe that throws, hangs or returns garbage loses only its own numbers", async () => {
    const [{ text }, { components }] = await Promise.all([
      api.send("GET", "/metrics"),
      api.get<{ components: readonly { name: string; state: string; error: string | null }[] }>("/api/startup-status"),
    ]);
    expect(text).toContain("parley_probes_failed 3\n");
    expect(text).toContain("parley_log_rows_dropped");
    const of = (name: string) => components.find((one) => one.name === name);
    expect(of("throwing")).toMatchObject({ state: "down", error: "no pulse" });
    expect(of("hanging")).toMatchObject({ state: "down", error: "did not answer within 1.5 s" });
    expect(of("garbage")).toMatchObject({ state: "down" });
    expect(of("settings")).toMatchObject({ state: "ok" });
  });

  test.each([
    ["a stage that gives no turn", "give nothing", "stage 'faulty.stage' in phase context gave no turn"],
    ["a stage that throws", "throw", "stage 'faulty.stage' in phase context failed: no mood today"],
    ["a command that throws", "/faulty", "command '/faulty' failed: no idea"],
    ["a command that answers nothing", "/mute", "command '/mute' failed: it answered no text"],
  ])("%s fails only its message, which is reported", async (_what, text, reason) => {
    logRows.length = 0;
    expect((await sendChat(text)).status).toBe(500);
    expect(JSON.stringify(logRows)).toContain(reason);
    expect((await sendChat("hello")).status).toBe(200);
  });

  test.each(["/faulty/circle", "/faulty/big", "/faulty/throws"])(
    "the route %s fails with an error, and is named",
    async (path) => {
      logRows.length = 0;
      const { status, json } = await api.send("GET", path);
      expect([status, json?.success, json?.code]).toEqual([500, false, "internal"]);
      expect(logRows.map(({ context }) => context.row)).toContain(path);
    },
  );
});
