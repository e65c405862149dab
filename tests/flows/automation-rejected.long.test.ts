import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Databases, Jobs, Models, toSharedError } from "@parley/core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";

// The storage rejects writes at the moment a run is due.

const hands = createSampleTools();
const root = mkdtempSync(join(tmpdir(), "parley-refused-"));
let parley: Parley;
let api: Client;
let count = 0;

beforeAll(async () => {
  parley = await startParley({ root, plugins: [hands.plugin] });
  api = await parley.signIn();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
afterEach(() => void vi.restoreAllMocks());

const busy = () => toSharedError("unavailable", "storage_busy", {}, { retryAfterS: 1 });

/** Rejects the next writes that contain a text; returns a counter of the rejected ones. */
function rejectWrites(text: string, times: number): () => number {
  const { main } = parley.host.get(Databases);
  const write = main.write.bind(main);
  let rejected = 0;
  vi.spyOn(main, "write").mockImplementation(async (writes) => {
    const isMeant = writes.some(({ query }) => query.compile().sql.includes(text));
    if (!isMeant || rejected >= times) return write(writes);
    rejected += 1;
    throw busy();
  });
  return () => rejected;
}

/** Makes the selection of a model fail this many times; returns a counter of the failures. */
function rejectModel(times: number): () => number {
  const models = parley.host.get(Models);
  const choose = models.choose.bind(models);
  let rejected = 0;
  vi.spyOn(models, "choose").mockImplementation(async (...asked) => {
    if (rejected >= times) return choose(...asked);
    rejected += 1;
    throw busy();
  });
  return () => rejected;
}

interface Record {
  readonly id: string;
  readonly enabled: boolean;
  readonly run_count: number;
  readonly skipped_count: number;
  readonly status: string;
}

const getRecord = async (id: string) => {
  const { items } = await api.get<{ items: readonly Record[] }>("/api/task-center?limit=50");
  const found = items.find((item) => item.id === id);
  if (!found) throw new Error(`${id} is not listed`);
  return found;
};
const asks = { name: "t", prompt: "What is new?" };
const kinds = {
  async task() {
    const draft = { ...asks, trigger: "date", config: { run_at: new Date(Date.now() + 3_600_000).toISOString() } };
    return (await api.post<{ id: string }>("/api/task-center", draft)).id;
  },
  async workflow() {
    const draft = { name: `w${++count}`, description: "d", trigger: "cron", config: { cron: "0 0 1 1 *" } };
    return (await api.post<{ id: string }>("/api/workflows", draft)).id;
  },
  async heartbeat() {
    await api.put("/api/heartbeat/content", { content: "What is new?" });
    await api.put("/api/heartbeat", { enabled: true, interval_minutes: 600 });
    return "heartbeat";
  },
};
type Kind = keyof typeof kinds;
const startDue = (kind: Kind, id: string) =>
  parley.host.get(Jobs).add(kind === "heartbeat" ? "automation.heartbeat" : "automation.due", { kind, id });

const rejections = {
  "while its model is looked up": () => rejectModel(2),
  "while its start is stored": () => rejectWrites("insert into automation_runs", 2),
  "while its work begins": () => rejectWrites("update automation_runs set status = 'running'", 2),
} as const;

describe.each(Object.keys(kinds) as Kind[])("a due %s", (kind) => {
  test.each(Object.keys(rejections) as (keyof typeof rejections)[])(
    "runs once when storage rejects %s",
    async (when) => {
      const id = await kinds[kind]();
      const { run_count, skipped_count } = await getRecord(id);
      const rejected = rejections[when]();
      await startDue(kind, id);
      await eventually(async () => expect((await getRecord(id)).run_count).toBe(run_count + 1));
      expect(rejected()).toBe(2);
      expect(await getRecord(id)).toMatchObject({ skipped_count, status: "success" });
    },
    20_000,
  );
});

test("a run skipped while automation was off is caught up when storage works again", async () => {
  const id = await kinds.workflow();
  await api.put("/api/settings", { features: { workflow: false } });
  await startDue("workflow", id);
  await eventually(async () => expect((await getRecord(id)).skipped_count).toBe(1));
  const rejected = rejectWrites("insert into automation_runs", 1);
  await api.put("/api/settings", { features: { workflow: true } });
  await eventually(async () => expect((await getRecord(id)).run_count).toBe(1));
  expect(rejected()).toBe(1);
}, 20_000);
