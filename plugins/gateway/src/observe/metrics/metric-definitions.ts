import type { Metric } from "@parley/core";

const REVIEW_ADVICE = "Console → Gateway: look at what was given up, and try it again or put it aside.";

/** Metrics of the gateway. */
export const WAITING: Metric = {
  name: "parley_inbox_waiting",
  help: "Messages that wait for their turn.",
  kind: "gauge",
};
export const OLDEST: Metric = {
  name: "parley_inbox_oldest_seconds",
  help: "Age of the message that waits longest.",
  kind: "gauge",
  alerts: [
    {
      name: "MessagesWait",
      severity: "critical",
      above: 300,
      forMinutes: 2,
      says: "A message has waited for its turn for more than 5 minutes.",
      advice: "Console → Gateway: see whether the worker runs and what the turns under way wait for.",
    },
  ],
};
export const RUNNING: Metric = { name: "parley_turns_running", help: "Turns under way.", kind: "gauge" };
export const TURNS: Metric = { name: "parley_turns_total", help: "Turns begun since the start.", kind: "counter" };
export const CONCURRENCY_LIMIT: Metric = {
  name: "parley_turns_places",
  help: "Turns that may run at once.",
  kind: "gauge",
};
export const WORKER: Metric = {
  name: "parley_worker_running",
  help: "1: messages of channels are worked on.",
  kind: "gauge",
  alerts: [
    {
      name: "WorkerStopped",
      severity: "warning",
      below: 1,
      forMinutes: 10,
      says: "Messages of channels are stored and not worked on.",
      advice: "Console → Gateway: start the worker.",
    },
  ],
};
export const DUPLICATES: Metric = {
  name: "parley_duplicates_total",
  help: "Copies of messages recognised since the start.",
  kind: "counter",
};
export const DELIVERIES_WAITING: Metric = {
  name: "parley_deliveries_waiting",
  help: "Deliveries under way or waiting.",
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
      says: "It is not known of an answer whether it arrived.",
      advice: REVIEW_ADVICE,
    },
  ],
};
export const DROPPED: Metric = {
  name: "parley_dropped_total",
  help: "What was given up since the start.",
  kind: "counter",
  labels: ["reason"],
  alerts: [
    {
      name: "MessagesGivenUp",
      severity: "warning",
      growthMinutes: 15,
      above: 0,
      says: "Messages or answers were given up.",
      advice: REVIEW_ADVICE,
    },
    {
      name: "DeliveriesUnknown",
      severity: "warning",
      labels: { reason: "outcome_unknown" },
      growthMinutes: 15,
      above: 0,
      says: "Answers were given up of which it is not known whether they arrived.",
      advice: REVIEW_ADVICE,
    },
  ],
};
export const HISTORY_ROWS: Metric = {
  name: "parley_history_rows_total",
  help: "Rows of history since the start.",
  kind: "counter",
};
export const HISTORY_DROPPED: Metric = {
  name: "parley_history_dropped_total",
  help: "Rows of history and recordings of turns left out under load.",
  kind: "counter",
  alerts: [
    {
      name: "HistoryLeftOut",
      severity: "warning",
      growthMinutes: 15,
      above: 0,
      says: "Rows of history were left out: there is more to write than the disk takes.",
      advice: "Look at the disk of the data folder; [gateway] storage_enabled = false does without history.",
    },
  ],
};
export const ACK_DURATIONS: Metric = {
  name: "parley_ack_seconds",
  help: "From receipt to the stored message.",
  kind: "histogram",
  alerts: [
    {
      name: "MessagesStoredLate",
      severity: "warning",
      quantile: 0.99,
      above: 1,
      forMinutes: 10,
      says: "One message in a hundred takes more than a second to be stored.",
      advice: "Look at the disk of the data folder, or at the database server and the way to it.",
    },
  ],
};
export const TURN_DURATIONS: Metric = {
  name: "parley_turn_seconds",
  help: "From the beginning of a turn to its stored end.",
  kind: "histogram",
  alerts: [
    {
      name: "AnswersTakeLong",
      severity: "warning",
      quantile: 0.9,
      above: 120,
      forMinutes: 10,
      says: "One message in ten is answered after more than two minutes.",
      advice: "Console → Models: look at how long the models take; Console → Gateway: at what is being answered.",
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
