import { type Clock, notFound } from "@parley/core";
import type { List } from "@parley/core/http";
import type { NodeStore } from "../store/nodes/nodes.ts";
import type { NodeTable } from "../store/tables.ts";
import { gatewayTexts } from "../texts.ts";

export const NODE_TYPES = ["gateway", "worker", "channel"] as const;
export const NODE_STATES = ["online", "busy", "idle", "offline", "draining"] as const;
export type NodeType = (typeof NODE_TYPES)[number];
export type NodeState = (typeof NODE_STATES)[number];

const OFFLINE_AFTER_MS = 120_000;

export interface NodeRecord {
  readonly node_id: string;
  readonly node_type: NodeType;
  readonly status: NodeState;
  readonly version: string;
  /** Address for display; it is never called. */
  readonly address: string;
  readonly current_load: number;
  readonly capabilities: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly last_heartbeat: string;
  readonly registered_at: string;
  readonly registered_by: string;
}

export interface NewNode {
  readonly node_id: string;
  readonly node_type: NodeType;
  readonly version?: string;
  readonly address?: string;
  readonly capabilities?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The registered nodes. A node without a heartbeat for 120 s counts as offline, and is removed after 7 days. */
export interface NodeRegistry {
  /** Creates or renews a node. Rejects with `permission_denied` when the node was registered by someone else. */
  register(node: NewNode, by: string): Promise<{ readonly node_id: string; readonly created: boolean }>;
  heartbeat(nodeId: string, status: NodeState, load: number): Promise<void>;
  list(query?: { readonly node_type?: NodeType; readonly status?: NodeState }): Promise<List<NodeRecord>>;
  get(nodeId: string): Promise<NodeRecord>;
}

export function createNodeRegistry(store: NodeStore, clock: Clock): NodeRegistry {
  const toRecord = (row: NodeTable): NodeRecord => {
    const { registered_ms, heartbeat_ms, capabilities, metadata, node_type, status, ...rest } = row;
    const isOffline = clock.now() - Number(heartbeat_ms) > OFFLINE_AFTER_MS;
    return {
      ...rest,
      node_type: node_type as NodeType,
      status: isOffline ? "offline" : (status as NodeState),
      capabilities: JSON.parse(capabilities),
      metadata: JSON.parse(metadata),
      last_heartbeat: new Date(Number(heartbeat_ms)).toISOString(),
      registered_at: new Date(Number(registered_ms)).toISOString(),
    };
  };
  return {
    async register({ node_id, node_type, version = "", address = "", capabilities = [], metadata = {} }, by) {
      const old = await store.find(node_id);
      if (old && old.registered_by !== by) {
        throw gatewayTexts.error("permission_denied", "of_somebody", { id: node_id });
      }
      const now = clock.now();
      await store.put({
        node_id,
        node_type,
        status: "online",
        version,
        address,
        current_load: 0,
        capabilities: JSON.stringify(capabilities),
        metadata: JSON.stringify(metadata),
        heartbeat_ms: now,
        registered_by: by,
        registered_ms: now,
      });
      return { node_id, created: old === undefined };
    },
    heartbeat: (nodeId, status, load) => store.heartbeat(nodeId, status, load, clock.now()),
    async list({ node_type, status } = {}) {
      const all = (await store.list(node_type)).map(toRecord);
      const items = status === undefined ? all : all.filter((node) => node.status === status);
      return { items, total: items.length, limit: items.length, offset: 0 };
    },
    async get(nodeId) {
      const row = await store.find(nodeId);
      if (!row) throw notFound("node", nodeId);
      return toRecord(row);
    },
  };
}
