import { type Clock, type Databases, fixedStatement, type Migration } from "@parley/core";

/** Number of hits of a rule, and the time of the last one (ISO 8601 UTC). */
export interface RuleHits {
  readonly hits: number;
  readonly last_hit_at: string;
}

interface HitTables {
  readonly filter_hits: { readonly rule_id: string; readonly hits: number; readonly last_hit_at: string };
}

export const hitMigrations: readonly Migration[] = [
  {
    id: "001-hits",
    async up(db) {
      await db.schema
        .createTable("filter_hits")
        .addColumn("rule_id", "text", (column) => column.primaryKey())
        .addColumn("hits", "integer", (column) => column.notNull())
        .addColumn("last_hit_at", "text", (column) => column.notNull())
        .execute();
    },
  },
];

/** Counts the hits of rules in memory, and stores the counts at intervals. */
export interface HitCounts {
  add(ruleIds: readonly string[]): void;
  all(): ReadonlyMap<string, RuleHits>;
  forget(ruleId: string): void;
  load(): Promise<void>;
  /** Stores changed counts; cheap when nothing has changed. */
  store(): Promise<void>;
}

const ADD = `insert into filter_hits (rule_id, hits, last_hit_at) values (?, ?, ?) on conflict (rule_id) do update
  set hits = filter_hits.hits + excluded.hits, last_hit_at = case when filter_hits.last_hit_at > excluded.last_hit_at
  then filter_hits.last_hit_at else excluded.last_hit_at end`;
const FORGET = "delete from filter_hits where rule_id = ?";

/** Creates the hit counters. Counts of other processes are added up in storage, and included after the next store. */
export function createHitCounts(databases: () => Pick<Databases, "main" | "isShared">, clock: Clock): HitCounts {
  const stored = new Map<string, RuleHits>();
  /** Hits since the last store by rule id; undefined for a deleted rule. */
  let unsaved = new Map<string, RuleHits | undefined>();
  let storing: ReadonlyMap<string, RuleHits | undefined> = new Map();
  const addHits = (one: RuleHits | undefined, more: RuleHits): RuleHits => ({
    ...more,
    hits: (one?.hits ?? 0) + more.hits,
  });
  const load = async () => {
    const { main } = databases();
    const rows = await main.tables<HitTables>().selectFrom("filter_hits").selectAll().execute();
    stored.clear();
    for (const { rule_id, ...hits } of rows) stored.set(rule_id, hits);
  };
  const mergeInto = (into: Map<string, RuleHits>, more: ReadonlyMap<string, RuleHits | undefined>) => {
    for (const [id, hits] of more) {
      if (hits) into.set(id, addHits(into.get(id), hits));
      else into.delete(id);
    }
  };
  return {
    load,
    add(ruleIds) {
      const one = { hits: 1, last_hit_at: new Date(clock.now()).toISOString() };
      for (const id of ruleIds) unsaved.set(id, addHits(unsaved.get(id), one));
    },
    all() {
      const all = new Map(stored);
      mergeInto(all, storing);
      mergeInto(all, unsaved);
      return all;
    },
    forget: (ruleId) => void unsaved.set(ruleId, undefined),
    async store() {
      const batch = unsaved;
      storing = batch;
      unsaved = new Map();
      const writes = [...batch].map(([id, hits]) => ({
        query: hits ? fixedStatement(ADD, [id, hits.hits, hits.last_hit_at]) : fixedStatement(FORGET, [id]),
      }));
      try {
        if (writes.length > 0) await databases().main.write(writes);
        mergeInto(stored, batch);
      } catch (error) {
        for (const [id, hits] of unsaved) batch.set(id, hits && addHits(batch.get(id), hits));
        unsaved = batch;
        throw error;
      } finally {
        storing = new Map();
      }
      if (databases().isShared) await load();
    },
  };
}
