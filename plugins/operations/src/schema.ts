import Joi from "@hapi/joi";
import { withPattern } from "@parley/core";
import { listQuery, type Page } from "@parley/core/http";
import type { LogFilter, LogLevel, LogQuery } from "./logs/log-store.ts";

export const RANGES = ["today", "7d", "30d", "all"] as const;
export interface RangeQuery {
  readonly date_range?: (typeof RANGES)[number];
  readonly start_date?: string;
  readonly end_date?: string;
}
export interface RankingQuery extends RangeQuery {
  readonly metric: "tokens" | "cost" | "requests";
  readonly limit: number;
}
export interface ExportQuery extends RangeQuery {
  readonly format: "csv" | "json";
}
export interface CommandQuery extends Page {
  readonly category?: string;
  readonly admin_only?: boolean;
  readonly channel?: string;
}
export interface LogDraft {
  readonly message: string;
  readonly level: LogLevel;
  readonly source: string;
  readonly context: Readonly<Record<string, unknown>>;
}

const level = Joi.string().valid("debug", "info", "warning", "error");
const day = withPattern(Joi.string(), /^\d{4}-\d{2}-\d{2}$/, {
  en: "must be a day like 2026-01-06",
  zh: "须为日期，例如 2026-01-06",
});
const range = { date_range: Joi.string().valid(...RANGES), start_date: day, end_date: day };

export const rangeQuery = Joi.object<RangeQuery>(range);
export const rankingQuery = Joi.object<RankingQuery>({
  ...range,
  metric: Joi.string().valid("tokens", "cost", "requests").default("tokens"),
  limit: Joi.number().integer().min(1).max(100).default(10),
});
export const exportQuery = Joi.object<ExportQuery>({
  ...range,
  format: Joi.string().valid("csv", "json").default("csv"),
});

export const commandQuery = listQuery<CommandQuery>({
  category: Joi.string().max(100),
  admin_only: Joi.boolean(),
  channel: Joi.string().max(64),
});

const filtered = {
  level: Joi.string().valid("all", "debug", "info", "warning", "error").default("all"),
  min_level: level,
  source: Joi.string().max(104),
  q: Joi.string().allow("").max(200),
  says: Joi.string()
    .max(6_000)
    .description("Parts of messages, one per line; lines with any of them are found in addition to those of q"),
  trace_id: Joi.string().max(64),
  since: Joi.string().isoDate(),
  until: Joi.string().isoDate(),
};
export const logQuery = listQuery<LogQuery>(filtered);
export const logFilter = Joi.object<LogFilter>(filtered);
export const logDraft = Joi.object<LogDraft>({
  message: Joi.string().min(1).max(4000).required(),
  level: level.default("info"),
  source: Joi.string().trim().min(1).max(100).default("api"),
  context: Joi.object().unknown().default({}),
});
export const clearQuery = Joi.object<{ readonly before?: string }>({ before: Joi.string().isoDate() });
export const cleanupBody = Joi.object<{ readonly older_than_days: number; readonly dry_run: boolean }>({
  older_than_days: Joi.number().integer().min(0).max(3650).default(7),
  dry_run: Joi.boolean().default(false),
});

export const settingsPatch = Joi.object<Record<string, unknown>>().unknown().min(1);
export const reloadBody = Joi.object<{ readonly packages?: readonly string[] }>({
  packages: Joi.array().items(Joi.string().max(100)).min(1).max(100),
});
export const restartBody = Joi.object<{ readonly confirm: boolean }>({ confirm: Joi.boolean().default(false) });
export const periodQuery = Joi.object<{ readonly period: "day" | "week" | "month" }>({
  period: Joi.string().valid("day", "week", "month").default("day"),
});
export const platformQuery = listQuery<Page & { readonly period: "day" | "week" | "month" | "all" }>({
  period: Joi.string().valid("day", "week", "month", "all").default("all"),
});
