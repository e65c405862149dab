import Joi from "@hapi/joi";
import {
  ChatCommands,
  Checks,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  EditedFiles,
  JsonFiles,
  LiveEvents,
  MessageFilter,
  Paths,
  Probes,
  RecordLifecycle,
  type RecordPart,
  RegexRunners,
  RouteTables,
  SettingDefinitions,
  Settings,
  serviceKey,
  TIME_ZONE,
  TransferSections,
  TurnStages,
  Upkeeps,
  withLabel,
} from "@parley/core";
import { assemble, type FilterConfig } from "./assemble.ts";
import { createFilterCheck } from "./check.ts";
import { createFilterCommand } from "./commands.ts";
import { hitMigrations } from "./engine/hit-counts.ts";
import { historyMigrations } from "./engine/hit-history.ts";
import { createRegexRunner } from "./engine/regex-runner.ts";
import { createFilterProbe } from "./probe.ts";
import { createFilterRoutes } from "./routes.ts";
import { parseDocument } from "./rules/document.ts";
import { findRulesPath } from "./rules/rules-path.ts";
import { createFilterSection } from "./rules/transfer.ts";
import { HISTORY_DAYS, HISTORY_MOST, NOTICE } from "./settings.ts";
import { createFilterInputStage, createFilterReplyStage } from "./stages.ts";
import { filterTexts } from "./texts.ts";

const STORE_HITS_EVERY_MS = 5_000;
const WINDOW_CHECK_INTERVAL_MS = 1_000;
const HOUR_MS = 3_600_000;

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("filter.own");

/** Removes words from messages, or blocks messages, before anyone else sees them. */
export default definePlugin<FilterConfig>({
  id: "filter",
  requires: [Databases, JsonFiles, Settings],
  config: Joi.object<FilterConfig, true>({
    file: withLabel(Joi.string(), {
      title: { en: "Rules file", zh: "规则文件" },
      help: {
        en: "Path of the rules file, relative to the folder of config.ini. Not set: resources/config/message_filter.json",
        zh: "规则文件的位置，相对于 config.ini 所在目录；未设置时为 resources/config/message_filter.json",
      },
    }),
    regex_limit_ms: withLabel(Joi.number().integer().min(10).max(1000).default(100), {
      title: { en: "Time limit per regular expression (ms)", zh: "正则表达式时限（毫秒）" },
      help: {
        en: "Milliseconds one regular expression may take per message",
        zh: "单个正则表达式处理一条消息的最长耗时（毫秒）",
      },
    }),
  }),
  register({ config, log, provide, contribute }) {
    provide(Own, (from) => assemble(from, config, log));
    contribute(EditedFiles, (from) => ({
      path: findRulesPath(config.file, from.get(Paths)),
      parse: parseDocument,
      page: "/filter",
    }));
    provide(RegexRunners, () => ({ open: ({ limitMs }) => createRegexRunner({ limitMs, log }) }));
    provide(MessageFilter, (from) => from.get(Own).engine);
    contribute(TurnStages, (from) => createFilterInputStage(from.get(Own)));
    contribute(TurnStages, (from) => createFilterReplyStage(from.get(Own)));
    contribute(TransferSections, (from) => createFilterSection(() => from.get(Own).file, from.get(LiveEvents)));
    contribute(
      RecordLifecycle,
      (): RecordPart => ({ id: "filter.of-person", of: "person", tables: [{ table: "filter_hits", isKept: true }] }),
    );
    contribute(RecordLifecycle, (from) => from.get(Own).history.sessionPart);
    for (const offered of [NOTICE, HISTORY_DAYS, HISTORY_MOST]) contribute(SettingDefinitions, () => offered);
    contribute(Upkeeps, (from) => ({
      name: "filter.prune",
      title: { en: "Remove old filter hits", zh: "清理旧的过滤命中记录" },
      everyMs: HOUR_MS,
      run: async ({ log }) => log(filterTexts.message("hits_removed", { count: await from.get(Own).history.prune() })),
    }));
    contribute(ChatCommands, (from) => createFilterCommand(from.get(Own).records));
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "filter",
        group: "safety",
        title: { en: "Filter", zh: "过滤" },
        icon: "filter",
        order: 10,
        scope: "admin",
        view: { kind: "page", page: "filter" },
      }),
    );
    contribute(RouteTables, (from) => createFilterRoutes(from.get(Own)));
    contribute(Checks, (from) => createFilterCheck(from.get(Own)));
    contribute(Probes, (from) => createFilterProbe(from.get(Own)));
  },
  async start({ get, log, defer }) {
    const regexes = get(Own).runner;
    // After a missed event the slow pattern is detected again here.
    defer(get(Own).quarantines.listen(get(Own).health.receive));
    defer(async () => regexes[Symbol.asyncDispose]());
    const hits = get(Own).hits;
    await get(Databases).main.migrate("filter", [...hitMigrations, ...historyMigrations]);
    await hits.load();
    const store = async () => {
      await hits.store().catch((error: unknown) => log.warn("hit counts could not be stored", { error }));
    };
    defer(store);
    const timer = setInterval(store, STORE_HITS_EVERY_MS);
    defer(() => clearInterval(timer));
    const inForce = get(Own).activeRules;
    inForce.current();
    defer(get(Settings).watch(TIME_ZONE, inForce.onTimeZoneChanged));
    // Clients that show the rules see changes of their windows even if no message arrives.
    const windowTimer = setInterval(inForce.refresh, WINDOW_CHECK_INTERVAL_MS);
    defer(() => clearInterval(windowTimer));
  },
});
