import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Joi from "@hapi/joi";
import { Databases, definePlugin, type Tool, Tools } from "@parley/core";
import { type ReplayServer, startReplayServer } from "@parley/simulators";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

// A run that waits for a tool continues after a restart; the provider data of its messages must survive that.

const call = { index: 0, id: "c1", type: "function", function: { name: "wait_for_it", arguments: "{}" } };
const signed = { ...call, extra_content: { google: { thought_signature: "c2lnbmVk" } } };
const answer = (message: object, finish_reason: string) => ({
  body: { id: "a", model: "m", choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }] },
});
const THINKS = answer({ content: null, reasoning_content: "I need to wait", tool_calls: [signed] }, "tool_calls");
const SAYS = answer({ content: "It came." }, "stop");

let root: string;
let provider: ReplayServer;
let began: number;
let isOver: boolean;

const waiting = definePlugin({
  id: "waiting",
  register({ contribute }) {
    contribute(
      Tools,
      (): Tool => ({
        name: "wait_for_it",
        purpose: "Waits.",
        args: Joi.object().unknown(),
        scope: "gateway.read",
        risk: "read",
        audience: ["ai"],
        timeoutMs: 600_000,
        async run(_args, { signal }) {
          began += 1;
          if (isOver) return "it came";
          return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        },
      }),
    );
  },
});

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-parts-"));
  provider = await startReplayServer([THINKS]);
  began = 0;
  isOver = false;
});
afterEach(async () => {
  await provider[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const getShown = async (api: Client, run: string) => JSON.stringify(await api.get<object>(`/api/runs/${run}`));

/** Creates a run whose service stops while its tool waits; `next` is the model that continues it. */
async function interruptRun(next = "m"): Promise<string> {
  await using parley = await startParley({ root, plugins: [waiting] });
  const api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", { name: "M", model: "m", base_url: provider.address });
  const body = { name: "Waits", description: "Wait for it.", steps: [], config: { tools: ["wait_for_it"] } };
  const { id } = await api.post<{ id: string }>("/api/workflows", body);
  const { run_id } = await api.post<{ run_id: string }>(`/api/workflows/${id}/execute`, {});
  await eventually(() => expect(began).toBe(1));
  expect(await getShown(api, run_id)).not.toMatch(/I need to wait|c2lnbmVk/);
  await api.put(`/api/ai-models/${model.id}`, { model: next });
  return run_id;
}

/** Restarts the service, and returns the request to the provider. */
async function resume(run: string) {
  isOver = true;
  provider.answers.push(SAYS);
  await using parley = await startParley({ root, plugins: [waiting] });
  const api = await parley.signIn();
  await eventually(async () => expect(await getShown(api, run)).toContain("It came."));
  expect(await getShown(api, run)).not.toMatch(/I need to wait|c2lnbmVk/);
  const rows = await parley.host
    .get(Databases)
    .main.tables<{ automation_steps: { hidden: string | null } }>()
    .selectFrom("automation_steps")
    .select("hidden")
    .execute();
  expect(rows.map(({ hidden }) => hidden)).toEqual(rows.map(() => null));
  return JSON.parse(provider.calls[1]?.raw.toString() ?? "{}").messages;
}

test("a resumed run returns the provider's data to the provider, and to nobody else", async () => {
  expect(await resume(await interruptRun())).toContainEqual(
    expect.objectContaining({
      role: "assistant",
      reasoning_content: "I need to wait",
      tool_calls: [expect.objectContaining({ extra_content: signed.extra_content })],
    }),
  );
});

test("a resumed run with another model does not send it the first one's signatures", async () => {
  const messages = await resume(await interruptRun("another"));
  expect(messages).toContainEqual(
    expect.objectContaining({ role: "assistant", tool_calls: [call].map(({ index: _, ...one }) => one) }),
  );
  expect(JSON.stringify(messages)).not.toMatch(/I need to wait|c2lnbmVk/);
});
