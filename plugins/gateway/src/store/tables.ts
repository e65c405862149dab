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
export type DeliveryState =
  | "pending"
  | "sending"
  | "unknown_after_send"
  | "failed"
  | "delivered"
  | "dead"
  | "expired"
  | "cancelled";

/** An accepted message or event. */
export interface InboxTable {
  readonly id: string;
  /** Increases in the order of acceptance. */
  readonly position: number;
  readonly trace_id: string;
  readonly channel_id: string;
  readonly session_id: string;
  readonly state: InboxState;
  readonly cause: string | null;
  /** Time at which a person dismissed a dead letter. */
  readonly reviewed_ms: number | null;
  /** The `InboundMessage` as JSON. */
  readonly message: string;
  /** Number of runs, which is also the fencing number of the current run. */
  readonly runs: number;
  readonly lease_owner: string | null;
  readonly lease_until_ms: number | null;
  /** Outcome of the turn (`StoredOutcome`) as JSON. */
  readonly outcome: string | null;
  readonly received_ms: number;
  readonly updated_ms: number;
  /** The message's partition, when several nodes share the database. */
  readonly home: string | null;
  /** Id of the node that has the message in memory; null when none has. */
  readonly holder: string | null;
}

export interface DedupeTable {
  readonly key: string;
  readonly inbox_id: string;
  readonly trace_id: string;
  readonly first_ms: number;
  readonly hits: number;
}

/** The draft of an expensive reply, stored until its turn ends so that a repeated turn does not generate it again. */
export interface DraftTable {
  readonly trace_id: string;
  /** Phase after which the draft was stored. */
  readonly phase: string;
  /** The `StoredDraft` as JSON. */
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

/** A delivery: one call to a platform. */
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
  /** Error of the platform, with secrets masked. */
  readonly error: string | null;
  /** The error with the key and parameters of its text (`ItemFailure`) as JSON. */
  readonly error_detail: string | null;
  readonly reviewed_ms: number | null;
  /** The `OutboundMessage` as JSON. */
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
  /** Later part of an answer: sender whose next message stops it, "" for everybody; null for others, and once settled. */
  readonly stopped_by: string | null;
  /** Id of the stored answer, and the offset in its text at which the part begins. */
  readonly answer_id: string | null;
  readonly answer_from: number | null;
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
  /** Names of the capabilities as JSON. */
  readonly capabilities: string;
  readonly metadata: string;
  readonly registered_by: string;
  readonly registered_ms: number;
  readonly heartbeat_ms: number;
}

/** A conversation whose platform id has changed. */
export interface AliasTable {
  readonly channel_id: string;
  readonly old_id: string;
  readonly new_id: string;
  readonly session_id: string;
  readonly created_ms: number;
}

/** Recorded results of external calls in a turn, for a replay. */
export interface TurnRecordTable {
  readonly trace_id: string;
  /** The recording as JSON; null when the turn cannot be replayed. */
  readonly record: string | null;
  /** The reason why the turn cannot be replayed. */
  readonly note: string | null;
}

/** Owners of partitions, when several nodes share the database. */
export interface PartitionTable {
  readonly home: string;
  readonly node_id: string;
}

/** Counts of a process in one minute. */
export interface MinuteTable {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly node_id: string;
  readonly messages_in: number;
  readonly answers_out: number;
  readonly given_up: number;
  /** Durations of acknowledgements (`DurationHistogram`) as JSON. */
  readonly acks: string;
  /** Durations of turns (`DurationHistogram`) as JSON. */
  readonly turns: string;
}

/** An element of a sent message that people can press. */
export interface ElementTable {
  readonly id: string;
  /** The id that its author gave it. */
  readonly name: string;
  readonly trace_id: string;
  /** Id of the stored message; null for a message that is not stored. */
  readonly message_id: string | null;
  readonly session_id: string;
  /** The items as JSON. */
  readonly items: string;
  readonly handler: string | null;
  /** Data for the handler, and the senders who may press, as JSON. */
  readonly data: string | null;
  readonly allowed: string | null;
  /** Number of the first item in the text; 0 when the platform shows the element. */
  readonly first_number: number;
  readonly created_ms: number;
  readonly expires_ms: number;
  /** The press: item, address of the person, and time. */
  readonly pressed_item: string | null;
  readonly pressed_by: string | null;
  readonly pressed_ms: number | null;
}

/** Tables needed for delivery, in the main database. */
export interface MainTables {
  readonly inbox: InboxTable;
  readonly dedupe: DedupeTable;
  readonly turn_draft: DraftTable;
  readonly tool_ledger: LedgerTable;
  readonly outbox: OutboxTable;
  readonly gateway_elements: ElementTable;
  readonly gateway_nodes: NodeTable;
  readonly alias: AliasTable;
  readonly gateway_homes: PartitionTable;
  readonly gateway_minutes: MinuteTable;
}

/** Tables of the log, which are written asynchronously. */
export interface HistoryTables {
  readonly gateway_logs: LogTable;
  readonly turn_record: TurnRecordTable;
}
