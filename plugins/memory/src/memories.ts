import {
  AppError,
  type ChangeRequest,
  type Characters,
  type Clock,
  checkRevision,
  type Database,
  type List,
  type LiveEvents,
  type Memory,
  newId,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type Write,
} from "@parley/core";
import type { MemoryIndex } from "./memory-index.ts";
import type { MemoryStore } from "./memory-store.ts";
import { inOrder, mergedFields } from "./merging.ts";
import { memoryFailure } from "./said-failures.ts";
import { type ClearQuery, type ListQuery, type MemoryFields, type MergeBody, memories } from "./schema.ts";

const TRIES = 10;
const DAY_MS = 86_400_000;
const SUMMARY = 100;
const TITLE = 30;

export interface MemoriesParts {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly database: () => Database;
  readonly characters: () => Characters | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** What is known of a new memory besides its fields. */
export interface Origin {
  readonly id?: string;
  readonly message_id?: string | null;
  readonly source_turn_id?: string | null;
  readonly fact?: string | null;
  /** Milliseconds; for those that were made short elsewhere. */
  readonly expiresAt?: number;
  readonly replaced_at?: string | null;
  readonly replaced_by?: string | null;
}
export type NewMemory = Partial<MemoryFields> & Pick<MemoryFields, "content"> & Origin;

export interface OwnMemories {
  readonly rows: ResourceRecords<MemoryFields>;
  page(query: ListQuery): Promise<List<Memory>>;
  get(id: string): Promise<Memory>;
  /** With the character's name as it is now. */
  named(found: readonly Memory[]): Promise<readonly Memory[]>;
  create(draft: NewMemory): Promise<Memory>;
  change(id: string, patch: Partial<MemoryFields>, ifMatch?: number): Promise<Memory>;
  /** With all that it took the place of: what is forgotten does not come back. */
  remove(id: string, ifMatch?: number): Promise<void>;
  removeAll(ids: readonly string[]): Promise<{ readonly known: readonly string[] }>;
  clear(query: ClearQuery): Promise<number>;
  /** The statements by which those of a query go. */
  clearing(query: ClearQuery): Promise<{ readonly ids: readonly string[]; readonly writes: readonly Write[] }>;
  /** The statements by which these go, with what they had taken the place of. */
  forgetting(ids: readonly string[]): Promise<readonly Write[]>;
  merge(body: MergeBody): Promise<Memory>;
  /** A memory as it would be stored. */
  made(draft: NewMemory): Promise<Memory>;
  inserting(memory: Memory, earlier?: readonly Memory[]): Promise<readonly Write[]>;
  /** `old` becomes history of `next`, which is written after it. */
  superseding(old: Memory, next: Memory): Write;
  /** Those that say the same of the same person to the same character. */
  equal(draft: Pick<Memory, "content" | "character_id" | "target_id">): Promise<readonly Memory[]>;
}

export function createMemories(parts: MemoriesParts): OwnMemories {
  const { store, index, database, characters, events, clock } = parts;
  const tell = (id: string, action: "created" | "updated" | "deleted", revision?: number) =>
    events.publish(resourceChanged("memory", id, action, revision));
  const named: OwnMemories["named"] = async (found) => {
    const ids = found.flatMap(({ character_id }) => character_id ?? []);
    const faces = ids.length === 0 ? undefined : await characters()?.faces(ids);
    return found.map((one) => {
      const face = one.character_id === null ? undefined : faces?.get(one.character_id);
      return face ? { ...one, character_name: face.name } : one;
    });
  };
  const one = async (memory: Memory) => (await named([memory]))[0] as Memory;
  /** The character that is meant by its id or by its name. */
  const bound = async ({ character_id, character_name = "" }: Partial<MemoryFields>) => {
    if (character_id) {
      const found = await characters()?.find(character_id);
      if (!found) throw memoryFailure("bad_request", "no_character", { id: character_id }, { field: "character_id" });
      return { character_id, character_name: found.name };
    }
    const [found] = character_name === "" ? [] : ((await characters()?.named(character_name)) ?? []);
    return found ? { character_id: found.id, character_name: found.name } : { character_id: null, character_name };
  };
  const made: OwnMemories["made"] = async ({ expiresAt, ...draft }) => {
    const now = clock.now();
    const at = new Date(now).toISOString();
    const type = draft.type ?? "long";
    const expire_days = draft.expire_days ?? 7;
    const expires = type === "long" ? null : (expiresAt ?? now + expire_days * DAY_MS);
    return {
      ...memories.defaults,
      ...draft,
      ...(await bound(draft)),
      id: draft.id ?? newId("mem", now),
      title: draft.title ?? titleOf(draft.content),
      summary: draft.summary || summaryOf(draft.content),
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
  const inserting: OwnMemories["inserting"] = async (memory, earlier) => [
    store.inserting(memory),
    ...(memory.replaced_by === null ? await index.putting(memory, earlier) : []),
  ];
  const create: OwnMemories["create"] = async (draft) => {
    const memory = await made(draft);
    await database().write([...(await inserting(memory)), store.refusingMore()]);
    tell(memory.id, "created", 1);
    return one(memory);
  };
  const changed = async (before: Memory, patch: Partial<MemoryFields>): Promise<Memory> => {
    const isOthers = patch.character_id !== undefined || patch.character_name !== undefined;
    const given = { character_id: before.character_id, ...patch };
    // A name that is sent alone says whom it is of from now on.
    const chosen = patch.character_name !== undefined && patch.character_id === undefined ? patch : given;
    const isDerived = before.summary === summaryOf(before.content);
    const next = { ...before, ...patch, ...(isOthers && (await bound(chosen))) };
    const now = clock.now();
    return {
      ...next,
      summary: patch.summary || (isDerived || patch.summary === "" ? summaryOf(next.content) : before.summary),
      expires_at: expiryOf(before, next, now),
      updated_at: new Date(now).toISOString(),
      revision: before.revision + 1,
    };
  };
  const change: OwnMemories["change"] = async (id, patch, ifMatch) => {
    for (let tried = 1; ; tried += 1) {
      const before = await store.get(id);
      checkRevision(before, ifMatch);
      refuseFixed(before, patch);
      const after = await changed(before, patch);
      const entries = after.replaced_by === null ? await index.putting(after, await store.history([id])) : [];
      try {
        await database().write([store.replacing(before, after), ...entries]);
      } catch (error) {
        // Somebody else was first; what they wrote is changed in turn.
        if (!AppError.is(error) || error.code !== "conflict" || tried >= TRIES) throw error;
        continue;
      }
      tell(id, "updated", after.revision);
      return one(after);
    }
  };
  const gone = async (ids: readonly string[]) => {
    const all = [...ids, ...(await store.history(ids)).map(({ id }) => id)];
    return [...(await index.removing(all)), ...store.removing(all)];
  };
  const clearing: OwnMemories["clearing"] = async (query) => {
    const ids = await store.ids(query);
    return { ids, writes: ids.length === 0 ? [] : await gone(ids) };
  };
  const page: OwnMemories["page"] = async (asked) => {
    const { character_name, ...query } = asked;
    const [found] = character_name ? ((await characters()?.named(character_name)) ?? []) : [];
    const wanted = found ? { ...query, character_id: query.character_id ?? found.id } : asked;
    const { items, ...rest } = await store.page(wanted);
    return { ...rest, items: await named(items) };
  };
  const remove: OwnMemories["remove"] = async (id, ifMatch) => {
    checkRevision(await store.get(id), ifMatch);
    await database().write(await gone([id]));
    tell(id, "deleted");
  };

  return {
    page,
    named,
    create,
    change,
    remove,
    clearing,
    forgetting: gone,
    made,
    inserting,
    get: async (id) => one(await store.get(id)),
    equal: (draft) => store.equal(draft),
    superseding: (old, next) =>
      store.replacing(old, {
        ...old,
        replaced_by: next.id,
        replaced_at: next.said_at,
        updated_at: new Date(clock.now()).toISOString(),
        revision: old.revision + 1,
      }),
    async removeAll(ids) {
      const known = (await store.among([...new Set(ids)])).map(({ id }) => id);
      if (known.length > 0) await database().write(await gone(known));
      for (const id of known) tell(id, "deleted");
      return { known };
    },
    async clear(query) {
      const { ids, writes } = await clearing(query);
      if (ids.length > 0) await database().write(writes);
      events.publish(resourceChanged("memory", "*", "cleared"));
      return ids.length;
    },
    async merge({ ids, title, content }) {
      const found = await store.among(ids);
      const first = found[0];
      const missing = ids.find((id) => !found.some((memory) => memory.id === id));
      if (missing !== undefined || !first) throw notFound("memory", String(missing));
      const ordered = inOrder(found);
      const memory = await made(mergedFields(ordered, { title, content }));
      const moved = ordered.map((old) =>
        store.replacing(old, {
          ...old,
          replaced_by: memory.id,
          replaced_at: memory.created_at,
          updated_at: memory.created_at,
          revision: old.revision + 1,
        }),
      );
      await database().write([...moved, ...(await index.removing(ids)), ...(await inserting(memory, ordered))]);
      for (const old of ordered) tell(old.id, "updated", old.revision + 1);
      tell(memory.id, "created", 1);
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

export function titleOf(content: string): string {
  return [...content.replaceAll(/\s+/g, " ").trim()].slice(0, TITLE).join("").toWellFormed();
}

function summaryOf(content: string): string {
  return [...content].slice(0, SUMMARY).join("").toWellFormed();
}

function expiryOf(before: Memory, next: Memory, now: number): string | null {
  if (next.type === "long") return null;
  if (before.expires_at === null) return new Date(now + next.expire_days * DAY_MS).toISOString();
  const moved = (next.expire_days - before.expire_days) * DAY_MS;
  return new Date(Date.parse(before.expires_at) + moved).toISOString();
}

function refuseFixed(before: Memory, patch: Partial<MemoryFields>): void {
  const wrong = memories.fixed.find((name) => patch[name] !== undefined && patch[name] !== before[name]);
  if (wrong !== undefined) throw memoryFailure("bad_request", "fixed", {}, { field: wrong });
}

export function full(limit: number): AppError {
  return memoryFailure("conflict", "full", { limit });
}
