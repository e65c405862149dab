import type { Database, Migration, Signals, Tool, ToolSwitches } from "@parley/core";
import { createChangeReader } from "@parley/core/storage";

interface SwitchTables {
  readonly tool_switches: { readonly name: string; readonly enabled: number };
}

/** Forward only; a released step is never changed. */
export const TOOL_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-tool-switches", "002-session-todos"],
    async up(db) {
      await db.schema
        .createTable("tool_switches")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("enabled", "integer", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("session_todos")
        .addColumn("session_id", "text", (column) => column.primaryKey())
        .addColumn("todos", "text", (column) => column.notNull())
        .execute();
    },
  },
];

const TOPIC = "tool-switches";

/** Switches of tools that cannot be deleted; stored across restarts. */
export interface StoredSwitches extends ToolSwitches {
  load(): Promise<void>;
  /** Follows switches by other processes; returns an unsubscribe function. */
  follow(failed: (error: unknown) => void): () => void;
  set(name: string, enabled: boolean): Promise<void>;
}

export function createSwitches(database: () => Database, signals: () => Signals | undefined): StoredSwitches {
  const enabledByName = new Map<string, boolean>();
  const tables = () => database().tables<SwitchTables>();
  const load = async () => {
    for (const { name, enabled } of await tables().selectFrom("tool_switches").selectAll().execute())
      enabledByName.set(name, enabled !== 0);
  };
  return {
    load,
    follow(failed) {
      const reader = createChangeReader(load, failed);
      const end = signals()?.listen(TOPIC, () => reader.changed(undefined));
      return () => {
        end?.();
        reader.end();
      };
    },
    isOn: ({ name, isOffAtFirst }: Pick<Tool, "name" | "isOffAtFirst">) =>
      enabledByName.get(name) ?? isOffAtFirst !== true,
    async set(name, enabled) {
      const row = { name, enabled: enabled ? 1 : 0 };
      const query = tables()
        .insertInto("tool_switches")
        .values(row)
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ enabled: row.enabled }));
      await database().write([{ query }, ...(signals()?.telling([{ topic: TOPIC, key: name }]) ?? [])]);
      enabledByName.set(name, enabled);
    },
  };
}
