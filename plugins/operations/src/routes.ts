import { Readable } from "node:stream";
import { acceptedLanguage, type Caller, type RouteTable, rawReply, route } from "@parley/core";
import { attachmentNamed } from "@parley/core/http";
import type { LogStore } from "./logs/log-store.ts";
import type { Statistics } from "./reports/statistics.ts";
import type { Usage } from "./reports/usage.ts";
import {
  clearedLogs,
  exportedUsage,
  logData,
  logLines,
  logList,
  messageSeries,
  platformList,
  rankingsData,
  removedFilesData,
  settingsData,
  statisticsData,
  usageData,
} from "./response-schemas.ts";
import {
  cleanupBody,
  clearQuery,
  exportQuery,
  type LogDraft,
  logDraft,
  logFilter,
  logQuery,
  periodQuery,
  platformQuery,
  rangeQuery,
  rankingQuery,
  settingsPatch,
} from "./schema.ts";
import type { EditableSettings } from "./settings/settings.ts";

export function createSettingsRoutes(settings: EditableSettings): RouteTable {
  const path = "/api/settings";
  return [
    route({
      method: "GET",
      path,
      summary: "get the effective settings and their definitions",
      data: settingsData,
      run: () => settings.getView(),
    }),
    route({
      method: "PUT",
      path,
      summary: "change settings (JSON merge patch)",
      scope: "admin",
      body: settingsPatch,
      data: settingsData,
      run: ({ body, ifMatch }) => settings.change(body, ifMatch),
    }),
  ];
}

export function createLogRoutes(logs: LogStore, now: () => number): RouteTable {
  const path = "/api/logs";
  // The author is recorded and the text is one line, so that it cannot pass for a line of the service.
  const write = ({ message, level, source, context }: LogDraft, { username }: Caller) =>
    logs.write({
      time: new Date(now()).toISOString(),
      message: toOneLine(message),
      level,
      source: source === "api" ? source : `api:${toOneLine(source)}`,
      context: { ...context, written_by: username },
    });
  return [
    route({
      method: "GET",
      path,
      summary: "list log lines, newest first",
      data: logList,
      query: logQuery,
      run: ({ query, headers }) => logs.list({ ...query, language: acceptedLanguage(headers["accept-language"]) }),
    }),
    route({
      method: "GET",
      path: `${path}/download`,
      summary: "download the log lines that match a filter, one JSON object per line",
      data: logLines,
      reply: "raw",
      query: logFilter,
      run: ({ query, headers }) =>
        rawReply({
          body: Readable.from(logs.streamLines({ ...query, language: acceptedLanguage(headers["accept-language"]) }), {
            objectMode: false,
          }),
          type: "application/x-ndjson",
          headers: { "content-disposition": attachmentNamed("parley-log.ndjson"), "cache-control": "no-store" },
        }),
    }),
    route({
      method: "POST",
      path,
      summary: "write a log line",
      data: logData,
      body: logDraft,
      run: ({ body, caller }) => write(body, caller),
    }),
    route({
      method: "DELETE",
      path,
      summary: "delete log lines",
      data: clearedLogs,
      scope: "admin",
      query: clearQuery,
      body: clearQuery,
      run: ({ query, body, caller }) => logs.clear(body.before ?? query.before, caller.username),
    }),
    route({
      method: "POST",
      path: `${path}/cleanup`,
      summary: "delete old log files",
      data: removedFilesData,
      scope: "admin",
      body: cleanupBody,
      run: ({ body }) => logs.removeFiles(body.older_than_days, body.dry_run),
    }),
  ];
}

export function createUsageRoutes(usage: Usage): RouteTable {
  const path = "/api/tokens";
  return [
    route({
      method: "GET",
      path,
      summary: "token usage",
      data: usageData,
      query: rangeQuery,
      run: ({ query }) => usage.getOverview(query),
    }),
    route({
      method: "GET",
      path: `${path}/rankings`,
      summary: "get rankings by usage",
      data: rankingsData,
      query: rankingQuery,
      run: ({ query }) => usage.getRankings(query),
    }),
    route({
      method: "GET",
      path: `${path}/export`,
      summary: "export usage rows as a table",
      data: exportedUsage,
      reply: "raw",
      query: exportQuery,
      run: ({ query }) => usage.export(query),
    }),
  ];
}

export function createStatisticsRoutes(statistics: Statistics): RouteTable {
  const path = "/api/stats";
  return [
    route({
      method: "GET",
      path,
      summary: "get counts of messages, conversations, people and tokens",
      data: statisticsData,
      run: () => statistics.getOverview(),
    }),
    route({
      method: "GET",
      path: `${path}/messages`,
      summary: "messages over time",
      data: messageSeries,
      query: periodQuery,
      run: ({ query }) => statistics.countMessages(query.period),
    }),
    route({
      method: "GET",
      path: `${path}/platforms`,
      summary: "messages by channel",
      data: platformList,
      query: platformQuery,
      run: ({ query }) => statistics.countPlatforms(query),
    }),
  ];
}

function toOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
