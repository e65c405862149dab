import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { connectMcp, type McpCaller, type ToolAnswer } from "../harness/mcp/mcp.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";

// `gateway_submit_internal_task`: another program starts a stored task or workflow by its id.

const hands = createSampleTools();
let parley: Parley;
let api: Client;
let models: ModelServer;
let mcp: McpCaller;
let workflow: string;
let task: string;

interface Run {
  readonly run_id: string;
  readonly kind: string;
  readonly owner_id: string;
  readonly status: string;
  readonly trigger: string;
  readonly trace_id: string;
}

beforeAll(async () => {
  const port = await findFreePort();
  const config = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\n`;
  [models, parley] = await Promise.all([startModelServer(), startParley({ plugins: [hands.plugin], config })]);
  api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "mcp", scopes: ["mcp"] });
  mcp = await connectMcp(`http://127.0.0.1:${port}/mcp`, secret);
  const steps = [{ id: "a", action: "tool", input: { name: "hand_write", arguments: { text: "by a program" } } }];
  const getId = async (path: string, body: object) => (await api.post<{ id: string }>(path, body)).id;
  workflow = await getId("/api/workflows", { name: "w", description: "d", steps });
  task = await getId("/api/task-center", { name: "t", prompt: "News?" });
  await api.put("/api/heartbeat/content", { content: "What is new?" });
}, 60_000);
afterAll(async () => {
  await mcp?.[Symbol.asyncDispose]();
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

const submit = (task_kind: string, task_id: string, more: object = {}): Promise<ToolAnswer> =>
  mcp.call("gateway_submit_internal_task", { task_kind, task_id, confirm: true, ...more });
const getRun = async (id: unknown) => (await api.get<{ run: Run }>(`/api/runs/${String(id)}`)).run;
const allRuns = async () => (await api.get<{ items: readonly Run[] }>("/api/runs?limit=100")).items;

describe("a task submitted by another program", () => {
  test.each([
    ["workflow", "workflow"],
    ["cron", "task"],
    ["custom", "task"],
    ["heartbeat", "heartbeat"],
  ] as const)("runs the stored %s with that id, and the answer contains the run", async (kind, ofKind) => {
    const id = { workflow, task, heartbeat: "heartbeat" }[ofKind];
    if (ofKind !== "workflow") models.script.push({ kind: "text", text: "Nothing new." });
    const answer = await submit(kind, id);
    expect(answer).toEqual({
      ok: true,
      trace_id: expect.stringMatching(/^gw_/),
      run_id: expect.stringMatching(/^run_/),
      status: "queued",
    });
    await eventually(async () => expect(await getRun(answer.run_id)).toMatchObject({ status: "success" }));
    const { trace_id } = answer;
    expect(await getRun(answer.run_id)).toMatchObject({ kind: ofKind, owner_id: id, trigger: "mcp", trace_id });
    if (kind === "workflow") expect(hands.written).toEqual(["by a program"]);
  });

  test.each([
    ["workflow", "wf_00000000000000000000"],
    ["cron", "task_00000000000000000000"],
    ["custom", "none"],
    ["heartbeat", "none"],
  ])("is not found as an unknown %s, and nothing runs", async (kind, id) => {
    const before = (await allRuns()).length;
    expect(await submit(kind, id)).toMatchObject({ ok: false, error: "not_found" });
    expect(await allRuns()).toHaveLength(before);
  });

  test("is searched among its own kind only", async () => {
    for (const [kind, id] of [
      ["workflow", task],
      ["custom", workflow],
      ["heartbeat", workflow],
    ] as const) {
      expect(await submit(kind, id)).toMatchObject({ ok: false, error: "not_found" });
    }
  });

  test.each<[string, object]>([
    ["a kind that is none", { task_kind: "other" }],
    ["an id of 129 characters", { task_id: "x".repeat(129) }],
    ["an id that is empty", { task_id: "" }],
    ["a source of 33 characters", { trigger_source: "x".repeat(33) }],
    ["metadata that is a list", { metadata: [] }],
    ["something that it does not know", { other: 1 }],
  ])("is rejected with %s", async (_, wrong) => {
    expect(await submit("workflow", workflow, wrong)).toMatchObject({ ok: false, error: "bad_request" });
  });

  test("is accepted with an id, a source and metadata of maximum length", async () => {
    const most = { trigger_source: "x".repeat(32), metadata: { note: "from the till" } };
    const { run_id } = await submit("workflow", workflow, most);
    await eventually(async () => expect(await getRun(run_id)).toMatchObject({ status: "success", trigger: "mcp" }));
    expect(await submit("workflow", "x".repeat(128))).toMatchObject({ ok: false, error: "not_found" });
  });
});
