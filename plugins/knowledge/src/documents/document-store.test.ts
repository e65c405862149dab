import type { Database } from "@parley/core";
import { memoryDatabases } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { KNOWLEDGE_MIGRATIONS, type KnowledgeTables } from "../tables.ts";
import { createDocumentStore, type DocumentStore, type StoredDocument } from "./document-store.ts";

let main: Database;
let store: DocumentStore;

beforeEach(async () => {
  ({ main } = memoryDatabases());
  store = createDocumentStore({ database: () => main, isShared: () => false, clock: { now: () => 0 } });
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
  index_error_detail: null,
  index_model: null,
  made_by: null,
  text_version: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  revision: 1,
};
const maker = (model: string, place = "here") => ({ model, identity: `${model}@${place}` });
const modelsOf = async () => {
  const rows = await main.tables<KnowledgeTables>().selectFrom("knowledge_documents").selectAll().execute();
  return Object.fromEntries(rows.map(({ id, index_model, index_status }) => [id, [index_model, index_status]]));
};

/** Stores documents as 0.1.0 did. */
const keepAsBefore = async (ids: Readonly<Record<string, string | null>>) => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS.slice(0, 1));
  const {
    content,
    indexed: _indexed,
    made_by: _by,
    index_error_detail: _detail,
    tags,
    metadata,
    created_at,
    updated_at,
    ...fields
  } = draft;
  const db = main.tables<{ knowledge_documents: object; knowledge_contents: object }>();
  for (const [id, index_model] of Object.entries(ids)) {
    const times = { created_at: Date.parse(created_at), updated_at: Date.parse(updated_at) };
    const json = { tags: JSON.stringify(tags), metadata: JSON.stringify(metadata) };
    const index_status = index_model === null ? "pending" : "indexed";
    const row = { ...fields, ...times, ...json, id, index_model, index_status };
    const inserting = db.insertInto("knowledge_documents").values(row as never);
    await main.write([
      { query: inserting },
      { query: db.insertInto("knowledge_contents").values({ id, content } as never) },
    ]);
  }
};

test("labels that change before the index is done leave its result", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  await main.write(store.insertWrites(draft));
  const before = await store.get("doc_1");
  await main.write([store.setStateWrite("doc_1", 1, { index_status: "indexed", index_model: "model_1" })]);
  await main.write(store.replaceWrites(before, { ...before, tags: ["sea"], revision: 2 }));
  expect(await store.get("doc_1")).toMatchObject({ tags: ["sea"], index_status: "indexed", index_model: "model_1" });
});

test("labels of passages that are split again meanwhile are changed again", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  await main.write(store.insertWrites(draft));
  const before = await store.get("doc_1");
  await main.write([store.setStateWrite("doc_1", 1, { index_status: "stale", text_version: 2 })]);
  const late = main.write(store.replaceWrites(before, { ...before, tags: ["sea"], revision: 2 }));
  await expect(late).rejects.toMatchObject({ code: "conflict" });
});

test("a mark of another process is not reported as indexed", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  await main.write(store.insertWrites(draft));
  await main.write([store.setStateWrite("doc_1", 1, { index_status: "indexing", index_model: "model_1" })]);
  await main.write([store.markOthersWrite(maker("model_2"), false)]);
  const late = main.write([store.setStateWrite("doc_1", 1, { index_status: "indexed" }, "indexing")]);
  await expect(late).rejects.toMatchObject({ code: "conflict" });
  expect((await store.get("doc_1")).index_status).toBe("stale");
});

test("vectors stored without a model identity belong to the current model until its address changes", async () => {
  await keepAsBefore({ doc_model: "model_1", doc_other: "model_0" });
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  const start = (place: string) => {
    const now = maker("model_1", place);
    return main.write([store.adoptUnidentifiedWrite(now), store.markOthersWrite(now, false)]);
  };
  await start("here");
  expect(await modelsOf()).toEqual({ doc_model: ["model_1", "indexed"], doc_other: ["model_0", "stale"] });
  await start("elsewhere");
  expect(await modelsOf()).toMatchObject({ doc_model: ["model_1", "stale"] });
});

test("failed vectors are computed again when their model is configured again, finished ones are not", async () => {
  await main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  const by = maker("model_1");
  const made = { made_by: by.identity, index_model: by.model };
  await main.write(store.insertWrites({ ...draft, ...made, id: "doc_made", index_status: "indexed" }));
  await main.write(store.insertWrites({ ...draft, ...made, id: "doc_failed", index_status: "failed" }));
  await main.write([store.markOthersWrite(by, false)]);
  expect(await modelsOf()).toEqual({ doc_made: ["model_1", "indexed"], doc_failed: ["model_1", "failed"] });
  await main.write([store.markOthersWrite(by, true)]);
  expect(await modelsOf()).toEqual({ doc_made: ["model_1", "indexed"], doc_failed: ["model_1", "stale"] });
});
