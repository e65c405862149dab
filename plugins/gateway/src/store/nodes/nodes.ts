import { getTables, type StoreDeps } from "../statement.ts";
import type { NodeTable } from "../tables.ts";

/** Stores the nodes: processes of the service, and nodes that a tool registered. */
export interface NodeStore {
  find(nodeId: string): Promise<NodeTable | undefined>;
  list(nodeType?: string): Promise<readonly NodeTable[]>;
  /** Creates the node, or updates everything except its owner and registration time. */
  put(node: NodeTable): Promise<void>;
  /** Updates status, load and time of the last heartbeat. Rejects with `conflict` when there is no such node. */
  heartbeat(nodeId: string, status: string, load: number, atMs: number): Promise<void>;
}

export function createNodeStore({ main }: Pick<StoreDeps, "main">): NodeStore {
  const nodes = () => getTables(main).selectFrom("gateway_nodes").selectAll();
  return {
    find: (nodeId) => nodes().where("node_id", "=", nodeId).executeTakeFirst(),
    list(nodeType) {
      const rows = nodes().orderBy("node_id");
      return (nodeType === undefined ? rows : rows.where("node_type", "=", nodeType)).execute();
    },
    async put(node) {
      const { node_id: _id, registered_by: _by, registered_ms: _ms, ...changed } = node;
      const query = getTables(main)
        .insertInto("gateway_nodes")
        .values(node)
        .onConflict((conflict) => conflict.column("node_id").doUpdateSet(changed));
      await main().write([{ query }]);
    },
    async heartbeat(nodeId, status, load, atMs) {
      const query = getTables(main)
        .updateTable("gateway_nodes")
        .set({ status, current_load: load, heartbeat_ms: atMs })
        .where("node_id", "=", nodeId);
      await main().write([{ query, expect: 1 }]);
    },
  };
}
