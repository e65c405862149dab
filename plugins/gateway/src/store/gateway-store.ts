import { type Clock, type Database, newId } from "@parley/core";
import { type AliasStore, createAliasStore } from "./aliases.ts";
import { createDeadLetterStore, type DeadLetterStore } from "./dead-letters.ts";
import { createElementStore, type ElementStore } from "./elements.ts";
import { createHistoryStore, type HistoryStore } from "./history/history.ts";
import { createInboxStore, type InboxStore } from "./inbox.ts";
import { eraseSession } from "./lifecycle/erase-session.ts";
import { prune } from "./lifecycle/retention.ts";
import { createMessageStore, type MessageStore } from "./messages.ts";
import { createMinuteStore, type MinuteStore } from "./nodes/minutes.ts";
import { createNodeStore, type NodeStore } from "./nodes/nodes.ts";
import { createPartitionStore, type PartitionStore } from "./nodes/partitions.ts";
import { createOutboxStore, type OutboxStore } from "./outbox.ts";
import { createPositionCounter } from "./statement.ts";
import { createStoppedPartStore, type StoppedPartStore } from "./stopped-parts.ts";
import { createTurnStore, type TurnStore } from "./turns.ts";

/** All tables of the gateway: those needed for delivery in the main database, and the history. */
export interface GatewayStore extends InboxStore, TurnStore, StoppedPartStore, Omit<OutboxStore, "createInserts"> {
  readonly aliases: AliasStore;
  readonly elements: ElementStore;
  readonly nodes: NodeStore;
  readonly deadLetters: DeadLetterStore;
  readonly history: HistoryStore;
  readonly messages: MessageStore;
  /** Partitions of the cluster; undefined when a single process works on the database. */
  readonly partitions: PartitionStore | undefined;
  /** Minute counts of all processes in the last hour, including processes that have ended. */
  readonly minutes: MinuteStore;
  /** Deletes expired rows and returns their number. */
  prune(dedupeTtlMs: number): Promise<number>;
  /** Deletes all rows about a session's turns. */
  erase(sessionId: string): Promise<void>;
}

export interface GatewayStoreDeps {
  readonly main: () => Database;
  /** Returns the history database `gateway.db`; undefined when the history is disabled. */
  readonly history: () => Database | undefined;
  readonly clock: Clock;
  /** Returns the id of this process; set when several processes share the database. */
  readonly node?: (() => string) | undefined;
}

export function createGatewayStore({ main, history, clock, node }: GatewayStoreDeps): GatewayStore {
  const deps = { main, clock, node, position: createPositionCounter(clock) };
  const { createInserts, ...outbox } = createOutboxStore(deps);
  const turns = createTurnStore(deps);
  return {
    ...createInboxStore({ ...deps, deliveries: { createInserts }, turns }),
    ...turns,
    ...outbox,
    ...createStoppedPartStore(deps),
    aliases: createAliasStore(deps),
    elements: createElementStore(main),
    nodes: createNodeStore(deps),
    deadLetters: createDeadLetterStore(deps),
    history: createHistoryStore({ main, history }),
    messages: createMessageStore(deps),
    partitions: node && createPartitionStore({ main, node }),
    minutes: createMinuteStore({ main, node: node ?? createSingleNodeId(clock) }),
    erase: (sessionId) => eraseSession({ main: main(), history: history() }, sessionId),
    prune: (dedupeTtlMs) => prune({ main: main(), history: history() }, clock, dedupeTtlMs),
  };
}

/** Creates the id of a process that works alone; every start has another id. */
function createSingleNodeId(clock: Clock): () => string {
  const id = newId("alone", clock.now());
  return () => id;
}
