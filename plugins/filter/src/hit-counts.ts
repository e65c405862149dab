import type { Clock, Database, Migration } from "@parley/core";

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

export function createHitCounts(database: () => Database, clock: Clock): HitCounts {
  const counts = new Map<string, Hits>();
  const changed = new Set<string>();
  const tables = () => database().tables<HitTables>();
  return {
    add(ruleIds) {
      for (const id of ruleIds) {
        counts.set(id, { hits: (counts.get(id)?.hits ?? 0) + 1, last_hit_at: new Date(clock.now()).toISOString() });
        changed.add(id);
      }
    },
    all: () => counts,
    forget(ruleId) {
      if (counts.delete(ruleId)) changed.add(ruleId);
    },
    async load() {
      for (const { rule_id, ...hits } of await tables().selectFrom("filter_hits").selectAll().execute()) {
        counts.set(rule_id, hits);
      }
    },
    async store() {
      const ids = [...changed];
      changed.clear();
      const writes = ids.map((rule_id) => {
        const hits = counts.get(rule_id);
        if (!hits) return { query: tables().deleteFrom("filter_hits").where("rule_id", "=", rule_id) };
        const query = tables()
          .insertInto("filter_hits")
          .values({ rule_id, ...hits })
          .onConflict((on) => on.column("rule_id").doUpdateSet(hits));
        return { query };
      });
      if (writes.length === 0) return;
      try {
        await database().write(writes);
      } catch (error) {
        for (const id of ids) changed.add(id);
        throw error;
      }
    },
  };
}
