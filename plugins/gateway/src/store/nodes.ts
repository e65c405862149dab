import type { NodeTable } from "../tables.ts";
import { type StoreParts, tablesOf } from "./statement.ts";

/** Processes of the service, and those that a tool registered. */
export interface NodeStore {
  find(nodeId: string): Promise<NodeTable | undefined>;
  list(nodeType?: string): Promise<readonly NodeTable[]>;
  /** Makes it, or changes all but who registered it and when. */
  put(node: NodeTable): Promise<void>;
  /** `conflict` when there is none. */
  beat(nodeId: string, status: string, load: number, atMs: number): Promise<void>;
}

export function createNodeStore({ truth }: Pick<StoreParts, "truth">): NodeStore {
  const nodes = () => tablesOf(truth).selectFrom("gateway_nodes").selectAll();
  return {
    find: (nodeId) => nodes().where("node_id", "=", nodeId).executeTakeFirst(),
    list(nodeType) {
      const rows = nodes().orderBy("node_id");
      return (nodeType === undefined ? rows : rows.where("node_type", "=", nodeType)).execute();
    },
    async put(node) {
      const { node_id: _id, registered_by: _by, registered_ms: _ms, ...changed } = node;
      const query = tablesOf(truth)
        .insertInto("gateway_nodes")
        .values(node)
        .onConflict((conflict) => conflict.column("node_id").doUpdateSet(changed));
      await truth().write([{ query }]);
    },
    async beat(nodeId, status, load, atMs) {
      const query = tablesOf(truth)
        .updateTable("gateway_nodes")
        .set({ status, current_load: load, heartbeat_ms: atMs })
        .where("node_id", "=", nodeId);
      await truth().write([{ query, expect: 1 }]);
    },
  };
}
