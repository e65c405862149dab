import {
  type Channels,
  type Clock,
  dayOf,
  type HostControl,
  type MessageCount,
  NO_USAGE_SUM,
  type Probe,
  type Sessions,
  type Settings,
  TIME_ZONE,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { statisticsData } from "../response-schemas.ts";
import { getHour } from "./calendar.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVERVIEW_TTL_MS = 5_000;
const STATISTIC_KEYS = new Set(Object.keys(statisticsData.describe().keys));

export interface StatisticsDeps {
  readonly sessions: Sessions;
  readonly channels: Channels | undefined;
  readonly probes: () => readonly Probe[];
  readonly host: HostControl;
  readonly settings: Settings;
  readonly clock: Clock;
}

/** Computes the figures of the console's charts. */
export interface Statistics {
  /** Returns the current figures, cached for 5 s. */
  getOverview(): Promise<object>;
  countMessages(period: "day" | "week" | "month"): Promise<object>;
  countPlatforms(query: Page & { readonly period: "day" | "week" | "month" | "all" }): Promise<List<object>>;
}

export function createStatistics({ sessions, channels, probes, host, settings, clock }: StatisticsDeps): Statistics {
  let cached: { readonly at: number; readonly value: Promise<object> } | undefined;
  const toHour = (ms: number) => new Date(ms).toISOString().slice(0, 13);
  const sum = (counts: readonly MessageCount[]) => counts.reduce((total, { count }) => total + count, 0);
  const measure = async () => {
    const timezone = settings.get(TIME_ZONE);
    const today = dayOf(clock.now(), timezone);
    const counts = await sessions.counts("");
    const active = await sessions.activeSince(new Date(clock.now() - DAY_MS).toISOString());
    const contributed = await Promise.allSettled(probes().map((probe) => probe.stats?.() ?? {}));
    const known = contributed.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    return {
      today_messages: sum(counts.filter((one) => dayOf(toInstant(one), timezone) === today)),
      total_messages: sum(counts),
      active_sessions: active,
      // Defaults of figures that other plugins count; a plugin that is absent leaves them.
      token_usage: NO_USAGE_SUM,
      imA_connected: channels?.link("imA") !== undefined,
      ai_service_status: "not_configured",
      platform_count: channels?.list().length ?? 0,
      uptime_s: Math.floor((clock.now() - host.startedAt) / 1000),
      today_active_users: 0,
      ai_calls: 0,
      file_transfers: 0,
      avg_response_time_ms: 0,
      characters: 0,
      world_books: 0,
      documents: 0,
      memories: 0,
      ...Object.assign({}, ...known.map(pickKnownKeys)),
    };
  };

  return {
    getOverview() {
      if (!cached || clock.monotonic() - cached.at > OVERVIEW_TTL_MS)
        cached = { at: clock.monotonic(), value: measure() };
      return cached.value;
    },
    async countMessages(period) {
      const timezone = settings.get(TIME_ZONE);
      const buckets = createBuckets(period, clock.now(), timezone);
      const counts = await sessions.counts(toHour(buckets[0]?.from ?? clock.now()));
      const countInBucket = (label: string, role?: string) =>
        sum(
          counts.filter((one) => toLabel(toInstant(one), period, timezone) === label && (!role || one.role === role)),
        );
      const labels = buckets.map(({ label }) => label);
      return {
        period,
        labels,
        values: labels.map((label) => countInBucket(label)),
        user_values: labels.map((label) => countInBucket(label, "user")),
        assistant_values: labels.map((label) => countInBucket(label, "assistant")),
      };
    },
    async countPlatforms({ period, ...page }) {
      const days = { day: 1, week: 7, month: 30, all: 0 }[period];
      const counts = await sessions.counts(days === 0 ? "" : toHour(clock.now() - days * DAY_MS));
      const ids = new Set([
        ...(channels?.list() ?? []).map(({ id }) => id),
        ...counts.map(({ channel_id }) => channel_id),
      ]);
      const items = [...ids].map((channel_id) => ({
        name: channels?.get(channel_id)?.name ?? channel_id,
        channel_id,
        value: sum(counts.filter((one) => one.channel_id === channel_id)),
      }));
      items.sort((a, b) => b.value - a.value || (a.channel_id < b.channel_id ? -1 : 1));
      return toPage(items, page);
    },
  };
}

/** Returns the statistics of a plugin that have known keys and valid values. */
function pickKnownKeys(stats: Readonly<Record<string, unknown>>): object {
  const there = Object.entries(stats).filter(([key]) => STATISTIC_KEYS.has(key));
  return Object.fromEntries(there.filter(([key, value]) => !statisticsData.extract(key).validate(value).error));
}

type Period = "day" | "week" | "month";

/** Creates the buckets, oldest first and the current one last. */
function createBuckets(
  period: Period,
  nowMs: number,
  timezone: string,
): readonly { readonly label: string; readonly from: number }[] {
  const [count, step] = period === "day" ? [24, HOUR_MS] : [period === "week" ? 7 : 30, DAY_MS];
  return Array.from({ length: count }, (_, index) => {
    const at = nowMs - (count - 1 - index) * step;
    return { label: toLabel(at, period, timezone), from: at - step };
  });
}

function toLabel(ms: number, period: Period, timezone: string): string {
  if (period === "day") return `${String(getHour(ms, timezone)).padStart(2, "0")}:00`;
  return dayOf(ms, timezone).slice(5).replace("-", "/");
}

function toInstant({ hour }: MessageCount): number {
  return Date.parse(`${hour}:00:00Z`);
}

/** Counts messages for the usage page, from the counters of the sessions. */
export function createMessageCounter(sessions: Sessions, clock: Clock) {
  return {
    activeSessions: () => sessions.activeSince(new Date(clock.now() - DAY_MS).toISOString()),
    async messages(since: string, until: string) {
      const counts = await sessions.counts(since.slice(0, 13));
      return counts.reduce((total, { hour, count }) => (hour < until.slice(0, 13) ? total + count : total), 0);
    },
  };
}
