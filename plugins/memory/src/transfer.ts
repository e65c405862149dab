import { Readable } from "node:stream";
import {
  type Characters,
  type Clock,
  type Database,
  type LiveEvents,
  type Memory,
  newId,
  type RawReply,
  rawReply,
  resourceChanged,
  toSchemaError,
  type Write,
} from "@parley/core";
import { attachmentNamed } from "@parley/core/http";
import { type ImportedItems, listRejected, type RejectedItem } from "@parley/core/transfer";
import {
  type ExportQuery,
  type ImportBody,
  type ImportedMemory,
  type ImportQuery,
  importDraft,
  MAX_IMPORT,
} from "./schema.ts";
import { limitReachedError, type MemoryService } from "./store/memories.ts";
import { isExpired, type MemoryStore } from "./store/memory-store.ts";
import { memoryTexts } from "./texts.ts";

const ENVELOPE = ['{"success":true,"data":', ',"message":""}'] as const;

export interface TransferDeps {
  readonly store: MemoryStore;
  readonly memories: MemoryService;
  readonly characters: () => Characters | undefined;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export interface ImportOutcome extends ImportedItems<{ readonly id: string }> {
  readonly skipped: number;
}

/** Streams memories with their history. */
export function exportMemories(deps: TransferDeps, { download, ...filters }: ExportQuery): RawReply {
  const text = streamPackage(deps, filters);
  const headers = {
    "cache-control": "no-store",
    ...(download && { "content-disposition": attachmentNamed("memories.json") }),
  };
  const body = Readable.from(download ? text : withEnvelope(text), { objectMode: false });
  return rawReply({ body, type: "application/json", headers });
}

async function* streamPackage(
  { store, memories, clock }: TransferDeps,
  filters: Omit<ExportQuery, "download">,
): AsyncGenerator<string> {
  const exported_at = new Date(clock.now()).toISOString();
  yield `{"version":1,"type":"memory_export","exported_at":"${exported_at}","memories":[`;
  let total = 0;
  for await (const memory of store.iterate({ ...filters, replaced: true })) {
    const [named] = await memories.withCharacterNames([memory]);
    yield `${total > 0 ? "," : ""}${JSON.stringify(named)}`;
    total += 1;
  }
  yield `],"total":${total}}`;
}

async function* withEnvelope(text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield ENVELOPE[0];
  yield* text;
  yield ENVELOPE[1];
}

interface ImportEntry {
  readonly index: number;
  readonly memory: ImportedMemory;
}

/** Imports a package: each memory separately in mode `merge`, all or none in mode `replace`. */
export async function importMemories(deps: TransferDeps, body: ImportBody, query: ImportQuery): Promise<ImportOutcome> {
  const { store, memories, database, events, clock } = deps;
  const mode = query.mode ?? body.mode ?? "merge";
  const list = toList(body);
  const { incoming, rejected } = parseEntries(list);
  const now = clock.now();
  const cleared = mode === "replace" ? await memories.clearWrites({}) : { ids: [], writes: [] };
  let remaining = store.limit - (mode === "replace" ? 0 : await store.count());
  const ids = new Map(incoming.flatMap(({ memory: { id } }) => (id === undefined ? [] : [[id, newId("mem", now)]])));
  const facts = new Set<string>();
  const accepted: { readonly index: number; readonly memory: Memory }[] = [];
  const seenKeys = new Set<string>();
  let skipped = 0;
  // Replaced memories are imported first, because the history refers to them.
  for (const { index, memory: given } of incoming) {
    const memory = await toNewMemory(deps, given, ids, now);
    const key = JSON.stringify([memory.title, memory.content, memory.character_id, memory.target_id]);
    const isKnown =
      mode === "merge" && memory.replaced_by === null && (seenKeys.has(key) || (await exists(deps, memory)));
    const isOrphan = given.replaced_by != null && !ids.has(given.replaced_by);
    if (isExpired(memory, now) || isKnown || isOrphan) {
      skipped += 1;
      if (given.id !== undefined) ids.delete(given.id);
      continue;
    }
    if (remaining <= 0) {
      rejected.push({ index, error: limitReachedError(store.limit) });
      continue;
    }
    remaining -= 1;
    seenKeys.add(key);
    accepted.push({ index, memory: await withUniqueFact(deps, memory, facts, mode) });
  }
  const errors = listRejected(rejected, list.length);
  const known = new Set(accepted.map(({ memory }) => memory.id));
  const importable = accepted.filter(({ memory }) => memory.replaced_by === null || known.has(memory.replaced_by));
  const writes: Write[] = [...cleared.writes];
  for (const { memory } of importable) {
    const earlier = importable.filter((other) => other.memory.replaced_by === memory.id).map((other) => other.memory);
    writes.push(...(await memories.insertWrites(memory, earlier)));
  }
  if (importable.length > 0) writes.push(store.limitWrite());
  if (writes.length > 0) await database().write(writes);
  events.publish(resourceChanged("memory", "*", "imported"));
  const items = importable.map(({ index, memory: { id } }) => ({ index, id }));
  return {
    imported: items.length,
    skipped: skipped + accepted.length - importable.length,
    failed: rejected.length,
    items,
    errors,
  };
}

async function toNewMemory(deps: TransferDeps, given: ImportedMemory, ids: ReadonlyMap<string, string>, now: number) {
  const { id, expires_at, replaced_by, replaced_at, ...fields } = given;
  const known = given.character_id ? await deps.characters()?.find(given.character_id) : undefined;
  return deps.memories.build({
    ...fields,
    ...(!known && { character_id: null }),
    // Conversations of another installation do not exist here.
    session_id: null,
    source: "import",
    ...(id !== undefined && { id: ids.get(id) ?? newId("mem", now) }),
    ...(expires_at && { expiresAt: Date.parse(expires_at) }),
    ...(replaced_by && { replaced_by: ids.get(replaced_by) ?? replaced_by, replaced_at: replaced_at ?? null }),
  });
}

async function exists({ memories }: TransferDeps, memory: Memory): Promise<boolean> {
  const equal = await memories.findEqual(memory);
  return equal.some(({ title, content }) => title === memory.title && content === memory.content);
}

/** Returns the memory without its fact if an active memory of that fact exists. */
async function withUniqueFact(
  { store }: TransferDeps,
  memory: Memory,
  facts: Set<string>,
  mode: string,
): Promise<Memory> {
  const { fact, target_id, character_id, replaced_by } = memory;
  if (fact === null || replaced_by !== null) return memory;
  const key = JSON.stringify([target_id, character_id, fact]);
  const isTaken =
    target_id === null ||
    facts.has(key) ||
    (mode === "merge" && (await store.findByFacts([target_id], character_id, [fact])).length > 0);
  facts.add(key);
  return isTaken ? { ...memory, fact: null } : memory;
}

function toList({ memories, items }: ImportBody): readonly unknown[] {
  const list = memories ?? items;
  if (!Array.isArray(list) || list.length === 0)
    throw memoryTexts.error("bad_request", "nothing_in_it", {}, { field: "memories" });
  if (list.length > MAX_IMPORT)
    throw memoryTexts.error("bad_request", "many", { most: MAX_IMPORT }, { field: "memories" });
  return list;
}

function parseEntries(input: readonly unknown[]) {
  const incoming: ImportEntry[] = [];
  const rejected: RejectedItem[] = [];
  for (const [index, one] of input.entries()) {
    const { value, error } = importDraft.validate(one, { errors: { label: "path", wrap: { label: false } } });
    if (error) rejected.push({ index, error: toSchemaError(error) });
    else if (typeof one !== "object" || one === null)
      rejected.push({ index, error: memoryTexts.error("bad_request", "no_memory") });
    else incoming.push({ index, memory: value });
  }
  return { incoming, rejected };
}
