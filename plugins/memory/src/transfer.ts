import { Readable } from "node:stream";
import {
  attachmentNamed,
  type Characters,
  type Clock,
  type Database,
  type ItemFailure,
  itemFailure,
  type LiveEvents,
  type Memory,
  newId,
  type RawReply,
  rawReply,
  resourceChanged,
  schemaRefusal,
  type Write,
} from "@parley/core";
import { full, type OwnMemories } from "./memories.ts";
import { isExpired, type MemoryStore } from "./memory-store.ts";
import { memoryFailure } from "./said-failures.ts";
import {
  type ExportQuery,
  type ImportBody,
  type ImportedMemory,
  type ImportQuery,
  importDraft,
  MAX_IMPORT,
} from "./schema.ts";

const ENVELOPE = ['{"success":true,"data":', ',"message":""}'] as const;

export interface TransferParts {
  readonly store: MemoryStore;
  readonly memories: OwnMemories;
  readonly characters: () => Characters | undefined;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** A memory that did not come in, by its place, and why. */
interface FailedItem extends ItemFailure {
  readonly index: number;
}

export interface ImportOutcome {
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly items: readonly { readonly index: number; readonly id: string }[];
  readonly errors: readonly FailedItem[];
}

/** Memories out of the service, with the history of what changed; written as they are read. */
export function exportOf(parts: TransferParts, { download, ...asked }: ExportQuery): RawReply {
  const text = packageText(parts, asked);
  const headers = {
    "cache-control": "no-store",
    ...(download && { "content-disposition": attachmentNamed("memories.json") }),
  };
  const body = Readable.from(download ? text : enveloped(text), { objectMode: false });
  return rawReply({ body, type: "application/json", headers });
}

async function* packageText(
  { store, memories, clock }: TransferParts,
  asked: Omit<ExportQuery, "download">,
): AsyncGenerator<string> {
  const exported_at = new Date(clock.now()).toISOString();
  yield `{"version":1,"type":"memory_export","exported_at":"${exported_at}","memories":[`;
  let total = 0;
  for await (const memory of store.all({ ...asked, replaced: true })) {
    const [named] = await memories.named([memory]);
    yield `${total > 0 ? "," : ""}${JSON.stringify(named)}`;
    total += 1;
  }
  yield `],"total":${total}}`;
}

async function* enveloped(text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield ENVELOPE[0];
  yield* text;
  yield ENVELOPE[1];
}

interface Incoming {
  readonly index: number;
  readonly memory: ImportedMemory;
}

/** Takes a package in: each memory by itself when it is merged, all or nothing when it replaces what is there. */
export async function importAll(parts: TransferParts, body: ImportBody, query: ImportQuery): Promise<ImportOutcome> {
  const { store, memories, database, events, clock } = parts;
  const mode = query.mode ?? body.mode ?? "merge";
  const { incoming, errors } = read(packageOf(body));
  const now = clock.now();
  const cleared = mode === "replace" ? await memories.clearing({}) : { ids: [], writes: [] };
  let room = store.limit - (mode === "replace" ? 0 : await store.count());
  const ids = new Map(incoming.flatMap(({ memory: { id } }) => (id === undefined ? [] : [[id, newId("mem", now)]])));
  const facts = new Set<string>();
  const taken: { readonly index: number; readonly memory: Memory }[] = [];
  const seen = new Set<string>();
  let skipped = 0;
  // What took the place of another one comes first: history needs it to be there.
  for (const { index, memory: given } of incoming) {
    const memory = await fresh(parts, given, ids, now);
    const key = JSON.stringify([memory.title, memory.content, memory.character_id, memory.target_id]);
    const isKnown =
      mode === "merge" && memory.replaced_by === null && (seen.has(key) || (await isThere(parts, memory)));
    const isOrphan = given.replaced_by != null && !ids.has(given.replaced_by);
    if (isExpired(memory, now) || isKnown || isOrphan) {
      skipped += 1;
      if (given.id !== undefined) ids.delete(given.id);
      continue;
    }
    if (room <= 0) {
      errors.push({ index, ...itemFailure(full(store.limit)) });
      continue;
    }
    room -= 1;
    seen.add(key);
    taken.push({ index, memory: await withFreeFact(parts, memory, facts, mode) });
  }
  const known = new Set(taken.map(({ memory }) => memory.id));
  const kept = taken.filter(({ memory }) => memory.replaced_by === null || known.has(memory.replaced_by));
  const writes: Write[] = [...cleared.writes];
  for (const { memory } of kept) {
    const earlier = kept.filter((other) => other.memory.replaced_by === memory.id).map((other) => other.memory);
    writes.push(...(await memories.inserting(memory, earlier)));
  }
  if (kept.length > 0) writes.push(store.refusingMore());
  if (writes.length > 0) await database().write(writes);
  events.publish(resourceChanged("memory", "*", "imported"));
  const items = kept.map(({ index, memory: { id } }) => ({ index, id }));
  return {
    imported: items.length,
    skipped: skipped + taken.length - kept.length,
    failed: errors.length,
    items,
    errors,
  };
}

async function fresh(parts: TransferParts, given: ImportedMemory, ids: ReadonlyMap<string, string>, now: number) {
  const { id, expires_at, replaced_by, replaced_at, ...fields } = given;
  const known = given.character_id ? await parts.characters()?.find(given.character_id) : undefined;
  return parts.memories.made({
    ...fields,
    ...(!known && { character_id: null }),
    // Conversations of another installation are none of this one.
    session_id: null,
    source: "import",
    ...(id !== undefined && { id: ids.get(id) ?? newId("mem", now) }),
    ...(expires_at && { expiresAt: Date.parse(expires_at) }),
    ...(replaced_by && { replaced_by: ids.get(replaced_by) ?? replaced_by, replaced_at: replaced_at ?? null }),
  });
}

async function isThere({ memories }: TransferParts, memory: Memory): Promise<boolean> {
  const equal = await memories.equal(memory);
  return equal.some(({ title, content }) => title === memory.title && content === memory.content);
}

/** Of one fact one is in force: what comes in beside it is remembered without it. */
async function withFreeFact(
  { store }: TransferParts,
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
    (mode === "merge" && (await store.facts([target_id], character_id, [fact])).length > 0);
  facts.add(key);
  return isTaken ? { ...memory, fact: null } : memory;
}

function packageOf({ memories, items }: ImportBody): readonly unknown[] {
  const list = memories ?? items;
  if (!Array.isArray(list) || list.length === 0)
    throw memoryFailure("bad_request", "nothing_in_it", {}, { field: "memories" });
  if (list.length > MAX_IMPORT) throw memoryFailure("bad_request", "many", { most: MAX_IMPORT }, { field: "memories" });
  return list;
}

function read(given: readonly unknown[]) {
  const incoming: Incoming[] = [];
  const errors: FailedItem[] = [];
  for (const [index, one] of given.entries()) {
    const { value, error } = importDraft.validate(one, { errors: { label: "path", wrap: { label: false } } });
    if (error) errors.push({ index, ...itemFailure(schemaRefusal(error)) });
    else if (typeof one !== "object" || one === null)
      errors.push({ index, ...itemFailure(memoryFailure("bad_request", "no_memory")) });
    else incoming.push({ index, memory: value });
  }
  return { incoming, errors };
}
