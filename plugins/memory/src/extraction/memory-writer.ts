import {
  type Clock,
  type LiveEvents,
  type Memory,
  newId,
  type People,
  resourceChanged,
  type Write,
} from "@parley/core";
import type { MemoryFields } from "../schema.ts";
import type { MemoryService, NewMemory } from "../store/memories.ts";
import type { MemoryIndex } from "../store/memory-index.ts";
import { toContentKey } from "../store/memory-row.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { MemoryCandidate } from "./local-facts.ts";
import { normalizeMeaning, normalizeThing } from "./normalize-meaning.ts";

const MAX_RAISED_IMPORTANCE = 9;

export interface MemoryWriterDeps {
  readonly store: MemoryStore;
  readonly memories: MemoryService;
  readonly index: MemoryIndex;
  readonly people: () => People | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Person, character and origin of a memory. */
export type MemorySource = Pick<MemoryFields, "target_id" | "character_id" | "session_id" | "source" | "said_at"> &
  Pick<NewMemory, "message_id" | "source_turn_id">;

/** Changes to store; `applied` must be called after the commit. */
export interface MemoryChange {
  readonly stored: readonly Memory[];
  readonly writes: readonly Write[];
  readonly applied: () => void;
}

export interface MemoryWriter {
  /** Returns the writes that store findings up to the limit; known ones found by the model only become more important, outdated memories become history. */
  storeWrites(findings: readonly MemoryCandidate[], source: MemorySource): Promise<MemoryChange>;
  /** Returns the writes that remove what the model found in these messages. The memories they replaced become current again. */
  undoWrites(ids: readonly string[]): Promise<MemoryChange>;
}

export function createMemoryWriter({ store, memories, index, people, events, clock }: MemoryWriterDeps): MemoryWriter {
  const listAddresses = async (address: string | null) =>
    address === null ? [] : ((await people()?.addressesOf(address)) ?? [address]);
  const toChange = (
    stored: readonly Memory[],
    writes: readonly Write[],
    touched: ReadonlyMap<string, ChangeEvent>,
  ): MemoryChange => ({
    stored,
    writes,
    applied() {
      for (const [id, { action, revision }] of touched) events.publish(resourceChanged("memory", id, action, revision));
    },
  });

  return {
    async storeWrites(findings, source) {
      const addresses = await listAddresses(source.target_id);
      const writes: Write[] = [];
      const stored: Memory[] = [];
      const changesById = new Map<string, ChangeEvent>();
      let remaining = store.limit - (await store.count());
      for (const finding of findings) {
        const { replaces = [], formerFact = null, ends, ...fields } = finding;
        const draft = { ...source, ...fields, id: newId("mem", clock.now()) };
        const isRepeated = stored.some(({ content }) => toContentKey(content) === toContentKey(draft.content));
        if (isRepeated) continue;
        const facts = [finding.fact, formerFact].filter((fact) => fact !== null);
        const existing = await findSame(store, draft, addresses, facts);
        if (existing) {
          if (source.source !== "ai" || changesById.has(existing.id)) continue;
          const revision = existing.revision + 1;
          writes.push(
            store.replaceWrite(existing, {
              ...existing,
              ...raiseImportance(existing),
              revision,
              updated_at: toNow(clock),
            }),
          );
          changesById.set(existing.id, { action: "updated", revision });
          continue;
        }
        if (remaining <= 0) continue;
        const superseded = [
          ...(await store.findByFacts(addresses, source.character_id, facts)),
          ...(await store.findMany(replaces)).filter(
            ({ target_id, replaced_by }) => replaced_by === null && target_id !== null && addresses.includes(target_id),
          ),
        ]
          .filter(({ id }, at, all) => !changesById.has(id) && all.findIndex((one) => one.id === id) === at)
          .filter(({ content }) => ends === undefined || normalizeThing(content).includes(ends));
        const inBatch = finding.fact !== null && stored.some(({ fact }) => fact === finding.fact);
        if (inBatch) continue;
        // The later statement is current, whichever is processed first.
        const newer = superseded.find(({ said_at }) => said_at > source.said_at);
        const built = await memories.build({
          ...draft,
          // The end of an unknown fact is not the current value of the fact.
          ...(ends !== undefined && superseded.length === 0 && { fact: null }),
          ...(newer && { replaced_by: newer.id, replaced_at: newer.said_at }),
        });
        remaining -= 1;
        stored.push(built);
        changesById.set(built.id, { action: "created", revision: 1 });
        if (newer) {
          writes.push(...(await memories.insertWrites(built)));
          writes.push(...(await index.putWrites(newer, [built, ...(await store.listReplaced([newer.id]))])));
          continue;
        }
        const earlier = [...superseded, ...(await store.listReplaced(superseded.map(({ id }) => id)))];
        for (const old of superseded) {
          writes.push(memories.supersedeWrite(old, built));
          changesById.set(old.id, { action: "updated", revision: old.revision + 1 });
        }
        writes.push(
          ...(await index.deleteWrites(superseded.map(({ id }) => id))),
          ...(await memories.insertWrites(built, earlier)),
        );
      }
      return toChange(stored, writes, changesById);
    },
    async undoWrites(ids) {
      const found = (await store.findByMessages(ids)).filter(({ source }) => source === "ai");
      if (found.length === 0) return toChange([], [], new Map());
      const removedById = new Map(found.map((one) => [one.id, one]));
      const predecessors = (await store.listReplaced([...removedById.keys()])).filter(({ id }) => !removedById.has(id));
      const changesById = new Map<string, ChangeEvent>(found.map(({ id }) => [id, { action: "deleted" }]));
      const writes: Write[] = [
        ...(await index.deleteWrites([...removedById.keys()])),
        ...store.deleteWrites([...removedById.keys()]),
      ];
      const findSuccessor = ({ replaced_by }: Memory): string | null => {
        const next = replaced_by === null ? undefined : removedById.get(replaced_by);
        return next ? findSuccessor(next) : replaced_by;
      };
      const direct = predecessors.filter(({ replaced_by }) => replaced_by !== null && removedById.has(replaced_by));
      const restoredByFact = new Map<string, Memory>();
      for (const one of direct.toSorted((a, b) => (a.said_at < b.said_at ? 1 : -1))) {
        // Of several memories of one fact, the latest becomes current again.
        const successorId =
          findSuccessor(one) ?? (one.fact === null ? null : (restoredByFact.get(one.fact)?.id ?? null));
        const next = { ...one, replaced_by: successorId, replaced_at: successorId === null ? null : one.replaced_at };
        const written = { ...next, updated_at: toNow(clock), revision: one.revision + 1 };
        if (successorId === null && one.fact !== null) restoredByFact.set(one.fact, one);
        // A concurrent change takes precedence, and the other writes do not depend on this one.
        writes.push({ query: store.replaceWrite(one, written).query });
        if (successorId === null) writes.push(...(await index.putWrites(written, await store.listReplaced([one.id]))));
        changesById.set(one.id, { action: "updated", revision: written.revision });
      }
      return toChange([], writes, changesById);
    },
  };
}

interface ChangeEvent {
  readonly action: "created" | "updated" | "deleted";
  readonly revision?: number;
}

const toNow = (clock: Clock) => new Date(clock.now()).toISOString();

/** Raises the importance of a memory that is repeated. */
const raiseImportance = ({ importance }: Memory) => ({
  importance: importance >= MAX_RAISED_IMPORTANCE ? importance : importance + 1,
});

/** Finds the memory with the same statement in these or other words. */
async function findSame(
  store: MemoryStore,
  { content, character_id }: Pick<Memory, "content" | "character_id">,
  addresses: readonly string[],
  facts: readonly string[],
): Promise<Memory | undefined> {
  for (const target_id of addresses.length === 0 ? [null] : addresses) {
    const [equal] = await store.findEqual({ content, character_id, target_id });
    if (equal) return equal;
  }
  const meaning = normalizeMeaning(content);
  return (await store.findByFacts(addresses, character_id, facts)).find(
    (one) => normalizeMeaning(one.content) === meaning,
  );
}
