import { fixedStatement, type Write, type WriteResult } from "@parley/core";
import type { InboxTable, OutboxTable } from "../tables.ts";
import type { Delivery } from "./outbox.ts";
import { type StoreParts, statement } from "./statement.ts";

/** Conversations of these are each for itself; of every other channel all belong together, as its link and its pace do. */
const APART: ReadonlySet<string> = new Set(["web", "internal"]);

/**
 * What one node works on alone: a channel, or a conversation of the console. Session ids begin with their channel's id, and
 * all messages of one session have one home.
 */
export function homeOf(sessionId: string): string {
  const end = sessionId.indexOf(":");
  const channelId = end < 0 ? sessionId : sessionId.slice(0, end);
  return APART.has(channelId) ? sessionId : channelId;
}

/** Where a delivery is sent: beside what else goes out on its channel. */
export function homeOfDelivery({ channelId, message }: Pick<Delivery, "channelId" | "message">): string {
  return APART.has(channelId) ? homeOf(message.sessionId) : channelId;
}

/** A message that waits and was in the memory of no node. */
export type TakenItem = Pick<
  InboxTable,
  "id" | "position" | "trace_id" | "channel_id" | "session_id" | "message" | "runs" | "received_ms" | "updated_ms"
>;

export interface Taken {
  readonly items: readonly TakenItem[];
  /** Those that may have been sent by a node that is gone are `sending`. */
  readonly deliveries: readonly OutboxTable[];
  /** All homes of this node. */
  readonly homes: readonly string[];
}

/** What was in the memory of the node that gave it away. */
export interface Given {
  readonly items: readonly string[];
  readonly deliveries: readonly string[];
}

export interface Holder {
  readonly node: string;
  /** How many. */
  readonly homes: number;
  readonly running: number;
}

/** Which node works on what. It stays with a node until that gives it away, or is gone: then whoever comes first takes it over. */
export interface HomeStore {
  /** Makes the counter of the order, behind all that is stored. */
  prepare(): Promise<void>;
  /** Gives a home to what is open and was stored by a service that worked alone. */
  settle(): Promise<void>;
  /** Where nobody has it, this node has it from now on; gives whether it has. */
  claim(home: string): Promise<boolean>;
  /** Takes what nodes had that are gone; gives the homes. */
  takeOver(gone: readonly string[]): Promise<readonly string[]>;
  /** What is to be done in the homes of this node and is not in its memory yet, in order. */
  take(): Promise<Taken>;
  /** Gives homes of this node to others, each list to the node before it, with all that is open there. Gives what it held. */
  give(moves: ReadonlyMap<string, readonly string[]>): Promise<Given>;
  /** Which node has which of these homes. */
  nodesOf(homes: readonly string[]): Promise<readonly { readonly home: string; readonly node: string }[]>;
  /** All nodes that have homes. */
  owners(): Promise<readonly string[]>;
  /** All nodes that have homes: how many, and how many turns run there. */
  holders(): Promise<readonly Holder[]>;
  /** Sessions whose turn runs: its trace ids. */
  runningOf(sessionId: string): Promise<readonly string[]>;
}

const SEQUENCE = "create sequence if not exists gateway_positions";
/** Set by the first of them alone: while others are at work it is behind all that is stored. */
const BEHIND_ALL = `select setval('gateway_positions', last) from (select greatest(
  (select max(position) from inbox where state in ('waiting', 'running')), (select max(position) from outbox)) as last) as stored
  where last > (select last_value from gateway_positions)`;
export const CLAIM_HOME = "insert into gateway_homes (home, node_id) values (?, ?) on conflict (home) do nothing";
const NODE_OF = "select node_id from gateway_homes where home = ?";
const HOMELESS_INBOX = `select distinct session_id from inbox where home is null and state in ('waiting', 'running')`;
const HOMELESS_OUTBOX = `select id, channel_id, session_id from outbox where home is null
  and state in ('pending', 'sending', 'failed', 'unknown_after_send')`;
const SETTLE_INBOX = `update inbox set home = ?, state = 'waiting', lease_owner = null, lease_until_ms = null
  where session_id = ? and home is null and state in ('waiting', 'running')`;
const SETTLE_OUTBOX = "update outbox set home = ? where id = ?";
/** Whichever node has the home: what is open there and in nobody's memory. The predicates are those of the indexes. */
const TAKE_INBOX = `update inbox set holder = ? where holder is null and home is not null and state = 'waiting'
  and home in (select home from gateway_homes where node_id = ?)
  returning id, position, trace_id, channel_id, session_id, message, runs, received_ms, updated_ms`;
const TAKE_OUTBOX = `update outbox set holder = ? where holder is null and home is not null
  and state in ('pending', 'sending', 'failed', 'unknown_after_send')
  and home in (select home from gateway_homes where node_id = ?) returning *`;
const OWN = "select home from gateway_homes where node_id = ?";
const OWNERS = "select distinct node_id as node from gateway_homes";
const COUNTS = "select node_id as node, count(*) as count from gateway_homes group by node_id";
const RUNNING =
  "select holder as node, count(*) as count from inbox where state = 'running' and holder is not null group by holder";
const MAX_IN_ONE = 1_000;
const RUNNING_OF = "select trace_id from inbox where session_id = ? and state = 'running'";

export interface HomeParts extends Pick<StoreParts, "truth"> {
  /** Of this process, for as long as it runs. */
  readonly node: () => string;
}

export function createHomeStore({ truth, node }: HomeParts): HomeStore {
  return {
    async prepare() {
      await truth().write([statement(SEQUENCE, []), statement(BEHIND_ALL, [])]);
    },
    async settle() {
      const sessions = await truth().lookup<{ session_id: string }>(fixedStatement(HOMELESS_INBOX, []));
      const rows = await truth().lookup<{ id: string; channel_id: string; session_id: string }>(
        fixedStatement(HOMELESS_OUTBOX, []),
      );
      const settle = (home: string, then: Write): readonly Write[] => [statement(CLAIM_HOME, [home, node()]), then];
      await truth().write([
        ...sessions.flatMap(({ session_id: id }) => settle(homeOf(id), statement(SETTLE_INBOX, [homeOf(id), id]))),
        ...rows.flatMap(({ id, channel_id: channelId, session_id: sessionId }) => {
          const home = APART.has(channelId) ? homeOf(sessionId) : channelId;
          return settle(home, statement(SETTLE_OUTBOX, [home, id]));
        }),
      ]);
    },
    async claim(home) {
      await truth().write([statement(CLAIM_HOME, [home, node()])]);
      const [row] = await truth().lookup<{ node_id: string }>(fixedStatement(NODE_OF, [home]));
      return row?.node_id === node();
    },
    async takeOver(gone) {
      if (gone.length === 0) return [];
      const marks = gone.map(() => "?").join(", ");
      const [homes] = await truth().write([
        statement(`update gateway_homes set node_id = ? where node_id in (${marks}) returning home`, [node(), ...gone]),
        statement(
          `update inbox set holder = null, state = 'waiting', lease_owner = null, lease_until_ms = null
            where state in ('waiting', 'running') and holder in (${marks})`,
          gone,
        ),
        statement(
          `update outbox set holder = null where state in ('pending', 'sending', 'failed', 'unknown_after_send')
            and holder in (${marks})`,
          gone,
        ),
      ]);
      return ((homes?.rows ?? []) as readonly { home: string }[]).map(({ home }) => home);
    },
    async take() {
      const [homes, items, deliveries] = await truth().write([
        statement(OWN, [node()]),
        statement(TAKE_INBOX, [node(), node()]),
        statement(TAKE_OUTBOX, [node(), node()]),
      ]);
      return {
        homes: ((homes?.rows ?? []) as readonly { home: string }[]).map(({ home }) => home),
        items: inOrder((items?.rows ?? []) as TakenItem[]),
        deliveries: inOrder((deliveries?.rows ?? []) as OutboxTable[]),
      };
    },
    give: (moves) => give(truth, node(), moves),
    async nodesOf(homes) {
      if (homes.length === 0) return [];
      const which = `select home, node_id as node from gateway_homes where home in (${homes.map(() => "?").join(", ")})`;
      return truth().lookup<{ home: string; node: string }>(fixedStatement(`${which} order by home`, [...homes]));
    },
    async owners() {
      return (await truth().lookup<{ node: string }>(fixedStatement(OWNERS, []))).map(({ node }) => node);
    },
    holders: () => holders(truth),
    async runningOf(sessionId) {
      const rows = await truth().lookup<{ trace_id: string }>(fixedStatement(RUNNING_OF, [sessionId]));
      return rows.map(({ trace_id }) => trace_id);
    },
  };
}

async function give(
  truth: HomeParts["truth"],
  own: string,
  moves: ReadonlyMap<string, readonly string[]>,
): Promise<Given> {
  const given = { items: [] as string[], deliveries: [] as string[] };
  for (const [to, all] of moves) {
    for (let at = 0; at < all.length; at += MAX_IN_ONE) {
      const homes = all.slice(at, at + MAX_IN_ONE);
      const marks = homes.map(() => "?").join(", ");
      const [, items, deliveries] = await truth().write([
        statement(`update gateway_homes set node_id = ? where node_id = ? and home in (${marks})`, [to, own, ...homes]),
        statement(
          `update inbox set holder = null, state = 'waiting', lease_owner = null, lease_until_ms = null
            where state in ('waiting', 'running') and holder = ? and home in (${marks}) returning id`,
          [own, ...homes],
        ),
        statement(
          `update outbox set holder = null where state in ('pending', 'sending', 'failed', 'unknown_after_send')
            and holder = ? and home in (${marks}) returning id`,
          [own, ...homes],
        ),
      ]);
      given.items.push(...idsOf(items));
      given.deliveries.push(...idsOf(deliveries));
    }
  }
  return given;
}

function idsOf(result: WriteResult | undefined): readonly string[] {
  return ((result?.rows ?? []) as readonly { id: string }[]).map(({ id }) => id);
}

async function holders(truth: HomeParts["truth"]): Promise<readonly Holder[]> {
  type Count = { readonly node: string; readonly count: number | string };
  const look = (text: string) => truth().lookup<Count>(fixedStatement(text, []));
  const [homes, running] = await Promise.all([look(COUNTS), look(RUNNING)]);
  const of = (counts: readonly Count[], node: string) => Number(counts.find((one) => one.node === node)?.count ?? 0);
  const nodes = new Set([...homes, ...running].map(({ node }) => node));
  return [...nodes].map((node) => ({ node, homes: of(homes, node), running: of(running, node) }));
}

function inOrder<Row extends { readonly position: number }>(rows: Row[]): readonly Row[] {
  return rows.sort((a, b) => Number(a.position) - Number(b.position));
}
