import { AppError, type Clock, type Database, type Migration, notFound } from "@parley/core";

const OFFLINE_AFTER_MS = 120_000;
const LOCAL = "local";

interface NodeTable {
  readonly node_id: string;
  readonly node_type: string;
  readonly version: string;
  readonly address: string;
  readonly capabilities: string;
  readonly metadata: string;
  readonly registered_by: string;
  readonly registered_ms: number;
  readonly heartbeat_ms: number;
}

interface NodeTables {
  readonly gateway_nodes: NodeTable;
}

export const NODE_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-nodes",
    async up(db) {
      await db.schema
        .createTable("gateway_nodes")
        .addColumn("node_id", "text", (column) => column.primaryKey())
        .addColumn("node_type", "text", (column) => column.notNull())
        .addColumn("version", "text", (column) => column.notNull())
        .addColumn("address", "text", (column) => column.notNull())
        .addColumn("capabilities", "text", (column) => column.notNull())
        .addColumn("metadata", "text", (column) => column.notNull())
        .addColumn("registered_by", "text", (column) => column.notNull())
        .addColumn("registered_ms", "integer", (column) => column.notNull())
        .addColumn("heartbeat_ms", "integer", (column) => column.notNull())
        .execute();
    },
  },
];

export interface NodeDraft {
  readonly node_id: string;
  readonly node_type: string;
  readonly version: string;
  readonly address: string;
  readonly capabilities: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ShownNode extends NodeDraft {
  readonly status: "online" | "busy" | "idle" | "offline" | "draining";
  readonly current_load: number;
  readonly last_heartbeat: string;
  readonly registered_at: string;
}

/** This process and what has registered itself. */
export interface Nodes {
  list(): Promise<readonly ShownNode[]>;
  get(id: string): Promise<ShownNode>;
  /** A known id is changed only by who registered it; registering is also the sign of life. */
  register(draft: NodeDraft, caller: string): Promise<{ readonly node_id: string; readonly created: boolean }>;
}

export interface NodesParts {
  readonly database: () => Database;
  readonly clock: Clock;
  readonly version: string;
  readonly startedMs: number;
  /** 0 to 1. */
  readonly load: () => number;
}

export function createNodes({ database, clock, version, startedMs, load }: NodesParts): Nodes {
  const tables = () => database().tables<NodeTables>();
  const local = (): ShownNode => ({
    node_id: LOCAL,
    node_type: "gateway",
    version,
    address: "",
    capabilities: [],
    metadata: {},
    status: load() > 0 ? "busy" : "online",
    current_load: load(),
    last_heartbeat: new Date(clock.now()).toISOString(),
    registered_at: new Date(startedMs).toISOString(),
  });
  const shown = (row: NodeTable): ShownNode => ({
    node_id: row.node_id,
    node_type: row.node_type,
    version: row.version,
    address: row.address,
    capabilities: JSON.parse(row.capabilities),
    metadata: JSON.parse(row.metadata),
    status: clock.now() - row.heartbeat_ms > OFFLINE_AFTER_MS ? "offline" : "online",
    current_load: 0,
    last_heartbeat: new Date(row.heartbeat_ms).toISOString(),
    registered_at: new Date(row.registered_ms).toISOString(),
  });
  const find = (id: string) =>
    tables().selectFrom("gateway_nodes").selectAll().where("node_id", "=", id).executeTakeFirst();
  return {
    async list() {
      const rows = await tables().selectFrom("gateway_nodes").selectAll().orderBy("node_id").execute();
      return [local(), ...rows.map(shown)];
    },
    async get(id) {
      if (id === LOCAL) return local();
      const row = await find(id);
      if (!row) throw notFound("node", id);
      return shown(row);
    },
    async register({ capabilities, metadata, ...draft }, caller) {
      if (draft.node_id === LOCAL) throw new AppError("conflict", `node_id: '${LOCAL}' is this service itself`);
      const known = await find(draft.node_id);
      if (known && known.registered_by !== caller) {
        throw new AppError("conflict", `node '${draft.node_id}' was registered by another caller`);
      }
      const now = clock.now();
      const fields = {
        ...draft,
        capabilities: JSON.stringify(capabilities),
        metadata: JSON.stringify(metadata),
        heartbeat_ms: now,
      };
      const query = known
        ? tables().updateTable("gateway_nodes").set(fields).where("node_id", "=", draft.node_id)
        : tables()
            .insertInto("gateway_nodes")
            .values({ ...fields, registered_by: caller, registered_ms: now });
      await database().write([{ query, expect: 1 }]);
      return { node_id: draft.node_id, created: !known };
    },
  };
}
