import type { Metric } from "@parley/core";

const REVIEW_ADVICE = "Console → Gateway: review the dead letters, and retry or discard them.";

/** Metrics of the gateway. */
export const WAITING: Metric = {
  name: "parley_inbox_waiting",
  help: "Messages that wait for their turn.",
  kind: "gauge",
};
export const OLDEST: Metric = {
  name: "parley_inbox_oldest_seconds",
  help: "Age of the oldest waiting message.",
  kind: "gauge",
  alerts: [
    {
      name: "MessagesWait",
      severity: "critical",
      above: 300,
      forMinutes: 2,
      says: "A message has been waiting for its turn for more than 5 minutes.",
      advice: "Console → Gateway: check that the worker runs, and what the running turns wait for.",
    },
  ],
};
export const RUNNING: Metric = { name: "parley_turns_running", help: "Running turns.", kind: "gauge" };
export const TURNS: Metric = {
  name: "parley_turns_total",
  help: "Turns started since the service started.",
  kind: "counter",
};
export const CONCURRENCY_LIMIT: Metric = {
  name: "parley_turns_places",
  help: "Maximum number of concurrent turns.",
  kind: "gauge",
};
export const WORKER: Metric = {
  name: "parley_worker_running",
  help: "1 while messages of channels are processed.",
  kind: "gauge",
  alerts: [
    {
      name: "WorkerStopped",
      severity: "warning",
      below: 1,
      forMinutes: 10,
      says: "Messages of channels are stored but not processed.",
      advice: "Console → Gateway: start the worker.",
    },
  ],
};
export const DUPLICATES: Metric = {
  name: "parley_duplicates_total",
  help: "Duplicate messages recognized since the start.",
  kind: "counter",
};
export const DELIVERIES_WAITING: Metric = {
  name: "parley_deliveries_waiting",
  help: "Deliveries that are running or waiting.",
  kind: "gauge",
};
export const ITEMS: Metric = {
  name: "parley_items",
  help: "Messages by state.",
  kind: "gauge",
  scope: "installation",
  labels: ["state"],
};
export const DELIVERIES: Metric = {
  name: "parley_deliveries",
  help: "Deliveries by state.",
  kind: "gauge",
  scope: "installation",
  labels: ["state"],
  alerts: [
    {
      name: "DeliveriesInDoubt",
      severity: "warning",
      labels: { state: "unknown_after_send" },
      above: 0,
      forMinutes: 15,
      says: "It is unknown whether an answer arrived.",
      advice: REVIEW_ADVICE,
    },
  ],
};
export const DROPPED: Metric = {
  name: "parley_dropped_total",
  help: "Messages and deliveries dropped since the start, by reason.",
  kind: "counter",
  labels: ["reason"],
  alerts: [
    {
      name: "MessagesGivenUp",
      severity: "warning",
      growthMinutes: 15,
      above: 0,
      says: "Messages or answers were dropped.",
      advice: REVIEW_ADVICE,
    },
    {
      name: "DeliveriesUnknown",
      severity: "warning",
      labels: { reason: "outcome_unknown" },
      growthMinutes: 15,
      above: 0,
      says: "Answers were dead-lettered because it is unknown whether they arrived.",
      advice: REVIEW_ADVICE,
    },
  ],
};
export const HISTORY_ROWS: Metric = {
  name: "parley_history_rows_total",
  help: "History rows written since the start.",
  kind: "counter",
};
export const HISTORY_DROPPED: Metric = {
  name: "parley_history_dropped_total",
  help: "History rows and turn recordings dropped: too many were waiting, or their write failed.",
  kind: "counter",
  alerts: [
    {
      name: "HistoryLeftOut",
      severity: "warning",
      growthMinutes: 15,
      above: 0,
      says: "History rows were dropped: the disk cannot keep up with the writes.",
      advice: "Check the disk of the data folder, or turn the history off by [gateway] storage_enabled = false.",
    },
  ],
};
export const ACK_DURATIONS: Metric = {
  name: "parley_ack_seconds",
  help: "Time from receiving a message until it is stored.",
  kind: "histogram",
  alerts: [
    {
      name: "MessagesStoredLate",
      severity: "warning",
      quantile: 0.99,
      above: 1,
      forMinutes: 10,
      says: "One message in a hundred takes more than a second to be stored.",
      advice: "Check the disk of the data folder, or the database server and the connection to it.",
    },
  ],
};
export const TURN_DURATIONS: Metric = {
  name: "parley_turn_seconds",
  help: "Time from the start of a turn until its end is stored.",
  kind: "histogram",
  alerts: [
    {
      name: "AnswersTakeLong",
      severity: "warning",
      quantile: 0.9,
      above: 120,
      forMinutes: 10,
      says: "One message in ten is answered after more than two minutes.",
      advice:
        "Console → Models: check how long the models take. Console → Gateway: check which messages are being answered.",
    },
  ],
};

export const GATEWAY_METRICS: readonly Metric[] = [
  WAITING,
  OLDEST,
  RUNNING,
  TURNS,
  CONCURRENCY_LIMIT,
  WORKER,
  DUPLICATES,
  DELIVERIES_WAITING,
  ITEMS,
  DELIVERIES,
  DROPPED,
  HISTORY_ROWS,
  HISTORY_DROPPED,
  ACK_DURATIONS,
  TURN_DURATIONS,
];
