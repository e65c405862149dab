import { systemClock } from "@parley/core";
import { memoryDatabase, recordedEvents } from "@parley/testing";
import { expect, test } from "vitest";
import { createRebuild, type Rebuild, type RebuildEvent } from "./rebuild.ts";

/** Creates two processes that receive each other's events; a job that one adds is run by the other. */
function createTwoProcesses(index: () => Promise<never>) {
  const store = {
    count: async () => 1,
    getTotals: async () => ({ status: { pending: 1 } }),
    markAllWrite: () => ({ query: { compile: () => ({ sql: "select 1", parameters: [] }) } }),
    findIdsByStatus: async (_status: unknown, after: string) => (after === "" ? ["doc_1"] : []),
    get: async () => ({ index_status: "pending", chunk_count: 1 }),
  };
  const running: Promise<unknown>[] = [];
  const parts = {
    store,
    database: () => memoryDatabase(),
    documents: () => ({ reread: async () => undefined }),
    indexing: { index, forgetLengths() {} },
    jobs: () => ({
      async add(_kind: string, job: { readonly with_texts: boolean }) {
        running.push(other.run(job, true, new AbortController().signal, () => {}).catch(() => {}));
      },
    }),
    events: recordedEvents(),
    clock: systemClock,
  };
  const one: Rebuild = createRebuild({ ...parts, broadcast: (news: RebuildEvent) => other.receive(news) } as never);
  const other: Rebuild = createRebuild({ ...parts, broadcast: (news: RebuildEvent) => one.receive(news) } as never);
  return { one, other };
}

test("a rebuild by another process is visible where it was requested, and its end is awaited", async () => {
  const { one, other } = createTwoProcesses(async () => ({ chunks: 3 }) as never);
  const { total, outcome } = await one.begin();
  expect(total).toBe(1);
  expect(await outcome).toEqual({ rebuilt_documents: 1, rebuilt_chunks: 3, failed: 0 });
  expect([one.getState(), other.getState()]).toMatchObject([{ running: false }, { running: false, done: 1 }]);
  expect((await one.begin()).total).toBe(1);
});

test("a rebuild that fails in another process is reported as failed", async () => {
  const { one } = createTwoProcesses(async () => {
    throw new Error("a fault");
  });
  const { outcome } = await one.begin();
  await expect(outcome).rejects.toMatchObject({ code: "internal" });
  expect(one.getState().running).toBe(false);
});
