import type { Check, CheckAtRest, Finding, Localized, ReadRows } from "@parley/core";
import type { RunningGateway } from "../gateway.ts";
import type { DeadLetterStore } from "../store/dead-letters.ts";
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
    said: {
      en: `nobody works on messages of channels; ${count} wait`,
      zh: `渠道消息处理已停止，${count} 条消息在等待`,
    },
    advice: { en: "resume processing on the Gateway page", zh: "请在“网关”页面恢复处理" },
    parameters: { count },
    page: PAGE,
  };
}

function createBacklogFinding(count: number, minutes: number): Finding {
  return {
    key: "gateway.waiting",
    level: minutes * 60_000 > STUCK_MS ? "problem" : "warning",
    said: {
      en: count === 1 ? `1 message waits for ${minutes} min` : `${count} messages wait, the oldest for ${minutes} min`,
      zh: `${count} 条消息在等待，最早的已等 ${minutes} 分钟`,
    },
    advice: {
      en: "check what is being answered: a slow model, or more messages than the service can handle",
      zh: "请检查正在处理的消息：模型缓慢，或消息超出处理能力",
    },
    parameters: { count, minutes },
    page: PAGE,
  };
}

function createUnknownOutcomeFinding(count: number): Finding {
  return {
    key: "gateway.in_doubt",
    level: "warning",
    said: {
      en: `of ${count} answers it is not known whether they arrived`,
      zh: `${count} 条回复是否送达尚不确定`,
    },
    advice: {
      en: "check the deliveries on the Gateway page; they are also checked again automatically",
      zh: "请在“网关”页面查看投递；系统会自动再次核实",
    },
    parameters: { count },
    page: PAGE,
  };
}

function createDeadLetterFinding(count: number): Finding {
  return {
    key: "gateway.given_up",
    level: "warning",
    said: {
      en:
        count === 1
          ? "1 message or answer could not be delivered and waits for a decision"
          : `${count} messages or answers could not be delivered and wait for a decision`,
      zh: `${count} 条消息或回复未能送达，等待处理`,
    },
    advice: { en: "retry or dismiss them on the Gateway page", zh: "请在“网关”页面重试或忽略" },
    parameters: { count },
    page: PAGE,
  };
}

interface Count {
  readonly count: number;
  readonly first_ms: number | null;
}

const START_ADVICE: Localized = {
  en: "start the service: waiting messages are then processed",
  zh: "请启动服务：等待中的内容会继续处理",
};

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
  const message = {
    en: count === 1 ? `1 message waits since ${since}` : `${count} messages wait, the first since ${since}`,
    zh: `${count} 条消息在等待处理，最早的收到于 ${since}`,
  };
  return [
    { key: "gateway.unanswered", level: "warning", said: message, advice: START_ADVICE, parameters: { count, since } },
  ];
}

function createUndeliveredFindings({ count, first_ms }: Count): readonly Finding[] {
  if (count === 0) return [];
  const since = new Date(first_ms ?? 0).toISOString();
  const message = {
    en:
      count === 1
        ? `1 answer is not delivered since ${since}`
        : `${count} answers are not delivered, the first since ${since}`,
    zh: `${count} 条回复尚未投递，最早的始于 ${since}`,
  };
  return [
    { key: "gateway.undelivered", level: "warning", said: message, advice: START_ADVICE, parameters: { count, since } },
  ];
}
