import { type Clock, type Databases, fixedStatement, type Migration } from "@parley/core";

/** How often a rule matched, and when last (ISO 8601 UTC). */
export interface Hits {
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

/** Hits per rule, counted in memory and stored now and then. */
export interface HitCounts {
  add(ruleIds: readonly string[]): void;
  all(): ReadonlyMap<string, Hits>;
  forget(ruleId: string): void;
  load(): Promise<void>;
  /** Stores what has changed; cheap when nothing has. */
  store(): Promise<void>;
}

const ADD = `insert into filter_hits (rule_id, hits, last_hit_at) values (?, ?, ?) on conflict (rule_id) do update
  set hits = filter_hits.hits + excluded.hits, last_hit_at = case when filter_hits.last_hit_at > excluded.last_hit_at
  then filter_hits.last_hit_at else excluded.last_hit_at end`;
const FORGET = "delete from filter_hits where rule_id = ?";

/** What others count is added where it is stored, and seen here with the next storing. */
export function createHitCounts(databases: () => Pick<Databases, "main" | "isShared">, clock: Clock): HitCounts {
  const stored = new Map<string, Hits>();
  /** What came since the last time; undefined: the rule is gone. */
  let fresh = new Map<string, Hits | undefined>();
  let storing: ReadonlyMap<string, Hits | undefined> = new Map();
  const added = (one: Hits | undefined, more: Hits): Hits => ({ ...more, hits: (one?.hits ?? 0) + more.hits });
  const load = async () => {
    const { main } = databases();
    const rows = await main.tables<HitTables>().selectFrom("filter_hits").selectAll().execute();
    stored.clear();
    for (const { rule_id, ...hits } of rows) stored.set(rule_id, hits);
  };
  const take = (into: Map<string, Hits>, more: ReadonlyMap<string, Hits | undefined>) => {
    for (const [id, hits] of more) {
      if (hits) into.set(id, added(into.get(id), hits));
      else into.delete(id);
    }
  };
  return {
    load,
    add(ruleIds) {
      const one = { hits: 1, last_hit_at: new Date(clock.now()).toISOString() };
      for (const id of ruleIds) fresh.set(id, added(fresh.get(id), one));
    },
    all() {
      const all = new Map(stored);
      take(all, storing);
      take(all, fresh);
      return all;
    },
    forget: (ruleId) => void fresh.set(ruleId, undefined),
    async store() {
      const mine = fresh;
      storing = mine;
      fresh = new Map();
      const writes = [...mine].map(([id, hits]) => ({
        query: hits ? fixedStatement(ADD, [id, hits.hits, hits.last_hit_at]) : fixedStatement(FORGET, [id]),
      }));
      try {
        if (writes.length > 0) await databases().main.write(writes);
        take(stored, mine);
      } catch (error) {
        for (const [id, hits] of fresh) mine.set(id, hits && added(mine.get(id), hits));
        fresh = mine;
        throw error;
      } finally {
        storing = new Map();
      }
      if (databases().isShared) await load();
    },
  };
}
