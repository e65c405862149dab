import { Readable } from "node:stream";
import {
  addUsageSums,
  type Clock,
  dayOf,
  NO_USAGE_SUM,
  type RawReply,
  rawReply,
  type Settings,
  startOfDay,
  TIME_ZONE,
  type TokenUsage,
  type UsageRow,
  type UsageSum,
} from "@parley/core";
import { attachmentNamed } from "@parley/core/http";
import type { ExportQuery, RangeQuery, RankingQuery } from "../schema.ts";
import { type DayRange, listDays, resolveRange } from "./calendar.ts";

const RETENTION_DAYS = 400;
const DAY_MS = 86_400_000;
const PAGE_SIZE = 1000;
const COLUMNS = [
  "time",
  "model_id",
  "model",
  "purpose",
  "session_id",
  "user",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cost",
  "duration_ms",
  "ok",
] as const;

export interface UsageDeps {
  readonly usage: TokenUsage;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly activeSessions: () => Promise<number>;
  /** Counts the messages from `since` to before `until` (ISO 8601 UTC). */
  readonly messages: (since: string, until: string) => Promise<number>;
}

/** Reports model usage and cost by day, model, purpose, session and user. */
export interface Usage {
  getOverview(query: RangeQuery): Promise<object>;
  getRankings(query: RankingQuery): Promise<object>;
  /** Streams the rows, so that they are never all in memory. */
  export(query: ExportQuery): RawReply;
}

export function createUsage({ usage, settings, clock, activeSessions, messages }: UsageDeps): Usage {
  const toRange = (query: RangeQuery) => {
    const timezone = settings.get(TIME_ZONE);
    const getFirstDay = () => dayOf(clock.now() - (RETENTION_DAYS - 1) * DAY_MS, timezone);
    return resolveRange(query, clock.now(), timezone, getFirstDay);
  };
  const toInstants = ({ start_date, end_date, timezone }: DayRange) => {
    const since = new Date(startOfDay(start_date, timezone)).toISOString();
    const next = new Date(Date.parse(`${end_date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
    return [since, new Date(startOfDay(next, timezone)).toISOString()] as const;
  };
  const toRanking = (sums: readonly (UsageSum & { readonly key: string; readonly name: string })[]) =>
    sums.map(({ key, ...sum }) => ({ id: key, ...sum })).sort((a, b) => b.total_tokens - a.total_tokens);
  const readHistory = async (range: DayRange) => {
    const hours = await usage.sums("hour", ...toInstants(range));
    const byDay = new Map(listDays(range.start_date, range.end_date).map((day) => [day, NO_USAGE_SUM]));
    for (const { key, ...sum } of hours) {
      const day = dayOf(Date.parse(key.length === 13 ? `${key}:00:00Z` : key), range.timezone);
      byDay.set(day, addUsageSums(byDay.get(day) ?? NO_USAGE_SUM, sum));
    }
    return [...byDay].map(([date, sum]) => ({ date, ...sum }));
  };

  return {
    async getOverview(query) {
      const range = toRange(query);
      const [since, until] = toInstants(range);
      const today = dayOf(clock.now(), range.timezone);
      const month = { ...range, start_date: `${today.slice(0, 8)}01`, end_date: today };
      const [days, monthDays, models, purposes, sessions, rows, active, messageCount] = await Promise.all([
        readHistory(range),
        readHistory(month),
        usage.sums("model", since, until),
        usage.sums("purpose", since, until),
        usage.sums("session", since, until),
        readRecent(usage, since, until),
        activeSessions(),
        messages(since, until),
      ]);
      const total = days.reduce<UsageSum>(addUsageSums, NO_USAGE_SUM);
      const calls = models.reduce((sum, one) => sum + one.requests, 0);
      const time = models.reduce((sum, one) => sum + one.average_ms * one.requests, 0);
      return {
        range,
        today: toSum(monthDays.find(({ date }) => date === today)),
        month: monthDays.reduce<UsageSum>(addUsageSums, NO_USAGE_SUM),
        total,
        message_count: messageCount,
        avg_tokens_per_message: messageCount === 0 ? 0 : Math.round(total.total_tokens / messageCount),
        estimated_cost: total.cost,
        currency: "USD",
        active_sessions: active,
        avg_response_time_ms: calls === 0 ? 0 : Math.round(time / calls),
        history: days,
        models: toRanking(models),
        purposes: toRanking(purposes),
        sessions: toRanking(sessions).slice(0, 50),
        recent_records: rows,
      };
    },
    async getRankings({ metric, limit, ...query }) {
      const [since, until] = toInstants(toRange(query));
      const rank = async (by: "session" | "model" | "user" | "purpose") =>
        (await usage.sums(by, since, until))
          .map((sum) => ({ id: sum.key, name: sum.name, value: metric === "tokens" ? sum.total_tokens : sum[metric] }))
          .sort((a, b) => b.value - a.value)
          .slice(0, limit);
      const [sessions, models, users, purposes] = await Promise.all([
        rank("session"),
        rank("model"),
        rank("user"),
        rank("purpose"),
      ]);
      return { sessions, models, users, purposes };
    },
    export({ format, ...query }) {
      const [since, until] = toInstants(toRange(query));
      const pages = readPages(usage, since, until);
      if (format === "json") {
        return rawReply({
          body: Readable.from(toJsonText(pages), { objectMode: false }),
          type: "application/json",
          headers: { "cache-control": "no-store" },
        });
      }
      return rawReply({
        body: Readable.from(toCsvLines(pages), { objectMode: false }),
        type: "text/csv; charset=utf-8",
        headers: { "content-disposition": attachmentNamed("token-usage.csv") },
      });
    },
  };
}

function toSum(day: (UsageSum & { readonly date: string }) | undefined): UsageSum {
  return day ? addUsageSums(NO_USAGE_SUM, day) : NO_USAGE_SUM;
}

async function readRecent(usage: TokenUsage, since: string, until: string): Promise<readonly UsageRow[]> {
  const models = await usage.sums("model", since, until);
  const count = models.reduce((sum, { requests }) => sum + requests, 0);
  const rows = await usage.rows(since, until, { limit: 20, offset: Math.max(0, count - 20) });
  return [...rows].reverse();
}

async function* readPages(usage: TokenUsage, since: string, until: string): AsyncGenerator<readonly UsageRow[]> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await usage.rows(since, until, { limit: PAGE_SIZE, offset });
    yield page;
    if (page.length < PAGE_SIZE) return;
  }
}

async function* toCsvLines(pages: AsyncIterable<readonly UsageRow[]>): AsyncGenerator<string> {
  yield `\uFEFF${COLUMNS.join(",")}\r\n`;
  for await (const page of pages) {
    yield page.map((row) => `${COLUMNS.map((column) => toCsvCell(row[column])).join(",")}\r\n`).join("");
  }
}

/** Wraps the rows in the envelope. */
async function* toJsonText(pages: AsyncIterable<readonly UsageRow[]>): AsyncGenerator<string> {
  let total = 0;
  yield '{"success":true,"data":{"records":[';
  for await (const page of pages) {
    if (page.length > 0) yield (total > 0 ? "," : "") + JSON.stringify(page).slice(1, -1);
    total += page.length;
  }
  yield `],"total":${total}},"message":""}`;
}

// A spreadsheet would run a text that begins like a formula.
function toCsvCell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@]/.test(text) && typeof value === "string" ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
