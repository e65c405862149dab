export type InboxState =
  | "waiting"
  | "running"
  | "done"
  | "ignored"
  | "skipped"
  | "stopped"
  | "expired"
  | "failed"
  | "dead";
export type DeliveryState = "pending" | "sending" | "unknown_after_send" | "failed" | "delivered" | "dead" | "expired";

/** One accepted event. */
export interface InboxTable {
  readonly id: string;
  /** Increases in the order of acceptance. */
  readonly position: number;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly state: InboxState;
  readonly cause: string | null;
  /** Time a person dismissed a dead letter. */
  readonly reviewed_ms: number | null;
  /** The `InboundMessage`, JSON. */
  readonly message: string;
  /** Number of runs; also the fencing number of the current one. */
  readonly runs: number;
  readonly lease_owner: string | null;
  readonly lease_until_ms: number | null;
  /** Outcome of its turn (`StoredOutcome`), JSON. */
  readonly outcome: string | null;
  readonly received_ms: number;
  readonly updated_ms: number;
  /** Partition, with several nodes. */
  readonly home: string | null;
  /** The node that has it in memory; null: none yet. */
  readonly holder: string | null;
}

export interface DedupeTable {
  readonly key: string;
  readonly inbox_id: string;
  readonly trace_id: string;
  readonly first_ms: number;
  readonly hits: number;
}

/** The draft of an expensive reply, stored until its turn is over, so that a repeated turn does not request it again. */
export interface DraftTable {
  readonly trace_id: string;
  /** The phase that produced the draft. */
  readonly phase: string;
  /** JSON. */
  readonly draft: string;
  readonly updated_ms: number;
}

export interface LedgerTable {
  readonly trace_id: string;
  readonly key: string;
  readonly state: "started" | "done";
  readonly result: string | null;
  readonly started_ms: number;
}

/** One platform call. */
export interface OutboxTable {
  readonly id: string;
  /** Increases in the order of creation. */
  readonly position: number;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly conversation_id: string;
  readonly state: DeliveryState;
  readonly cause: string | null;
  /** Error of the platform, masked. */
  readonly error: string | null;
  /** The error with the key and parameters of its text (`ItemFailure`), JSON. */
  readonly error_detail: string | null;
  readonly reviewed_ms: number | null;
  /** The `OutboundMessage`, JSON. */
  readonly message: string;
  readonly attempts: number;
  readonly throttles: number;
  readonly next_ms: number;
  readonly expires_ms: number | null;
  readonly platform_message_id: string | null;
  readonly quality: string | null;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly home: string | null;
  readonly holder: string | null;
}

export interface LogTable {
  readonly id: string;
  readonly trace_id: string;
  readonly source: string;
  readonly type: string;
  readonly level: string;
  readonly stage: string;
  readonly action: string;
  readonly status: string;
  readonly message: string;
  readonly channel_id: string | null;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly message_id: string | null;
  readonly tool_name: string | null;
  readonly delivery_id: string | null;
  readonly queue_item_id: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly metadata: string;
  readonly created_at: string;
}

/** A process of the service, or one that an operator's tool registered. */
export interface NodeTable {
  readonly node_id: string;
  readonly node_type: string;
  readonly status: string;
  readonly version: string;
  readonly address: string;
  readonly current_load: number;
  /** JSON. */
  readonly capabilities: string;
  readonly metadata: string;
  readonly registered_by: string;
  readonly registered_ms: number;
  readonly heartbeat_ms: number;
}

/** A conversation that a platform gave another id. */
export interface AliasTable {
  readonly channel_id: string;
  readonly old_id: string;
  readonly new_id: string;
  readonly session_id: string;
  readonly created_ms: number;
}

/** Recorded external results of a turn, for a replay. */
export interface TurnRecordTable {
  readonly trace_id: string;
  /** JSON; null when it cannot be replayed. */
  readonly record: string | null;
  /** The reason why it cannot be replayed. */
  readonly note: string | null;
}

/** Owners of partitions, with several nodes. */
export interface PartitionTable {
  readonly home: string;
  readonly node_id: string;
}

/** Counts of a node in one minute, with several nodes. */
export interface MinuteTable {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly node_id: string;
  readonly messages_in: number;
  readonly answers_out: number;
  readonly given_up: number;
  /** Durations of acknowledgements (`MinuteTimes`), JSON. */
  readonly acks: string;
  /** Durations of turns (`MinuteTimes`), JSON. */
  readonly turns: string;
}

/** Tables needed for delivery, in the main database. */
export interface MainTables {
  readonly inbox: InboxTable;
  readonly dedupe: DedupeTable;
  readonly turn_draft: DraftTable;
  readonly tool_ledger: LedgerTable;
  readonly outbox: OutboxTable;
  readonly gateway_nodes: NodeTable;
  readonly alias: AliasTable;
  readonly gateway_homes: PartitionTable;
  readonly gateway_minutes: MinuteTable;
}

/** Log tables in `gateway.db`, written asynchronously. */
export interface HistoryTables {
  readonly gateway_logs: LogTable;
  readonly turn_record: TurnRecordTable;
}
