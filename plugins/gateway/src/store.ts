import { type Clock, type Database, newId } from "@parley/core";
import { type AliasStore, createAliasStore } from "./store/aliases.ts";
import { createDeadLetterStore, type DeadLetterStore } from "./store/dead-letters.ts";
import { eraseSession } from "./store/erasing.ts";
import { createHistoryStore, type HistoryStore } from "./store/history.ts";
import { createHomeStore, type HomeStore } from "./store/homes.ts";
import { createInboxStore, type InboxStore } from "./store/inbox.ts";
import { createMessageStore, type MessageStore } from "./store/messages.ts";
import { createMinuteStore, type MinuteStore } from "./store/minutes.ts";
import { createNodeStore, type NodeStore } from "./store/nodes.ts";
import { createOutboxStore, type OutboxStore } from "./store/outbox.ts";
import { prune } from "./store/retention.ts";
import { createPositions } from "./store/statement.ts";
import { createTurnStore, type TurnStore } from "./store/turns.ts";

/** Every table of the gateway: what delivery depends on, in the main database, and the history beside it. */
export interface GatewayStore extends InboxStore, TurnStore, Omit<OutboxStore, "inserts"> {
  readonly aliases: AliasStore;
  readonly nodes: NodeStore;
  readonly deadLetters: DeadLetterStore;
  readonly history: HistoryStore;
  readonly messages: MessageStore;
  /** Which of several nodes works on what; undefined where one process works alone. */
  readonly homes: HomeStore | undefined;
  /** What each process counted in the last hour, also those that have ended. */
  readonly minutes: MinuteStore;
  /** Deletes what is older than kept; gives how many rows went. */
  prune(dedupeTtlMs: number): Promise<number>;
  /** Deletes everything that is known of a session's turns. */
  erase(sessionId: string): Promise<void>;
}

export interface GatewayStoreParts {
  /** The main database. */
  readonly truth: () => Database;
  /** `gateway.db`; undefined where no history is kept. */
  readonly history: () => Database | undefined;
  readonly clock: Clock;
  /** Names this process where several work on the database. */
  readonly node?: (() => string) | undefined;
}

export function createGatewayStore({ truth, history, clock, node }: GatewayStoreParts): GatewayStore {
  const parts = { truth, clock, node, position: createPositions(clock) };
  const { inserts, ...outbox } = createOutboxStore(parts);
  const turns = createTurnStore(parts);
  return {
    ...createInboxStore({ ...parts, deliveries: { inserts }, turns }),
    ...turns,
    ...outbox,
    aliases: createAliasStore(parts),
    nodes: createNodeStore(parts),
    deadLetters: createDeadLetterStore(parts),
    history: createHistoryStore({ truth, history }),
    messages: createMessageStore(parts),
    homes: node && createHomeStore({ truth, node }),
    minutes: createMinuteStore({ truth, node: node ?? aloneSince(clock) }),
    erase: (sessionId) => eraseSession({ truth: truth(), history: history() }, sessionId),
    prune: (dedupeTtlMs) => prune({ truth: truth(), history: history() }, clock, dedupeTtlMs),
  };
}

/** Names a process that works alone; another one after every start. */
function aloneSince(clock: Clock): () => string {
  const id = newId("alone", clock.now());
  return () => id;
}
