import {
  AppError,
  type ChangeRequest,
  type Characters,
  type Clock,
  checkRevision,
  type Database,
  type LiveEvents,
  type Memory,
  newId,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type Write,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { type ClearQuery, type ListQuery, type MemoryFields, type MergeBody, memories } from "../schema.ts";
import { memoryTexts } from "../texts.ts";
import type { MemoryIndex } from "./memory-index.ts";
import type { MemoryStore } from "./memory-store.ts";
import { mergeFields, sortMergeable } from "./merge-memories.ts";

const MAX_ATTEMPTS = 10;
const DAY_MS = 86_400_000;
const MAX_SUMMARY_CHARS = 100;
const MAX_TITLE_CHARS = 30;

export interface MemoriesDeps {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly database: () => Database;
  readonly characters: () => Characters | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Data of a new memory besides its fields. */
export interface MemoryOrigin {
  readonly id?: string;
  readonly message_id?: string | null;
  readonly source_turn_id?: string | null;
  readonly fact?: string | null;
  /** Expiry in milliseconds, for imported short-term memories. */
  readonly expiresAt?: number;
  readonly replaced_at?: string | null;
  readonly replaced_by?: string | null;
}
export type NewMemory = Partial<MemoryFields> & Pick<MemoryFields, "content"> & MemoryOrigin;

export interface MemoryService {
  readonly rows: ResourceRecords<MemoryFields>;
  page(query: ListQuery): Promise<List<Memory>>;
  get(id: string): Promise<Memory>;
  /** Returns memories with the current names of their characters. */
  withCharacterNames(found: readonly Memory[]): Promise<readonly Memory[]>;
  create(draft: NewMemory): Promise<Memory>;
  change(id: string, patch: Partial<MemoryFields>, ifMatch?: number): Promise<Memory>;
  /** Deletes a memory and all that it replaced, so that forgotten facts do not become current again. */
  remove(id: string, ifMatch?: number): Promise<void>;
  removeAll(ids: readonly string[]): Promise<{ readonly known: readonly string[] }>;
  clear(query: ClearQuery): Promise<number>;
  /** Returns the ids and the writes that delete the memories of a query. */
  clearWrites(query: ClearQuery): Promise<{ readonly ids: readonly string[]; readonly writes: readonly Write[] }>;
  /** Returns the writes that delete these memories with those they replaced. */
  deleteWrites(ids: readonly string[]): Promise<readonly Write[]>;
  merge(body: MergeBody): Promise<Memory>;
  /** Builds a memory as it would be stored. */
  build(draft: NewMemory): Promise<Memory>;
  insertWrites(memory: Memory, earlier?: readonly Memory[]): Promise<readonly Write[]>;
  /** Returns the write that makes `old` history of `next`; `next` must be written after it. */
  supersedeWrite(old: Memory, next: Memory): Write;
  /** Returns memories with the same content for the same person and character. */
  findEqual(draft: Pick<Memory, "content" | "character_id" | "target_id">): Promise<readonly Memory[]>;
}

export function createMemoryService(deps: MemoriesDeps): MemoryService {
  const { store, index, database, characters, events, clock } = deps;
  const publishChange = (id: string, action: "created" | "updated" | "deleted", revision?: number) =>
    events.publish(resourceChanged("memory", id, action, revision));
  const withCharacterNames: MemoryService["withCharacterNames"] = async (found) => {
    const ids = found.flatMap(({ character_id }) => character_id ?? []);
    const faces = ids.length === 0 ? undefined : await characters()?.faces(ids);
    return found.map((memory) => {
      const face = memory.character_id === null ? undefined : faces?.get(memory.character_id);
      return face ? { ...memory, character_name: face.name } : memory;
    });
  };
  const one = async (memory: Memory) => (await withCharacterNames([memory]))[0] as Memory;
  /** Returns the character with the given id or name. */
  const resolveCharacter = async ({ character_id, character_name = "" }: Partial<MemoryFields>) => {
    if (character_id) {
      const found = await characters()?.find(character_id);
      if (!found)
        throw memoryTexts.error("bad_request", "no_character", { id: character_id }, { field: "character_id" });
      return { character_id, character_name: found.name };
    }
    const [found] = character_name === "" ? [] : ((await characters()?.named(character_name)) ?? []);
    return found ? { character_id: found.id, character_name: found.name } : { character_id: null, character_name };
  };
  const build: MemoryService["build"] = async ({ expiresAt, ...draft }) => {
    const now = clock.now();
    const at = new Date(now).toISOString();
    const type = draft.type ?? "long";
    const expire_days = draft.expire_days ?? 7;
    const expires = type === "long" ? null : (expiresAt ?? now + expire_days * DAY_MS);
    return {
      ...memories.defaults,
      ...draft,
      ...(await resolveCharacter(draft)),
      id: draft.id ?? newId("mem", now),
      title: draft.title ?? toTitle(draft.content),
      summary: draft.summary || toSummary(draft.content),
      type,
      expire_days,
      expires_at: expires === null ? null : new Date(expires).toISOString(),
      said_at: draft.said_at ?? at,
      message_id: draft.message_id ?? null,
      source_turn_id: draft.source_turn_id ?? null,
      fact: draft.fact ?? null,
      replaced_at: draft.replaced_at ?? null,
      replaced_by: draft.replaced_by ?? null,
      last_recalled_at: null,
      recall_count: 0,
      created_at: at,
      updated_at: at,
      revision: 1,
    } as Memory;
  };
  const insertWrites: MemoryService["insertWrites"] = async (memory, earlier) => [
    store.insertWrite(memory),
    ...(memory.replaced_by === null ? await index.putWrites(memory, earlier) : []),
  ];
  const create: MemoryService["create"] = async (draft) => {
    const memory = await build(draft);
    await database().write([...(await insertWrites(memory)), store.limitWrite()]);
    publishChange(memory.id, "created", 1);
    return one(memory);
  };
  const applyPatch = async (before: Memory, patch: Partial<MemoryFields>): Promise<Memory> => {
    const isOthers = patch.character_id !== undefined || patch.character_name !== undefined;
    const given = { character_id: before.character_id, ...patch };
    // From now on, a name without an id identifies the character.
    const chosen = patch.character_name !== undefined && patch.character_id === undefined ? patch : given;
    const isDerived = before.summary === toSummary(before.content);
    const next = { ...before, ...patch, ...(isOthers && (await resolveCharacter(chosen))) };
    const now = clock.now();
    return {
      ...next,
      summary: patch.summary || (isDerived || patch.summary === "" ? toSummary(next.content) : before.summary),
      expires_at: toExpiry(before, next, now),
      updated_at: new Date(now).toISOString(),
      revision: before.revision + 1,
    };
  };
  const change: MemoryService["change"] = async (id, patch, ifMatch) => {
    for (let attempt = 1; ; attempt += 1) {
      const before = await store.get(id);
      checkRevision(before, ifMatch);
      assertFixedUnchanged(before, patch);
      const after = await applyPatch(before, patch);
      const entries = after.replaced_by === null ? await index.putWrites(after, await store.listReplaced([id])) : [];
      try {
        await database().write([store.replaceWrite(before, after), ...entries]);
      } catch (error) {
        // Another change came first; this change is applied to its result.
        if (!AppError.is(error) || error.code !== "conflict" || attempt >= MAX_ATTEMPTS) throw error;
        continue;
      }
      publishChange(id, "updated", after.revision);
      return one(after);
    }
  };
  const deleteWithHistoryWrites = async (ids: readonly string[]) => {
    const all = [...ids, ...(await store.listReplaced(ids)).map(({ id }) => id)];
    return [...store.deleteWrites(all), ...(await index.deleteWrites(all))];
  };
  const clearWrites: MemoryService["clearWrites"] = async (query) => {
    const ids = await store.listIds(query);
    return { ids, writes: ids.length === 0 ? [] : await deleteWithHistoryWrites(ids) };
  };
  const page: MemoryService["page"] = async (asked) => {
    const { character_name, ...query } = asked;
    const [found] = character_name ? ((await characters()?.named(character_name)) ?? []) : [];
    const wanted = found ? { ...query, character_id: query.character_id ?? found.id } : asked;
    const { items, ...rest } = await store.page(wanted);
    return { ...rest, items: await withCharacterNames(items) };
  };
  const remove: MemoryService["remove"] = async (id, ifMatch) => {
    checkRevision(await store.get(id), ifMatch);
    const own = store.deleteRevisionWrite(id, ifMatch);
    const [removed] = await database().write([own, ...(await deleteWithHistoryWrites([id]))]);
    if (removed?.changes === 0) throw notFound("memory", id);
    publishChange(id, "deleted");
  };

  return {
    page,
    withCharacterNames,
    create,
    change,
    remove,
    clearWrites,
    deleteWrites: deleteWithHistoryWrites,
    build,
    insertWrites,
    get: async (id) => one(await store.get(id)),
    findEqual: (draft) => store.findEqual(draft),
    supersedeWrite: (old, next) =>
      store.replaceWrite(old, {
        ...old,
        replaced_by: next.id,
        replaced_at: next.said_at,
        updated_at: new Date(clock.now()).toISOString(),
        revision: old.revision + 1,
      }),
    async removeAll(ids) {
      const known = (await store.findMany([...new Set(ids)])).map(({ id }) => id);
      if (known.length > 0) await database().write(await deleteWithHistoryWrites(known));
      for (const id of known) publishChange(id, "deleted");
      return { known };
    },
    async clear(query) {
      const { ids, writes } = await clearWrites(query);
      if (ids.length > 0) await database().write(writes);
      events.publish(resourceChanged("memory", "*", "cleared"));
      return ids.length;
    },
    async merge({ ids, title, content }) {
      const found = await store.findMany(ids);
      const first = found[0];
      const missing = ids.find((id) => !found.some((memory) => memory.id === id));
      if (missing !== undefined || !first) throw notFound("memory", String(missing));
      const ordered = sortMergeable(found);
      const memory = await build(mergeFields(ordered, { title, content }));
      const supersedeWrites = ordered.map((old) =>
        store.replaceWrite(old, {
          ...old,
          replaced_by: memory.id,
          replaced_at: memory.created_at,
          updated_at: memory.created_at,
          revision: old.revision + 1,
        }),
      );
      await database().write([
        ...supersedeWrites,
        ...(await index.deleteWrites(ids)),
        ...(await insertWrites(memory, ordered)),
      ]);
      for (const old of ordered) publishChange(old.id, "updated", old.revision + 1);
      publishChange(memory.id, "created", 1);
      return one(memory);
    },
    rows: {
      page: (query) => page(query as unknown as ListQuery),
      get: async (id) => one(await store.get(id)),
      create: (draft) => create(draft),
      change: (id, patch, { ifMatch }: Partial<ChangeRequest>) => change(id, patch, ifMatch),
      remove: (id, { ifMatch }) => remove(id, ifMatch),
    },
  };
}

export function toTitle(content: string): string {
  return [...content.replaceAll(/\s+/g, " ").trim()].slice(0, MAX_TITLE_CHARS).join("").toWellFormed();
}

function toSummary(content: string): string {
  return [...content].slice(0, MAX_SUMMARY_CHARS).join("").toWellFormed();
}

function toExpiry(before: Memory, next: Memory, now: number): string | null {
  if (next.type === "long") return null;
  if (before.expires_at === null) return new Date(now + next.expire_days * DAY_MS).toISOString();
  const moved = (next.expire_days - before.expire_days) * DAY_MS;
  return new Date(Date.parse(before.expires_at) + moved).toISOString();
}

function assertFixedUnchanged(before: Memory, patch: Partial<MemoryFields>): void {
  const wrong = memories.fixed.find((name) => patch[name] !== undefined && patch[name] !== before[name]);
  if (wrong !== undefined) throw memoryTexts.error("bad_request", "fixed", {}, { field: wrong });
}

export function limitReachedError(limit: number): AppError {
  return memoryTexts.error("conflict", "full", { limit });
}
