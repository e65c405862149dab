import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { setFailPoint, signIn, startKillable } from "./killable.ts";

/** Places between the reservation of a budget and the end of the turn that settles it. */
const POINTS = ["model-start", "model-done", "reply-filtered", "reply-recorded", "intent-written"] as const;
const KILLS = Number(process.env.PARLEY_KILLS ?? (process.env.PARLEY_LONG === "1" ? 100 : 10));

interface Amounts {
  readonly used_tokens: number;
  readonly reserved_tokens: number;
}

let root: string;
let models: ModelServer;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-budgets-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
  models = await startModelServer();
});
afterAll(async () => {
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

async function prepare(api: Client): Promise<string> {
  const draft = { name: "m", model: "m", base_url: models.baseUrl, max_tokens: 500 };
  const model = await api.post<{ id: string }>("/api/ai-models", draft);
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  const budget = { name: "All", applies_to: "conversation", limit_tokens: 1_000_000_000, period: "month" };
  return (await api.post<{ id: string }>("/api/budgets", budget)).id;
}

async function listAnswers(api: Client, session: string): Promise<readonly Message[]> {
  const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages`);
  return items.filter(({ role }) => role === "assistant");
}

test(
  "whenever the service is killed, nothing stays reserved and each stored answer is counted once",
  async () => {
    let budget = "";
    const sessions: string[] = [];
    const listUsage = async (api: Client) =>
      (await api.get<{ items: readonly (Amounts & { target_id: string })[] }>(`/api/budgets/${budget}/usage?limit=500`))
        .items;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const dying = await startKillable(root);
      const api = await signIn(dying);
      if (budget === "") budget = await prepare(api);
      const last = sessions.at(-1);
      // The turn of the previous kill runs again, and ends before the next one.
      if (last !== undefined) await eventually(async () => expect(await listAnswers(api, last)).toHaveLength(1));
      const { id } = await api.post<{ id: string }>("/api/sessions", {});
      sessions.push(id);
      setFailPoint(root, POINTS[kill % POINTS.length] ?? "");
      // The service is killed before it answers.
      api.post(`/api/sessions/${id}/chat`, { content: "Hello" }).catch(() => {});
      expect(await dying.ended, String(kill)).toBe("SIGKILL");
    }
    const living = await startKillable(root);
    const api = await signIn(living);
    for (const session of sessions) {
      await eventually(async () => expect(await listAnswers(api, session)).toHaveLength(1));
      const [answer] = await listAnswers(api, session);
      await eventually(async () => {
        const usage = (await listUsage(api)).find(({ target_id }) => target_id === session);
        expect(usage?.reserved_tokens).toBe(0);
        expect(usage?.used_tokens).toBeGreaterThanOrEqual(answer?.usage?.total_tokens ?? 0);
      });
    }
    expect((await listUsage(api)).reduce((sum, { reserved_tokens }) => sum + reserved_tokens, 0)).toBe(0);
    expect(await living.stop()).toBe(0);
  },
  60_000 + KILLS * 20_000,
);
