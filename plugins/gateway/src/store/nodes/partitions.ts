import { fixedStatement, type Write, type WriteResult } from "@parley/core";
import type { Delivery } from "../delivery.ts";
import { createStatement, type StoreDeps } from "../statement.ts";
import type { InboxTable, OutboxTable } from "../tables.ts";

/** Channels whose sessions are partitions. Elsewhere sessions share a connection and rate limit, so a partition. */
const PER_SESSION_CHANNELS: ReadonlySet<string> = new Set(["web", "internal"]);

/**
 * Returns the partition of a session: its channel, or the session itself for the console and tasks. Session ids begin
 * with the channel id, so all messages of a session are in one partition.
 */
export function toPartition(sessionId: string): string {
  const end = sessionId.indexOf(":");
  const channelId = end < 0 ? sessionId : sessionId.slice(0, end);
  return PER_SESSION_CHANNELS.has(channelId) ? sessionId : channelId;
}

/** Returns the partition of a delivery, by the same rule as `toPartition`. */
export function toDeliveryPartition({ channelId, message }: Pick<Delivery, "channelId" | "message">): string {
  return PER_SESSION_CHANNELS.has(channelId) ? toPartition(message.sessionId) : channelId;
}

/** A waiting message that was not in any node's memory. */
export type TakenRow = Pick<
  InboxTable,
  "id" | "position" | "trace_id" | "channel_id" | "session_id" | "message" | "runs" | "received_ms" | "updated_ms"
>;

export interface TakenWork {
  readonly items: readonly TakenRow[];
  /** Open deliveries; one that a gone node may have sent is in state `sending`. */
  readonly deliveries: readonly OutboxTable[];
  /** All partitions that this node owns. */
  readonly partitions: readonly string[];
}

/** Work that the previous owner had in its memory. */
export interface HandedOver {
  readonly items: readonly string[];
  readonly deliveries: readonly string[];
}

export interface PartitionHolder {
  readonly node: string;
  /** Number of partitions that the node owns. */
  readonly partitionCount: number;
  readonly running: number;
}

/** Assigns partitions to nodes. A node owns one until it hands it over, or is gone and another takes it over. */
export interface PartitionStore {
  /** Creates the sequence of positions, starting after all stored rows. */
  prepare(): Promise<void>;
  /** Assigns partitions to open rows that a single-process service stored. */
  assignPartitions(): Promise<void>;
  /** Claims a partition without an owner; returns whether this node owns it now. */
  claim(partition: string): Promise<boolean>;
  /** Takes over the partitions of gone nodes and returns them. */
  takeOver(goneNodes: readonly string[]): Promise<readonly string[]>;
  /** Fetches the open work of this node's partitions that is not in its memory yet, in order. */
  takeWork(): Promise<TakenWork>;
  /** Hands partitions over with all open work, by target node; returns the work that this node had in memory. */
  handOver(moves: ReadonlyMap<string, readonly string[]>): Promise<HandedOver>;
  /** Returns the partitions with their owners; partitions without an owner are left out. */
  ownersOf(partitions: readonly string[]): Promise<readonly { readonly home: string; readonly node: string }[]>;
  /** Returns the ids of all nodes that own partitions. */
  listOwners(): Promise<readonly string[]>;
  /** Returns the number of partitions and running turns of each node that owns partitions. */
  listHolders(): Promise<readonly PartitionHolder[]>;
  /** Returns the trace ids of a session's running turns. */
  listRunning(sessionId: string): Promise<readonly string[]>;
}

const CREATE_SEQUENCE = "create sequence if not exists gateway_positions";
/** Run only by the first node. While others are running, the sequence is ahead of all stored rows. */
const ADVANCE_SEQUENCE = `select setval('gateway_positions', last) from (select greatest(
  (select max(position) from inbox where state in ('waiting', 'running')), (select max(position) from outbox)) as last) as stored
  where last > (select last_value from gateway_positions)`;
export const CLAIM_PARTITION = "insert into gateway_homes (home, node_id) values (?, ?) on conflict (home) do nothing";
const SELECT_OWNER = "select node_id from gateway_homes where home = ?";
const UNASSIGNED_INBOX = `select distinct session_id from inbox where home is null and state in ('waiting', 'running')`;
const UNASSIGNED_OUTBOX = `select id, channel_id, session_id from outbox where home is null
  and state in ('pending', 'sending', 'failed', 'unknown_after_send')`;
const ASSIGN_INBOX = `update inbox set home = ?, state = 'waiting', lease_owner = null, lease_until_ms = null
  where session_id = ? and home is null and state in ('waiting', 'running')`;
const ASSIGN_OUTBOX = "update outbox set home = ? where id = ?";
/** Fetches open rows of owned partitions that no node has in memory; the conditions are those of the indexes. */
const TAKE_INBOX = `update inbox set holder = ? where holder is null and home is not null and state = 'waiting'
  and home in (select home from gateway_homes where node_id = ?)
  returning id, position, trace_id, channel_id, session_id, message, runs, received_ms, updated_ms`;
const TAKE_OUTBOX = `update outbox set holder = ? where holder is null and home is not null
  and state in ('pending', 'sending', 'failed', 'unknown_after_send')
  and home in (select home from gateway_homes where node_id = ?) returning *`;
const SELECT_OWN = "select home from gateway_homes where node_id = ?";
const SELECT_OWNERS = "select distinct node_id as node from gateway_homes";
const COUNT_BY_NODE = "select node_id as node, count(*) as count from gateway_homes group by node_id";
const COUNT_RUNNING_BY_NODE =
  "select holder as node, count(*) as count from inbox where state = 'running' and holder is not null group by holder";
const MAX_BATCH = 1_000;
const SELECT_RUNNING = "select trace_id from inbox where session_id = ? and state = 'running'";

export interface PartitionStoreDeps extends Pick<StoreDeps, "main"> {
  /** Returns the id of this process. */
  readonly node: () => string;
}

export function createPartitionStore({ main, node }: PartitionStoreDeps): PartitionStore {
  return {
    async prepare() {
      await main().write([createStatement(CREATE_SEQUENCE, []), createStatement(ADVANCE_SEQUENCE, [])]);
    },
    async assignPartitions() {
      const sessions = await main().lookup<{ session_id: string }>(fixedStatement(UNASSIGNED_INBOX, []));
      const rows = await main().lookup<{ id: string; channel_id: string; session_id: string }>(
        fixedStatement(UNASSIGNED_OUTBOX, []),
      );
      const assign = (partition: string, then: Write): readonly Write[] => [
        createStatement(CLAIM_PARTITION, [partition, node()]),
        then,
      ];
      await main().write([
        ...sessions.flatMap(({ session_id: id }) =>
          assign(toPartition(id), createStatement(ASSIGN_INBOX, [toPartition(id), id])),
        ),
        ...rows.flatMap(({ id, channel_id: channelId, session_id: sessionId }) => {
          const partition = PER_SESSION_CHANNELS.has(channelId) ? toPartition(sessionId) : channelId;
          return assign(partition, createStatement(ASSIGN_OUTBOX, [partition, id]));
        }),
      ]);
    },
    async claim(partition) {
      await main().write([createStatement(CLAIM_PARTITION, [partition, node()])]);
      const [row] = await main().lookup<{ node_id: string }>(fixedStatement(SELECT_OWNER, [partition]));
      return row?.node_id === node();
    },
    async takeOver(goneNodes) {
      if (goneNodes.length === 0) return [];
      const marks = goneNodes.map(() => "?").join(", ");
      const [partitions] = await main().write([
        createStatement(`update gateway_homes set node_id = ? where node_id in (${marks}) returning home`, [
          node(),
          ...goneNodes,
        ]),
        createStatement(
          `update inbox set holder = null, state = 'waiting', lease_owner = null, lease_until_ms = null
            where state in ('waiting', 'running') and holder in (${marks})`,
          goneNodes,
        ),
        createStatement(
          `update outbox set holder = null where state in ('pending', 'sending', 'failed', 'unknown_after_send')
            and holder in (${marks})`,
          goneNodes,
        ),
      ]);
      return ((partitions?.rows ?? []) as readonly { home: string }[]).map(({ home }) => home);
    },
    async takeWork() {
      const [partitions, items, deliveries] = await main().write([
        createStatement(SELECT_OWN, [node()]),
        createStatement(TAKE_INBOX, [node(), node()]),
        createStatement(TAKE_OUTBOX, [node(), node()]),
      ]);
      return {
        partitions: ((partitions?.rows ?? []) as readonly { home: string }[]).map(({ home }) => home),
        items: sortByPosition((items?.rows ?? []) as TakenRow[]),
        deliveries: sortByPosition((deliveries?.rows ?? []) as OutboxTable[]),
      };
    },
    handOver: (moves) => handOver(main, node(), moves),
    async ownersOf(partitions) {
      if (partitions.length === 0) return [];
      const which = `select home, node_id as node from gateway_homes where home in (${partitions.map(() => "?").join(", ")})`;
      return main().lookup<{ home: string; node: string }>(fixedStatement(`${which} order by home`, [...partitions]));
    },
    async listOwners() {
      return (await main().lookup<{ node: string }>(fixedStatement(SELECT_OWNERS, []))).map(({ node }) => node);
    },
    listHolders: () => listHolders(main),
    async listRunning(sessionId) {
      const rows = await main().lookup<{ trace_id: string }>(fixedStatement(SELECT_RUNNING, [sessionId]));
      return rows.map(({ trace_id }) => trace_id);
    },
  };
}

async function handOver(
  main: PartitionStoreDeps["main"],
  own: string,
  moves: ReadonlyMap<string, readonly string[]>,
): Promise<HandedOver> {
  const handedOver = { items: [] as string[], deliveries: [] as string[] };
  for (const [to, all] of moves) {
    for (let at = 0; at < all.length; at += MAX_BATCH) {
      const partitions = all.slice(at, at + MAX_BATCH);
      const marks = partitions.map(() => "?").join(", ");
      const [, items, deliveries] = await main().write([
        createStatement(`update gateway_homes set node_id = ? where node_id = ? and home in (${marks})`, [
          to,
          own,
          ...partitions,
        ]),
        createStatement(
          `update inbox set holder = null, state = 'waiting', lease_owner = null, lease_until_ms = null
            where state in ('waiting', 'running') and holder = ? and home in (${marks}) returning id`,
          [own, ...partitions],
        ),
        createStatement(
          `update outbox set holder = null where state in ('pending', 'sending', 'failed', 'unknown_after_send')
            and holder = ? and home in (${marks}) returning id`,
          [own, ...partitions],
        ),
      ]);
      handedOver.items.push(...toIds(items));
      handedOver.deliveries.push(...toIds(deliveries));
    }
  }
  return handedOver;
}

function toIds(result: WriteResult | undefined): readonly string[] {
  return ((result?.rows ?? []) as readonly { id: string }[]).map(({ id }) => id);
}

async function listHolders(main: PartitionStoreDeps["main"]): Promise<readonly PartitionHolder[]> {
  type Count = { readonly node: string; readonly count: number | string };
  const countByNode = (text: string) => main().lookup<Count>(fixedStatement(text, []));
  const [partitions, running] = await Promise.all([countByNode(COUNT_BY_NODE), countByNode(COUNT_RUNNING_BY_NODE)]);
  const getCount = (counts: readonly Count[], node: string) =>
    Number(counts.find((one) => one.node === node)?.count ?? 0);
  const nodes = new Set([...partitions, ...running].map(({ node }) => node));
  const toHolder = (node: string) => ({ partitionCount: getCount(partitions, node), running: getCount(running, node) });
  return [...nodes].map((node) => ({ node, ...toHolder(node) }));
}

function sortByPosition<Row extends { readonly position: number }>(rows: Row[]): readonly Row[] {
  return rows.sort((a, b) => Number(a.position) - Number(b.position));
}
