import {
  type Clock,
  type LiveEvents,
  type Memory,
  newId,
  type People,
  resourceChanged,
  type Write,
} from "@parley/core";
import type { Finding } from "./local-facts.ts";
import { meaningOf, thingOf } from "./meaning.ts";
import type { NewMemory, OwnMemories } from "./memories.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { contentKey } from "./memory-row.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { MemoryFields } from "./schema.ts";

const MOST_WEIGHT = 9;

export interface RememberParts {
  readonly store: MemoryStore;
  readonly memories: OwnMemories;
  readonly index: MemoryIndex;
  readonly people: () => People | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Of whom something is remembered, and where it comes from. */
export type Source = Pick<MemoryFields, "target_id" | "character_id" | "session_id" | "source" | "said_at"> &
  Pick<NewMemory, "message_id" | "source_turn_id">;

/** What changes; told when it is stored. */
export interface Change {
  readonly kept: readonly Memory[];
  readonly writes: readonly Write[];
  readonly applied: () => void;
}

export interface Remember {
  /** What keeps these findings: what is known is left out, and what is no longer true becomes history of what is. */
  keeping(findings: readonly Finding[], source: Source): Promise<Change>;
  /** What takes back what was found in these messages; what it had taken the place of counts again. */
  withoutMessages(ids: readonly string[]): Promise<Change>;
}

export function createRemember({ store, memories, index, people, events, clock }: RememberParts): Remember {
  const addressesOf = async (address: string | null) =>
    address === null ? [] : ((await people()?.addressesOf(address)) ?? [address]);
  const changeOf = (kept: readonly Memory[], writes: readonly Write[], touched: ReadonlyMap<string, Told>): Change => ({
    kept,
    writes,
    applied() {
      for (const [id, { action, revision }] of touched) events.publish(resourceChanged("memory", id, action, revision));
    },
  });

  return {
    async keeping(findings, source) {
      const addresses = await addressesOf(source.target_id);
      const writes: Write[] = [];
      const kept: Memory[] = [];
      const touched = new Map<string, Told>();
      let room = store.limit - (await store.count());
      for (const finding of findings) {
        const { replaces = [], formerFact = null, ends, ...fields } = finding;
        const draft = { ...source, ...fields, id: newId("mem", clock.now()) };
        const isRepeated = kept.some(({ content }) => contentKey(content) === contentKey(draft.content));
        if (isRepeated) continue;
        const facts = [finding.fact, formerFact].filter((fact) => fact !== null);
        const same = await sameOf(store, draft, addresses, facts);
        if (same) {
          if (source.source !== "ai" || touched.has(same.id)) continue;
          const revision = same.revision + 1;
          writes.push(store.replacing(same, { ...same, ...moreWeight(same), revision, updated_at: nowOf(clock) }));
          touched.set(same.id, { action: "updated", revision });
          continue;
        }
        if (room <= 0) continue;
        const rivals = [
          ...(await store.facts(addresses, source.character_id, facts)),
          ...(await store.among(replaces)).filter(
            ({ target_id, replaced_by }) => replaced_by === null && target_id !== null && addresses.includes(target_id),
          ),
        ]
          .filter(({ id }, at, all) => !touched.has(id) && all.findIndex((one) => one.id === id) === at)
          .filter(({ content }) => ends === undefined || thingOf(content).includes(ends));
        const inBatch = finding.fact !== null && kept.some(({ fact }) => fact === finding.fact);
        if (inBatch) continue;
        // What was said later is what counts, whichever is read first.
        const newer = rivals.find(({ said_at }) => said_at > source.said_at);
        const made = await memories.made({
          ...draft,
          // What ended was not known: it says nothing of what is so now.
          ...(ends !== undefined && rivals.length === 0 && { fact: null }),
          ...(newer && { replaced_by: newer.id, replaced_at: newer.said_at }),
        });
        room -= 1;
        kept.push(made);
        touched.set(made.id, { action: "created", revision: 1 });
        if (newer) {
          writes.push(...(await memories.inserting(made)));
          writes.push(...(await index.putting(newer, [made, ...(await store.history([newer.id]))])));
          continue;
        }
        const earlier = [...rivals, ...(await store.history(rivals.map(({ id }) => id)))];
        for (const old of rivals) {
          writes.push(memories.superseding(old, made));
          touched.set(old.id, { action: "updated", revision: old.revision + 1 });
        }
        writes.push(
          ...(await index.removing(rivals.map(({ id }) => id))),
          ...(await memories.inserting(made, earlier)),
        );
      }
      return changeOf(kept, writes, touched);
    },
    async withoutMessages(ids) {
      const found = (await store.ofMessages(ids)).filter(({ source }) => source === "ai");
      if (found.length === 0) return changeOf([], [], new Map());
      const gone = new Map(found.map((one) => [one.id, one]));
      const before = (await store.history([...gone.keys()])).filter(({ id }) => !gone.has(id));
      const touched = new Map<string, Told>(found.map(({ id }) => [id, { action: "deleted" }]));
      const writes: Write[] = [...(await index.removing([...gone.keys()])), ...store.removing([...gone.keys()])];
      const successor = ({ replaced_by }: Memory): string | null => {
        const next = replaced_by === null ? undefined : gone.get(replaced_by);
        return next ? successor(next) : replaced_by;
      };
      const direct = before.filter(({ replaced_by }) => replaced_by !== null && gone.has(replaced_by));
      const back = new Map<string, Memory>();
      for (const one of direct.toSorted((a, b) => (a.said_at < b.said_at ? 1 : -1))) {
        // Of several with one fact the one that was said last counts again.
        const heir = successor(one) ?? (one.fact === null ? null : (back.get(one.fact)?.id ?? null));
        const next = { ...one, replaced_by: heir, replaced_at: heir === null ? null : one.replaced_at };
        const written = { ...next, updated_at: nowOf(clock), revision: one.revision + 1 };
        if (heir === null && one.fact !== null) back.set(one.fact, one);
        // Who changed it meanwhile knows better; what else is taken back does not wait for that.
        writes.push({ query: store.replacing(one, written).query });
        if (heir === null) writes.push(...(await index.putting(written, await store.history([one.id]))));
        touched.set(one.id, { action: "updated", revision: written.revision });
      }
      return changeOf([], writes, touched);
    },
  };
}

interface Told {
  readonly action: "created" | "updated" | "deleted";
  readonly revision?: number;
}

const nowOf = (clock: Clock) => new Date(clock.now()).toISOString();

/** Raises the importance of a memory that is repeated. */
const moreWeight = ({ importance }: Memory) => ({
  importance: importance >= MOST_WEIGHT ? importance : importance + 1,
});

/** The memory that says the same, in these or in other words. */
async function sameOf(
  store: MemoryStore,
  { content, character_id }: Pick<Memory, "content" | "character_id">,
  addresses: readonly string[],
  facts: readonly string[],
): Promise<Memory | undefined> {
  for (const target_id of addresses.length === 0 ? [null] : addresses) {
    const [equal] = await store.equal({ content, character_id, target_id });
    if (equal) return equal;
  }
  const meaning = meaningOf(content);
  return (await store.facts(addresses, character_id, facts)).find((one) => meaningOf(one.content) === meaning);
}
