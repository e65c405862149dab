import type { Check, CheckAtRest, Finding, ReadRows } from "@parley/core";
import type { RunningGateway } from "../gateway.ts";
import type { DeadLetterStore } from "../store/dead-letters.ts";
import { gatewayTexts } from "../texts.ts";
import type { StateCounters } from "./metrics/state-counters.ts";

const PAGE = "/gateway";
const LATE_MS = 60_000;
const STUCK_MS = 10 * 60_000;

export interface GatewayCheckDeps {
  readonly gateway: () => Pick<RunningGateway, "counts">;
  readonly deadLetters: Pick<DeadLetterStore, "page">;
  readonly deliveries: Pick<StateCounters["deliveries"], "counts">;
  readonly rebuildCounters: () => Promise<void>;
}

/** Checks that messages are processed, their waiting time, and dead letters and deliveries with an unknown outcome. */
export function createGatewayCheck({ gateway, deadLetters, deliveries, rebuildCounters }: GatewayCheckDeps): Check {
  return {
    id: "gateway",
    async run() {
      const { waiting, oldestAgeMs = 0, worker } = gateway().counts();
      const { total } = await deadLetters.page({}, { limit: 1, offset: 0 });
      await rebuildCounters();
      const { unknown_after_send: unknown = 0 } = deliveries.counts();
      return [
        ...(worker === "running" ? [] : [createStoppedFinding(waiting)]),
        ...(worker === "running" && oldestAgeMs > LATE_MS
          ? [createBacklogFinding(waiting, Math.round(oldestAgeMs / 60_000))]
          : []),
        ...(unknown > 0 ? [createUnknownOutcomeFinding(unknown)] : []),
        ...(total > 0 ? [createDeadLetterFinding(total)] : []),
      ];
    },
    atRest: OFFLINE_CHECK,
  };
}

function createStoppedFinding(count: number): Finding {
  return {
    key: "gateway.stopped",
    level: "problem",
    said: gatewayTexts.localized("finding_stopped", { count }),
    advice: gatewayTexts.localized("finding_stopped_advice"),
    parameters: { count },
    page: PAGE,
  };
}

function createBacklogFinding(count: number, minutes: number): Finding {
  return {
    key: "gateway.waiting",
    level: minutes * 60_000 > STUCK_MS ? "problem" : "warning",
    said: gatewayTexts.localized("finding_backlog", { count, minutes }),
    advice: gatewayTexts.localized("finding_backlog_advice"),
    parameters: { count, minutes },
    page: PAGE,
  };
}

function createUnknownOutcomeFinding(count: number): Finding {
  return {
    key: "gateway.in_doubt",
    level: "warning",
    said: gatewayTexts.localized("finding_unknown", { count }),
    advice: gatewayTexts.localized("finding_unknown_advice"),
    parameters: { count },
    page: PAGE,
  };
}

function createDeadLetterFinding(count: number): Finding {
  return {
    key: "gateway.given_up",
    level: "warning",
    said: gatewayTexts.localized("finding_dead", { count }),
    advice: gatewayTexts.localized("finding_dead_advice"),
    parameters: { count },
    page: PAGE,
  };
}

interface Count {
  readonly count: number;
  readonly first_ms: number | null;
}

const getStartAdvice = () => gatewayTexts.localized("finding_start_advice");

const OFFLINE_CHECK: CheckAtRest = {
  tables: ["inbox", "outbox"],
  examine(read) {
    const dead = ["inbox", "outbox"].reduce(
      (sum, table) =>
        sum + count(read, `select count(*) as count from ${table} where state = 'dead' and reviewed_ms is null`).count,
      0,
    );
    const waiting = count(
      read,
      "select count(*) as count, min(received_ms) as first_ms from inbox where state in ('waiting', 'running')",
    );
    const unsent = count(
      read,
      "select count(*) as count, min(created_ms) as first_ms from outbox where state in ('pending', 'sending', 'failed', 'unknown_after_send')",
    );
    return [
      ...createUnansweredFindings(waiting),
      ...createUndeliveredFindings(unsent),
      ...(dead > 0 ? [createDeadLetterFinding(dead)] : []),
    ];
  },
};

function count(read: ReadRows, text: string): Count {
  return read<Count>(text)[0] ?? { count: 0, first_ms: null };
}

function createUnansweredFindings({ count, first_ms }: Count): readonly Finding[] {
  if (count === 0) return [];
  const since = new Date(first_ms ?? 0).toISOString();
  const message = gatewayTexts.localized("finding_unanswered", { count, since });
  return [
    {
      key: "gateway.unanswered",
      level: "warning",
      said: message,
      advice: getStartAdvice(),
      parameters: { count, since },
    },
  ];
}

function createUndeliveredFindings({ count, first_ms }: Count): readonly Finding[] {
  if (count === 0) return [];
  const since = new Date(first_ms ?? 0).toISOString();
  const message = gatewayTexts.localized("finding_undelivered", { count, since });
  return [
    {
      key: "gateway.undelivered",
      level: "warning",
      said: message,
      advice: getStartAdvice(),
      parameters: { count, since },
    },
  ];
}
