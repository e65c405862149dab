import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Databases, fixedStatement, Gateway, type Job, type OutboundMessage } from "@parley/core";
import type { List } from "@parley/core/http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly error: string | null;
}

const shown = createFakeChannel("shown", "natural", {}, true, {}, { elements: ["buttons"] });
const plain = createFakeChannel("plain");
const hands = createSampleTools();
const root = mkdtempSync(join(tmpdir(), "parley-choices-"));
let parley: Parley;
let api: Client;
let group = "";
let tests = 0;

const start = async () => {
  const config = "[plugin.automation]\nretry_pause_ms = 1\n[mcp]\nadmin = true\n";
  parley = await startParley({ plugins: [shown.plugin, plain.plugin, hands.plugin], root, config });
  api = await parley.signIn();
};
beforeAll(async () => {
  await start();
  for (const { id } of [shown, plain]) await api.post("/api/channels", { id, name: id, type: id, transport: "bridge" });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  tests += 1;
  group = `team-${tests}`;
  hands.written.length = 0;
});

const write = (id: string, text: string, more: object = {}) => ({
  id,
  action: "tool",
  input: { name: "hand_write", arguments: { text } },
  ...more,
});
const choice = (channel: string, more: object = {}) => ({
  id: "ask",
  action: "choice",
  input: {
    content: "Release today?",
    choices: ["Yes", "Later"],
    target_type: "session",
    target_id: `${channel}:${group}`,
  },
  output_var: "answer",
  ...more,
});
const onlyIf = (op: string, value?: string) => ({ condition: { var: "answer", op, ...(value && { value }) } });

async function execute(steps: readonly object[]): Promise<Run> {
  const { id } = await api.post<{ id: string }>("/api/workflows", { name: `w${tests}`, description: "d", steps });
  return api.post<Run>(`/api/workflows/${id}/execute`, {});
}
const getRun = async (id: string) => (await api.get<{ run: Run }>(`/api/runs/${id}`)).run;
const ended = (id: string) =>
  eventually(async () => {
    const run = await getRun(id);
    expect(["queued", "running"]).not.toContain(run.status);
    return run;
  });
const findAsked = (channel: typeof shown): Promise<OutboundMessage> =>
  eventually(() => {
    const sent = channel.sent.find(({ conversation }) => conversation.id === group);
    if (!sent) throw new Error("nobody was asked");
    return sent;
  });
const here = ({ id }: typeof shown) => ({ sessionId: `${id}:${group}` });
const press = (asked: OutboundMessage, itemId: string) => {
  const [buttons] = asked.elements ?? [];
  return shown.press(group, { elementId: buttons && "id" in buttons ? buttons.id : "", itemId }, here(shown));
};
const findSleepingJob = (runId: string) =>
  eventually(async () => {
    const { items } = await api.get<List<Job>>(`/api/jobs?kind=automation.workflow-run&status=waiting&q=${runId}`);
    const [job] = items;
    if (!job) throw new Error("the run does not sleep");
    return job;
  });

test("a step asks with buttons, and the workflow goes on with the chosen one", async () => {
  const { run_id } = await execute([
    choice("shown"),
    write("now", "released: {{answer}}", onlyIf("eq", "Yes")),
    write("later", "postponed", onlyIf("eq", "Later")),
  ]);
  const asked = await findAsked(shown);
  expect(asked).toMatchObject({
    text: "Release today?",
    elements: [{ type: "buttons", items: [{ label: "Yes" }, { label: "Later" }] }],
  });
  const presses = await Promise.all([press(asked, "choice-0"), press(asked, "choice-1")]);
  expect(presses.filter(({ refusal }) => refusal === "this was already answered")).toHaveLength(1);
  expect(await ended(run_id)).toMatchObject({ status: "success" });
  const isYes = presses[0]?.refusal === undefined;
  expect(hands.written).toEqual([isYes ? "released: Yes" : "postponed"]);
  await parley.host.get(Gateway).idle();
  expect(shown.sent.at(-1)?.text).toBe(`You chose: ${isYes ? "Yes" : "Later"}`);
});

test("where a platform shows text alone the number is the choice", async () => {
  const { run_id } = await execute([choice("plain"), write("note", "{{answer}}")]);
  expect((await findAsked(plain)).text).toBe("Release today?\n\n1. Yes\n2. Later");
  await findSleepingJob(run_id);
  await plain.say(group, "2", here(plain));
  expect(await ended(run_id)).toMatchObject({ status: "success" });
  expect(hands.written).toEqual(["Later"]);
});

test("the question outlives a restart, and is asked once", async () => {
  const { run_id } = await execute([write("before", "before"), choice("shown"), write("note", "{{answer}}")]);
  const asked = await findAsked(shown);
  await findSleepingJob(run_id);
  await parley[Symbol.asyncDispose]();
  await start();
  await press(asked, "choice-0");
  expect(await ended(run_id)).toMatchObject({ status: "success" });
  expect(hands.written).toEqual(["before", "Yes"]);
  expect(shown.sent.filter(({ text, conversation }) => text === asked.text && conversation.id === group)).toHaveLength(
    1,
  );
});

/** Ends the time of a run's question, and wakes the run. */
async function expire(runId: string): Promise<void> {
  const job = await findSleepingJob(runId);
  const { main } = parley.host.get(Databases);
  const query = fixedStatement("update automation_steps set started_ms = 0 where run_id = ? and step_key = 'ask'", [
    runId,
  ]);
  await main.write([{ query }]);
  await api.post(`/api/jobs/${job.id}/retry`, {});
}

test("without an answer in time the run fails, and a later press says so", async () => {
  const { run_id } = await execute([choice("shown"), write("note", "never")]);
  const asked = await findAsked(shown);
  await expire(run_id);
  expect(await ended(run_id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("nobody chose within 86400 seconds"),
  });
  expect(await press(asked, "choice-0")).toMatchObject({ queued: false, refusal: "this question is over" });
  expect(hands.written).toEqual([]);
});

test("without an answer in time the workflow may go another way", async () => {
  const { run_id } = await execute([
    choice("shown", { on_error: "continue" }),
    write("chosen", "{{answer}}", onlyIf("not_empty")),
    write("other", "nobody answered", onlyIf("empty")),
  ]);
  await findAsked(shown);
  await expire(run_id);
  expect(await ended(run_id)).toMatchObject({ status: "success" });
  expect(hands.written).toEqual(["nobody answered"]);
});

test("a press after the run was cancelled says that the question is over", async () => {
  const { run_id } = await execute([choice("shown")]);
  const asked = await findAsked(shown);
  await findSleepingJob(run_id);
  await api.post(`/api/runs/${run_id}/cancel`, {});
  expect(await press(asked, "choice-0")).toMatchObject({ refusal: "this question is over" });
});

test("a press after the workflow was deleted says that the question is over", async () => {
  const { run_id } = await execute([choice("shown"), write("now", "released")]);
  const asked = await findAsked(shown);
  await findSleepingJob(run_id);
  const { items } = await api.get<List<{ id: string; name: string }>>(`/api/workflows?q=w${tests}`);
  await api.send("DELETE", `/api/workflows/${items.find(({ name }) => name === `w${tests}`)?.id}`);
  expect(await press(asked, "choice-0")).toMatchObject({ refusal: "this question is over" });
  expect(hands.written).toEqual([]);
});

test("choices in a conversation of the console fail the step", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "here" });
  const input = { content: "?", choices: ["a", "b"], target_type: "session", target_id: id };
  const { run_id } = await execute([{ id: "ask", action: "choice", input }]);
  expect(await ended(run_id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("only be offered in a conversation on a channel"),
  });
});
