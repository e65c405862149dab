import type { Database } from "@parley/core";
import { memoryDatabases } from "@parley/core/testing";
import { beforeEach, expect, test } from "vitest";
import { createDocumentStore, type DocumentStore, type StoredDocument } from "./document-store.ts";
import { KNOWLEDGE_MIGRATIONS, type KnowledgeTables } from "./tables.ts";

let main: Database;
let store: DocumentStore;

beforeEach(async () => {
  ({ main } = memoryDatabases());
  store = createDocumentStore(() => main);
});

const draft: StoredDocument = {
  id: "doc_1",
  title: "Tides",
  content: "High at noon.",
  preview: "High at noon.",
  source: "manual",
  tags: [],
  base_id: "default",
  metadata: {},
  size: 13,
  chunk_count: 1,
  indexed: false,
  index_status: "pending",
  index_error: null,
  index_model: null,
  text_version: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  revision: 1,
};
const modelsOf = async () => {
  const rows = await main.tables<KnowledgeTables>().selectFrom("knowledge_documents").selectAll().execute();
  return Object.fromEntries(rows.map(({ id, index_model, index_status }) => [id, [index_model, index_status]]));
};

test("documents of the schema before vectors were known by their address are made anew, those of words alone are not", async () => {
  const [first, second, ...others] = KNOWLEDGE_MIGRATIONS;
  if (!first || !second) throw new Error("there are two migrations at least");
  expect(others).toEqual([]);
  await main.migrate("knowledge", [first]);
  const state = { indexed: true, index_status: "indexed" } as const;
  for (const [id, index_model] of [
    ["doc_model", "model_1"],
    ["doc_local", "local"],
  ] as const) {
    await main.write(store.inserting({ ...draft, ...state, id, index_model }));
  }
  await main.write(store.inserting({ ...draft, id: "doc_new" }));
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  expect(await modelsOf()).toEqual({
    doc_model: [null, "indexed"],
    doc_local: ["local", "indexed"],
    doc_new: [null, "pending"],
  });
  // At the next start the model in force is not the one that made them.
  await main.write([store.markOthers("model_1", false)]);
  expect(await modelsOf()).toMatchObject({ doc_model: [null, "stale"], doc_local: ["local", "stale"] });
  expect(await store.get("doc_model")).toMatchObject({ content: draft.content, indexed: false });
});

test("a change of labels that was begun before the index is done leaves what became of the index", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  await main.write(store.inserting(draft));
  const before = await store.get("doc_1");
  await main.write([store.marking("doc_1", 1, { index_status: "indexed", index_model: "model_1" })]);
  await main.write(store.replacing(before, { ...before, tags: ["sea"], revision: 2 }));
  expect(await store.get("doc_1")).toMatchObject({ tags: ["sea"], index_status: "indexed", index_model: "model_1" });
});

test("a change of labels of passages that are cut anew meanwhile is begun again", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  await main.write(store.inserting(draft));
  const before = await store.get("doc_1");
  await main.write([store.marking("doc_1", 1, { index_status: "stale", text_version: 2 })]);
  const late = main.write(store.replacing(before, { ...before, tags: ["sea"], revision: 2 }));
  await expect(late).rejects.toMatchObject({ code: "conflict" });
});

test("what another has marked meanwhile is not passed off as indexed", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  await main.write(store.inserting(draft));
  await main.write([store.marking("doc_1", 1, { index_status: "indexing", index_model: "model_1" })]);
  await main.write([store.markOthers("model_2", false)]);
  const late = main.write([store.marking("doc_1", 1, { index_status: "indexed" }, "indexing")]);
  await expect(late).rejects.toMatchObject({ code: "conflict" });
  expect((await store.get("doc_1")).index_status).toBe("stale");
});
