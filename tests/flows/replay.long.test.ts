import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { readTurn, replayTurn } from "@parley/cli";
import { type Attachment, ChatCommands, definePlugin, Gateway, type TurnRecord, TurnStages } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import dice from "../../examples/plugin-dice/src/index.ts";
import { isInFiles, readStorageEnv } from "../harness/chosen-storage.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";
import { type ParleyProcess, runParley, startProcess } from "../harness/process.ts";

const repository = dirname(dirname(import.meta.dirname));

/** Attaches a picture to a happy reply. */
const stickers = definePlugin({
  id: "stickers",
  register({ contribute }) {
    const phase = "decorate" as const;
    const smile: Attachment = { type: "sticker", url: "https://stickers.test/smile.png", name: "smile" };
    contribute(TurnStages, () => ({
      id: "stickers.hang",
      phase,
      run: async (turn) => ({
        ...turn,
        replies: turn.replies.map((one) => (one.text.includes("happy") ? { ...one, attachments: [smile] } : one)),
      }),
    }));
  },
});

interface TurnAnswer {
  readonly trace_id: string;
  readonly replies: readonly { readonly content: string }[];
}

describe("the replay of a recorded turn", () => {
  let models: ModelServer;
  let parley: Parley;
  let api: Client;
  let fake: FakeChannel;

  beforeAll(async () => {
    models = await startModelServer();
    fake = createFakeChannel();
    parley = await startParley({ plugins: [fake.plugin, stickers] });
    api = await parley.signIn();
    const made = await api.post<{ id: string }>("/api/ai-models", {
      name: "scripted",
      model: "scripted",
      base_url: models.baseUrl,
      api_key: "sk-scripted-secret",
      retry_count: 0,
    });
    await api.post(`/api/ai-models/${made.id}/apply`, {});
    await api.post("/api/channels", { id: "fake", name: "Fake", type: "fake" });
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });
  afterEach(() => {
    models.script.length = 0;
    rmSync(join(parley.root, "resources"), { recursive: true, force: true });
  });

  const createOptions = () => ({
    root: parley.root,
    env: readStorageEnv(parley.root),
    plugins: [dice, fake.plugin, stickers],
  });
  const filter = (keyword: string, more: object = {}) => writeRules(parley.root, [{ pattern: keyword, ...more }]);
  const ask = async (content: string): Promise<string> => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Replayed" });
    return (await api.post<TurnAnswer>(`/api/sessions/${id}/chat`, { content })).trace_id;
  };
  const record = async (traceId: string): Promise<TurnRecord> => {
    // A query of the history waits until it is flushed.
    await api.get("/api/gateway/events?limit=1");
    return readTurn(traceId, createOptions());
  };

  test("has the same result, and calls neither the model nor a tool", async () => {
    models.script.push(
      { kind: "tool", name: "roll_dice", args: { dice: 2, sides: 6 } },
      { kind: "text", text: "You rolled." },
    );
    const recorded = await record(await ask("roll two dice"));
    const asked = models.requests.length;
    const { result, unanswered } = await replayTurn(recorded, createOptions());
    expect(unanswered).toEqual([]);
    expect(result).toEqual(recorded.result);
    expect(result.decorate).toMatchObject([{ text: "You rolled." }]);
    expect(result.prompt.map(({ key }) => key)).toContain("tool.instructions");
    expect(models.requests).toHaveLength(asked);
    expect(JSON.stringify(recorded)).not.toContain("sk-scripted-secret");
  });

  test("of a channel has the same deliveries, and sends nothing", async () => {
    const { traceId } = await fake.say("42", "hello there");
    await parley.host.get(Gateway).idle();
    const sent = fake.sent.length;
    const recorded = await record(traceId);
    expect(recorded.result.deliveries).toEqual([{ text: "You said: Eve: hello there", attachments: [] }]);
    expect((await replayTurn(recorded, createOptions())).result).toEqual(recorded.result);
    expect(fake.sent).toHaveLength(sent);
  });

  test("does not download the message's attachments again", async () => {
    const attachments = [{ type: "image", url: "https://127.0.0.1:1/one.png" }] as const;
    const { traceId } = await fake.say("42", "look", { attachments });
    await parley.host.get(Gateway).idle();
    const recorded = await record(traceId);
    expect(recorded.userMessage?.content).toContain("[image: not received");
    expect(recorded.answers.map(({ call }) => call)).toContain("file 0");
    const { result, unanswered } = await replayTurn(recorded, createOptions());
    expect({ result, unanswered }).toEqual({ result: recorded.result, unanswered: [] });
  });

  test("contains the pictures attached to its reply", async () => {
    models.script.push({ kind: "text", text: "I am happy." });
    const recorded = await record(await ask("how are you?"));
    expect(recorded.result.decorate).toMatchObject([{ attachments: [{ name: "smile" }] }]);
    expect((await replayTurn(recorded, createOptions())).result).toEqual(recorded.result);
    const without = await replayTurn(recorded, { ...createOptions(), plugins: [dice, fake.plugin] });
    expect(without.result.decorate).toMatchObject([{ attachments: [] }]);
  });

  test("differs after a rule was added: the phases show where", async () => {
    models.script.push({ kind: "text", text: "Apples and pears." });
    const recorded = await record(await ask("what fruit is there?"));
    filter("pears", { filter_target: "ai" });
    const { result } = await replayTurn(recorded, createOptions());
    expect(result.screen).toEqual(recorded.result.screen);
    expect(result.screenReply).toMatchObject([{ text: "Apples and ." }]);
    expect(recorded.result.screenReply).toMatchObject([{ text: "Apples and pears." }]);
    filter("fruit", { action: "recall" });
    expect((await replayTurn(recorded, createOptions())).result.screen.blocked).toBe(true);
  });

  test("differs after a plugin changed the turn", async () => {
    const recorded = await record(await ask("hello"));
    const shout = definePlugin({
      id: "shout",
      register({ contribute }) {
        const phase = "decorate" as const;
        contribute(TurnStages, () => ({
          id: "shout.replies",
          phase,
          run: async (turn) => ({
            ...turn,
            replies: turn.replies.map((reply) => ({ ...reply, text: reply.text.toUpperCase() })),
          }),
        }));
      },
    });
    const { result } = await replayTurn(recorded, { ...createOptions(), plugins: [...createOptions().plugins, shout] });
    expect(result.screenReply).toEqual(recorded.result.screenReply);
    expect(result.decorate).toMatchObject([{ text: "YOU SAID: HELLO" }]);
  });

  test("calls nobody for a missing recording, and names what is missing", async () => {
    const recorded = await record(await ask("hello"));
    const answers = recorded.answers.filter(({ call }) => call !== "model chat");
    const { unanswered } = await replayTurn({ ...recorded, answers }, createOptions());
    expect(unanswered).toEqual(["model chat"]);
  });

  test("returns a command's recorded answer and does not run it again", async () => {
    const recorded = await record(await ask("/roll 3"));
    expect(parley.host.all(ChatCommands).map(({ name }) => name)).toContain("/roll");
    expect((await replayTurn(recorded, createOptions())).result).toEqual(recorded.result);
  });

  test("fails in the same way when its model failed", async () => {
    models.script.push({ kind: "status", status: 500, message: "broken" });
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    await api.send("POST", `/api/sessions/${id}/chat`, { body: { content: "hello" } });
    const { items } = await api.get<{ items: readonly { trace_id: string }[] }>(`/api/sessions/${id}/messages`);
    const recorded = await record(items[0]?.trace_id ?? "");
    expect(recorded.result.error).toMatchObject({ code: "upstream_failed" });
    expect((await replayTurn(recorded, createOptions())).result).toEqual(recorded.result);
  });

  test("uses the conversation as it was, whatever was written since", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Long talk" });
    const say = (content: string) => api.post<TurnAnswer>(`/api/sessions/${id}/chat`, { content });
    await say("one");
    const { trace_id } = await say("two");
    await say("three");
    const recorded = await record(trace_id);
    expect(recorded.history.map(({ content }) => content)).toEqual(["one", "You said: one"]);
    expect((await replayTurn(recorded, createOptions())).result).toEqual(recorded.result);
  });

  test("is rejected once earlier messages were deleted or changed", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Regretted" });
    const say = (content: string) => api.post<TurnAnswer>(`/api/sessions/${id}/chat`, { content });
    await say("one");
    const { trace_id } = await say("two");
    const { items } = await api.get<{ items: readonly { id: string }[] }>(`/api/sessions/${id}/messages?order=asc`);
    await api.put(`/api/sessions/${id}/messages/${items[0]?.id}`, { content: "won" });
    await expect(record(trace_id)).rejects.toThrow("1 of the 2 messages before it have since been changed or deleted");
  });

  test("does not exist when the recording is too large, and says so", async () => {
    models.script.push({ kind: "text", text: "x".repeat(300_000) });
    await expect(record(await ask("a long one"))).rejects.toThrow(/cannot be replayed: .* KiB/);
  });

  test("of an unknown turn is not found", async () => {
    await expect(record("gw_20260101_000000_00000000")).rejects.toMatchObject({ code: "not_found" });
  });

  test.each(["record_turns", "storage_enabled"])("is not recorded with %s = false", async (key) => {
    await using bare = await startParley({ config: `[gateway]\n${key} = false\n` });
    const client = await bare.signIn();
    const { id } = await client.post<{ id: string }>("/api/sessions", {});
    const { trace_id } = await client.post<TurnAnswer>(`/api/sessions/${id}/chat`, { content: "hello" });
    const reading = readTurn(trace_id, { root: bare.root, env: readStorageEnv(bare.root), plugins: [dice] });
    await expect(reading).rejects.toThrow("was not recorded");
  });

  test("is described on its trace: prompt, author, tools, filter", async () => {
    filter("pears", { id: "rule_pears", filter_target: "ai" });
    models.script.push(
      { kind: "tool", name: "roll_dice", args: { dice: 1 } },
      { kind: "text", text: "Apples and pears make me happy." },
    );
    const traceId = await ask("roll, please");
    await expect
      .poll(async () => {
        const { events } = await api.get<Traced>(`/api/gateway/logs/trace/${traceId}`);
        return events.map(({ metadata }) => metadata).filter(({ what }) => what);
      })
      .toEqual([
        expect.objectContaining({
          what: "prompt",
          parts: expect.arrayContaining([
            {
              key: "global.safety",
              source: "chat.safety",
              title: { en: "Rules of the service", zh: "服务规则" },
              place: "system",
              length: expect.any(Number),
              tokens: expect.any(Number),
            },
          ]),
          left_out: expect.arrayContaining([
            expect.objectContaining({ key: "session.custom_prompt", why: "nothing to say" }),
          ]),
        }),
        expect.objectContaining({
          what: "model",
          call: 1,
          ms: expect.any(Number),
          tool_calls: 1,
          history: expect.any(Number),
          history_left_out: 0,
          tool_names: expect.stringContaining("roll_dice"),
        }),
        expect.objectContaining({ what: "tool", name: "roll_dice", status: "ok", args: '{"dice":1}' }),
        expect.objectContaining({ what: "model", call: 2, input_tokens: expect.any(Number), ending: "done" }),
        expect.objectContaining({ what: "filter", side: "ai", actions: { rule_pears: "strip" } }),
        expect.objectContaining({
          what: "decorate",
          attachments: [{ type: "sticker", name: "smile", source: "" }],
          changed_texts: 0,
        }),
        expect.objectContaining({ what: "times", message: "the turn is over: answered", phases: expect.any(Object) }),
      ]);
  });
});

interface Traced {
  readonly events: readonly { readonly metadata: Readonly<Record<string, unknown>> }[];
}

describe.runIf(isInFiles)("the command", () => {
  let root: string;
  let service: ParleyProcess;
  let traceId: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-replay-test-"));
    service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse" } });
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", {
      username: "admin",
      password: "correct horse",
    });
    const api = open.as(token);
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    traceId = (await api.post<TurnAnswer>(`/api/sessions/${id}/chat`, { content: "a good day" })).trace_id;
  });
  afterAll(async () => {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(() => rmSync(join(root, "resources"), { recursive: true, force: true }));

  const run = async (...args: string[]) => {
    const child = runParley({ root, args: ["replay", ...args] });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text) => {
        out += text;
      });
    }
    const [code] = await once(child, "close");
    return { code, out };
  };

  test("ends with 0 for an equal turn while the service runs, and leaves its folder alone", async () => {
    const before = readdirSync(join(root, "data")).sort();
    const { code, out } = await run(traceId);
    expect(out).toContain("equal");
    expect(code).toBe(0);
    expect(readdirSync(join(root, "data")).sort()).toEqual(before);
  });

  test("ends with 1 for a different one and shows what differs", async () => {
    writeRules(root, [{ pattern: "good" }]);
    const { code, out } = await run(traceId);
    expect(code).toBe(1);
    expect(out).toMatch(/screen +different\n {2}- a good day\n {2}\+ a {2}day/);
  });

  test("ends with 2 for an unknown turn", async () => {
    const { code, out } = await run("gw_20260101_000000_00000000");
    expect(code).toBe(2);
    expect(out).toContain("cannot be replayed: trace 'gw_20260101_000000_00000000' does not exist");
  });

  test("writes a test that holds until a rule changes the outcome", { timeout: 60_000 }, async () => {
    const made = mkdtempSync(join(import.meta.dirname, "replayed-"));
    // A missing folder is created.
    const folder = join(made, "tests");
    const changed = mkdtempSync(join(tmpdir(), "parley-replay-changed-"));
    try {
      expect((await run(traceId, "--test", folder)).code).toBe(0);
      expect(readdirSync(folder)).toEqual([`replay-${traceId}.test.ts`]);
      const written = readFileSync(join(folder, `replay-${traceId}.test.ts`), "utf8");
      expect(written).toContain(relative(folder, root));
      writeFileSync(
        join(folder, "changed.test.ts"),
        written.replace(relative(folder, root), relative(folder, changed)),
      );
      writeRules(changed, [{ pattern: "good" }]);
      expect(await vitest(folder)).toEqual({
        [`replay-${traceId}.test.ts`]: { status: "passed", why: "" },
        "changed.test.ts": { status: "failed", why: expect.stringContaining("to deeply equal { screen") },
      });
    } finally {
      for (const one of [made, changed]) rmSync(one, { recursive: true, force: true });
    }
  });
});

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

/** Runs vitest in a folder; returns the result of the single test in each file. */
async function vitest(folder: string) {
  const to = join(folder, "report.json");
  const config = ["--config", ".config/vitest.config.ts", "--reporter=json", `--outputFile=${to}`];
  const args = ["node_modules/vitest/vitest.mjs", "run", ...config, folder];
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: repository,
    // Caches the modules that both files load.
    env: { PATH, NODE_COMPILE_CACHE, HOME: tmpdir(), VITEST_MAX_WORKERS: "1" },
    stdio: "ignore",
  });
  await once(child, "exit");
  const { testResults }: Report = JSON.parse(readFileSync(to, "utf8"));
  return Object.fromEntries(
    testResults.map(({ name, assertionResults: [only] }) => [
      basename(name),
      { status: only?.status, why: only?.failureMessages.join() },
    ]),
  );
}

function writeRules(root: string, rules: readonly object[]): void {
  const folder = join(root, "resources", "config");
  mkdirSync(folder, { recursive: true });
  const whole = rules.map((rule, index) => ({ id: `rule_${index}`, type: "keyword", action: "strip", ...rule }));
  const document = { enabled: true, global: whole, channels: {} };
  writeFileSync(join(folder, "message_filter.json"), JSON.stringify(document));
}
