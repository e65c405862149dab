import type { LiveEvents } from "@parley/core";
import { createTestClock, memoryDatabases } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { createMemoryWriter } from "../extraction/memory-writer.ts";
import { importMemories, type TransferDeps } from "../transfer.ts";
import { createMemoryService, type MemoryService } from "./memories.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { createMemoryStore } from "./memory-store.ts";
import { MEMORY_MIGRATIONS } from "./tables.ts";

const LIMIT = 3;
const clock = createTestClock();
const index: MemoryIndex = {
  putWrites: async () => [],
  deleteWrites: async () => [],
  search: async () => new Map(),
  embed: async () => 0,
};

let parts: TransferDeps & { readonly index: MemoryIndex };
let memories: MemoryService;

beforeEach(async () => {
  const { main } = memoryDatabases();
  await main.migrate("memory", MEMORY_MIGRATIONS);
  const store = createMemoryStore(
    () => main,
    () => clock.now(),
    { limit: LIMIT },
  );
  const events = { publish() {} } as unknown as LiveEvents;
  const shared = { store, index, database: () => main, characters: () => undefined, events, clock };
  memories = createMemoryService(shared);
  parts = { ...shared, memories };
  for (const at of [1, 2]) await memories.create({ content: `known ${at}` });
});

test("memories are accepted up to the limit, and the next one is a conflict", async () => {
  await memories.create({ content: "the last one" });
  await expect(memories.create({ content: "one more" })).rejects.toMatchObject({ code: "conflict" });
  expect(await parts.store.count()).toBe(LIMIT);
});

test("of two concurrent memories for the last free place one is stored", async () => {
  const tried = await Promise.allSettled(["a", "b"].map((content) => memories.create({ content })));
  expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await parts.store.count()).toBe(LIMIT);
});

test("an import stores the memories that fit, and reports the positions of the others", async () => {
  const given = { memories: ["a", "b", "c"].map((title) => ({ title, content: title })) };
  const outcome = await importMemories(parts, given, {});
  expect(outcome).toMatchObject({
    imported: 1,
    failed: 2,
    errors: [{ index: 1, detail: { key: "memory.full", params: { limit: LIMIT } } }, { index: 2 }],
  });
  expect(await parts.store.count()).toBe(LIMIT);
});

test("an import that replaces all memories may use the whole limit", async () => {
  const given = { memories: ["a", "b", "c"].map((title) => ({ title, content: title })), mode: "replace" as const };
  expect(await importMemories(parts, given, {})).toMatchObject({ imported: 3, failed: 0 });
});

test("extracted memories are stored while the limit allows it", async () => {
  const remember = createMemoryWriter({ ...parts, people: () => undefined });
  const findings = ["x", "y"].map((content) => ({
    content,
    title: content,
    fact: null,
    kind: "fact" as const,
    importance: 5,
  }));
  const source = {
    target_id: "web:user:ann",
    character_id: null,
    session_id: null,
    said_at: new Date(0).toISOString(),
  };
  const { stored } = await remember.storeWrites(findings as never, { ...source, source: "ai" });
  expect(stored.map(({ content }) => content)).toEqual(["x"]);
});
