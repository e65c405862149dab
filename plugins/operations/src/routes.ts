import { Readable } from "node:stream";
import {
  type Caller,
  type ChatCommand,
  type Finding,
  type HostControl,
  inLanguage,
  type List,
  listOf,
  notFound,
  type RouteTable,
  rawReply,
  reply,
  route,
} from "@parley/core";
import {
  clearedLogs,
  commandList,
  exportedUsage,
  findingList,
  logLines,
  logList,
  logShape,
  messageSeries,
  platformList,
  rankingsData,
  reloadedConfig,
  reloadedCore,
  removedFiles,
  restarting,
  settingsData,
  startStatus,
  statisticsData,
  usageData,
} from "./answers.ts";
import type { LogStore } from "./log-store.ts";
import { type Machine, machineData } from "./machine.ts";
import { operationsFailure } from "./said-failures.ts";
import {
  type CommandQuery,
  cleanupBody,
  clearQuery,
  commandQuery,
  exportQuery,
  type LogDraft,
  logDraft,
  logFilter,
  logQuery,
  periodQuery,
  platformQuery,
  rangeQuery,
  rankingQuery,
  reloadBody,
  restartBody,
  settingsPatch,
} from "./schema.ts";
import type { EditableSettings } from "./settings.ts";
import type { Statistics } from "./statistics.ts";
import type { Usage } from "./usage.ts";

export function settingsRoutes(settings: EditableSettings): RouteTable {
  const path = "/api/settings";
  return [
    route({
      method: "GET",
      path,
      summary: "the settings in force, and what can be set",
      data: settingsData,
      run: () => settings.view(),
    }),
    route({
      method: "PUT",
      path,
      summary: "change settings (JSON merge patch)",
      scope: "admin",
      body: settingsPatch,
      data: settingsData,
      async run({ body, ifMatch }) {
        const data = await settings.change(body, ifMatch);
        const strangers = settings.strangers(body);
        return reply({ data, message: strangers.length > 0 ? `kept, but no setting: ${strangers.join(", ")}` : "" });
      },
    }),
  ];
}

export function logRoutes(logs: LogStore, now: () => number): RouteTable {
  const path = "/api/logs";
  // Whoever writes is named, and a line stays a line: nobody's words can pass for those of the service.
  const write = ({ message, level, source, context }: LogDraft, { username }: Caller) =>
    logs.write({
      time: new Date(now()).toISOString(),
      message: oneLine(message),
      level,
      source: source === "api" ? source : `api:${oneLine(source)}`.slice(0, 100),
      context: { ...context, written_by: username },
    });
  return [
    route({
      method: "GET",
      path,
      summary: "log lines, newest first",
      data: logList,
      query: logQuery,
      run: ({ query }) => logs.list(query),
    }),
    route({
      method: "GET",
      path: `${path}/download`,
      summary: "all log lines that a filter finds, one JSON object a line",
      data: logLines,
      reply: "raw",
      query: logFilter,
      run: ({ query }) =>
        rawReply({
          body: Readable.from(logs.lines(query), { objectMode: false }),
          type: "application/x-ndjson",
          headers: { "content-disposition": 'attachment; filename="parley-log.ndjson"', "cache-control": "no-store" },
        }),
    }),
    route({
      method: "POST",
      path,
      summary: "write a log line",
      data: logShape,
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
      data: removedFiles,
      scope: "admin",
      body: cleanupBody,
      run: ({ body }) => logs.removeFiles(body.older_than_days, body.dry_run),
    }),
  ];
}

export function usageRoutes(usage: Usage): RouteTable {
  const path = "/api/tokens";
  return [
    route({
      method: "GET",
      path,
      summary: "token usage",
      data: usageData,
      query: rangeQuery,
      run: ({ query }) => usage.overview(query),
    }),
    route({
      method: "GET",
      path: `${path}/rankings`,
      summary: "who and what used most",
      data: rankingsData,
      query: rankingQuery,
      run: ({ query }) => usage.rankings(query),
    }),
    route({
      method: "GET",
      path: `${path}/export`,
      summary: "usage rows as a table",
      data: exportedUsage,
      reply: "raw",
      query: exportQuery,
      run: ({ query }) => usage.export(query),
    }),
  ];
}

export function statisticsRoutes(statistics: Statistics): RouteTable {
  const path = "/api/stats";
  return [
    route({
      method: "GET",
      path,
      summary: "the service in numbers",
      data: statisticsData,
      run: () => statistics.overview(),
    }),
    route({
      method: "GET",
      path: `${path}/messages`,
      summary: "messages over time",
      data: messageSeries,
      query: periodQuery,
      run: ({ query }) => statistics.messages(query.period),
    }),
    route({
      method: "GET",
      path: `${path}/platforms`,
      summary: "messages by channel",
      data: platformList,
      query: platformQuery,
      run: ({ query }) => statistics.platforms(query),
    }),
  ];
}

export function systemRoutes(
  host: HostControl,
  status: (caller: Caller) => Promise<object>,
  findings: () => Promise<List<Finding>>,
  machine: () => Promise<Machine>,
  now: () => number,
): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/startup-status",
      summary: "whether the service is up",
      data: startStatus,
      auth: "open",
      run: ({ caller }) => status(caller),
    }),
    route({
      method: "GET",
      path: "/api/system/findings",
      summary: "what is not as it should be, and what to do about it",
      data: findingList,
      run: findings,
    }),
    route({
      method: "GET",
      path: "/api/system/machine",
      summary: "processor, memory and disk",
      data: machineData,
      run: machine,
    }),
    route({
      method: "POST",
      path: "/api/system/reload-core",
      summary: "load the plugins anew, without losing a message",
      data: reloadedCore,
      scope: "admin",
      body: reloadBody,
      timeoutMs: 120_000,
      run: ({ body }) => reloaded(host, body.packages),
    }),
    route({
      method: "POST",
      path: "/api/system/reload-config",
      summary: "read the configuration anew",
      data: reloadedConfig,
      scope: "admin",
      run: () => host.reloadConfig(),
    }),
    route({
      method: "POST",
      path: "/api/system/restart",
      summary: "end the service in order and start it again",
      data: restarting,
      scope: "admin",
      body: restartBody,
      timeoutMs: 120_000,
      run: ({ body, caller }) => restarted(host, now, body.confirm, caller),
    }),
  ];
}

export function commandRoutes(commands: () => readonly ChatCommand[], channels: () => readonly string[]): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/commands",
      summary: "what people can type in a conversation",
      data: commandList,
      query: commandQuery,
      run: ({ query }) => listCommands(commands(), channels(), query),
    }),
  ];
}

// The answer is sent by the old set of plugins, whose server must not wait for it.
async function reloaded(host: HostControl, packages: readonly string[] | undefined) {
  const known = new Set(host.plugins().map(({ id }) => id));
  for (const id of packages ?? []) if (!known.has(id)) throw notFound("package", id);
  const result = await host.reload(packages);
  const counts = { reloaded_count: result.reloaded.length, failed_count: result.failed.length };
  return reply({ data: { ...result, ...counts }, message: result.failed[0]?.error ?? "" });
}

async function restarted(host: HostControl, now: () => number, isConfirmed: boolean, { username }: Caller) {
  if (!isConfirmed) throw operationsFailure("confirmation_required", "restart_confirm");
  const asked_at = new Date(now()).toISOString();
  await host.restart(`${username} asked for a restart`);
  return reply({ data: { asked_at }, status: 202 });
}

function listCommands(
  commands: readonly ChatCommand[],
  channels: readonly string[],
  { category, admin_only, channel, ...page }: CommandQuery,
): List<object> {
  const items = commands
    .filter(() => channel === undefined || channels.includes(channel))
    .filter((command) => category === undefined || command.category === category)
    .filter((command) => admin_only === undefined || command.adminOnly === admin_only)
    .map(({ name, aliases = [], usage, help, category: group, adminOnly }) => ({
      name,
      aliases,
      usage: inLanguage(usage, "en"),
      usage_texts: { en: inLanguage(usage, "en"), zh: inLanguage(usage, "zh") },
      help_text: inLanguage(help, "en"),
      help: { en: inLanguage(help, "en"), zh: inLanguage(help, "zh") },
      category: group,
      category_name: group,
      admin_only: adminOnly,
      package: "",
      channels,
    }))
    .sort((a, b) => (a.category + a.name < b.category + b.name ? -1 : 1));
  return listOf(items, page);
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
