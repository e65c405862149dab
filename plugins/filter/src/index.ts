import Joi from "@hapi/joi";
import {
  ChannelAdapters,
  Channels,
  ChatCommands,
  Checks,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  EditedFiles,
  JobKinds,
  type JsonFile,
  JsonFiles,
  jobKind,
  LiveEvents,
  MessageFilter,
  Paths,
  Probes,
  RecordLifecycle,
  type RecordPart,
  type RegexRunner,
  RegexRunners,
  type Resolver,
  RouteTables,
  resourceChanged,
  Schedules,
  SettingDefinitions,
  Settings,
  Signals,
  serviceKey,
  TIME_ZONE,
  TransferSections,
  TurnStages,
} from "@parley/core";
import { createFilterCheck } from "./check.ts";
import { createFilterCommand } from "./commands.ts";
import { createFilterEngine, type FilterEngine } from "./engine/engine.ts";
import { createHitCounts, type HitCounts, hitMigrations } from "./engine/hit-counts.ts";
import { createHitHistory, type HitHistory, historyMigrations } from "./engine/hit-history.ts";
import { createRegexRunner } from "./engine/regex-runner.ts";
import { createFilterProbe } from "./probe.ts";
import { filterRoutes } from "./routes.ts";
import { type ActiveRules, createActiveRules } from "./rules/active-rules.ts";
import { createRuleArrangement } from "./rules/arrangement.ts";
import { EMPTY_DOCUMENT, parseDocument, type RuleDocument } from "./rules/document.ts";
import { createQuarantineBroadcast, followQuarantine } from "./rules/quarantine-broadcast.ts";
import { createRegexAnalysis } from "./rules/regex-analysis.ts";
import { createRuleHealth, type RuleHealth } from "./rules/rule-health.ts";
import { createRuleRecords, type RuleRecords } from "./rules/rule-records.ts";
import { findRulesPath, resolveRulesPath } from "./rules/rules-path.ts";
import { createFilterSection } from "./rules/transfer.ts";
import { filterWarning } from "./said-warnings.ts";
import { HISTORY_DAYS, HISTORY_MOST, NOTICE } from "./settings.ts";
import { createFilterInputStage, createFilterReplyStage, type StageDeps } from "./stages.ts";

interface FilterConfig {
  readonly file?: string;
  readonly regex_limit_ms: number;
}

/** Milliseconds between checks of the file; one check per message is enough, although each message reads the rules several times. */
const FILE_CHECK_INTERVAL_MS = 2;
const STORE_HITS_EVERY_MS = 5_000;
const WINDOW_CHECK_INTERVAL_MS = 1_000;
const HOUR_MS = 3_600_000;
const PRUNE = "filter.prune";

const RuleFile = serviceKey<JsonFile<RuleDocument>>("filter.file");
const Regexes = serviceKey<RegexRunner>("filter.regexes");
const Health = serviceKey<RuleHealth>("filter.rule-health");
const Hits = serviceKey<HitCounts>("filter.hit-counts");
const History = serviceKey<HitHistory>("filter.hit-history");
const Engine = serviceKey<FilterEngine>("filter.engine");
const InForce = serviceKey<ActiveRules>("filter.rules-in-force");
const Rows = serviceKey<RuleRecords>("filter.rule-rows");

/** Removes words from messages, or blocks them, before anybody else sees them. */
export default definePlugin<FilterConfig>({
  id: "filter",
  requires: [Databases, JsonFiles, Schedules, Settings],
  config: Joi.object<FilterConfig, true>({
    file: Joi.string().description(
      "Path of the rules file, relative to the folder of config.ini. Not set: resources/config/message_filter.json",
    ),
    regex_limit_ms: Joi.number()
      .integer()
      .min(10)
      .max(1000)
      .default(100)
      .description("Milliseconds one regular expression may take per message"),
  }),
  register({ config, log, provide, contribute }) {
    provide(RuleFile, (from) =>
      from.get(JsonFiles).open({
        path: resolveRulesPath(config.file, from.get(Paths), log),
        empty: EMPTY_DOCUMENT,
        parse: parseDocument,
        minCheckMs: FILE_CHECK_INTERVAL_MS,
      }),
    );
    contribute(EditedFiles, (from) => ({
      path: findRulesPath(config.file, from.get(Paths)),
      parse: parseDocument,
      page: "/filter",
    }));
    provide(Regexes, () => createRegexRunner({ limitMs: config.regex_limit_ms, log }));
    provide(Health, (from) => {
      const tell = createQuarantineBroadcast({
        database: () => from.get(Databases).main,
        signals: () => from.find(Signals),
        log,
      });
      return createRuleHealth({ broadcast: tell, log, events: from.get(LiveEvents), clock: from.get(Clock) });
    });
    provide(Hits, (from) => createHitCounts(() => from.get(Databases), from.get(Clock)));
    provide(History, (from) =>
      createHitHistory({
        database: () => from.get(Databases).main,
        settings: from.get(Settings),
        events: from.get(LiveEvents),
        clock: from.get(Clock),
      }),
    );
    provide(InForce, (from) => {
      const turned = () => from.get(LiveEvents).publish(resourceChanged("filter_rule", "*", "updated"));
      return createActiveRules({
        ...getSharedDeps(from),
        log,
        getTimeZone: () => from.get(Settings).get(TIME_ZONE),
        onWindowChange: turned,
      });
    });
    provide(Engine, (from) =>
      createFilterEngine({ ...getSharedDeps(from), activeRules: from.get(InForce), runner: from.get(Regexes) }),
    );
    provide(Rows, (from) =>
      createRuleRecords({ ...getSharedDeps(from), activeRules: from.get(InForce), events: from.get(LiveEvents) }),
    );
    provide(RegexRunners, () => ({ open: ({ limitMs }) => createRegexRunner({ limitMs, log }) }));
    provide(MessageFilter, (from) => from.get(Engine));
    contribute(TurnStages, (from) => createFilterInputStage(stageParts(from)));
    contribute(TurnStages, (from) => createFilterReplyStage(stageParts(from)));
    contribute(TransferSections, (from) => createFilterSection(() => from.get(RuleFile), from.get(LiveEvents)));
    contribute(
      RecordLifecycle,
      (): RecordPart => ({ id: "filter.of-person", of: "person", tables: [{ table: "filter_hits", isKept: true }] }),
    );
    contribute(RecordLifecycle, (from) => from.get(History).sessionPart);
    for (const offered of [NOTICE, HISTORY_DAYS, HISTORY_MOST]) contribute(SettingDefinitions, () => offered);
    contribute(JobKinds, (from) =>
      jobKind({
        kind: PRUNE,
        titles: { en: "Remove old filter hits", zh: "清理旧的过滤命中记录" },
        schema: Joi.object({}),
        concurrency: 1,
        run: async (_payload, { log }) =>
          log(filterWarning("hits_removed", { count: await from.get(History).prune() })),
      }),
    );
    contribute(ChatCommands, (from) => createFilterCommand(from.get(Rows)));
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
    contribute(RouteTables, (from) =>
      filterRoutes({
        rows: from.get(Rows),
        arrangement: createRuleArrangement({ file: from.get(RuleFile), events: from.get(LiveEvents) }),
        history: from.get(History),
        engine: from.get(Engine),
        advice: createRegexAnalysis(from.get(Regexes), log),
        channels: () => from.find(Channels),
      }),
    );
    contribute(Checks, (from) => createFilterCheck(getSharedDeps(from)));
    contribute(Probes, (from) =>
      createFilterProbe({ ...getSharedDeps(from), engine: from.get(Engine), runner: from.get(Regexes) }),
    );

    const stageParts = (from: Resolver): StageDeps => ({
      engine: from.get(Engine),
      history: from.get(History),
      notice: () => from.get(Settings).get(NOTICE),
      events: from.get(LiveEvents),
      channels: () => from.find(Channels),
      adapters: () => from.all(ChannelAdapters),
      log,
    });
  },
  async start({ get, find, log, defer }) {
    const regexes = get(Regexes);
    defer(followQuarantine(find(Signals), get(Health)));
    defer(async () => regexes[Symbol.asyncDispose]());
    const hits = get(Hits);
    await get(Databases).main.migrate("filter", [...hitMigrations, ...historyMigrations]);
    await hits.load();
    const store = async () => {
      await hits.store().catch((error: unknown) => log.warn("hit counts could not be stored", { error }));
    };
    defer(store);
    const timer = setInterval(store, STORE_HITS_EVERY_MS);
    defer(() => clearInterval(timer));
    const inForce = get(InForce);
    inForce.current();
    defer(get(Settings).watch(TIME_ZONE, inForce.onTimeZoneChanged));
    // Viewers of the rules see window changes without a message.
    const clock = setInterval(inForce.refresh, WINDOW_CHECK_INTERVAL_MS);
    defer(() => clearInterval(clock));
  },
  async ready({ get }) {
    await get(Schedules).put({ id: PRUNE, kind: PRUNE, payload: {}, everyMs: HOUR_MS, madeUpWithinMs: 24 * HOUR_MS });
  },
});

function getSharedDeps(from: Resolver) {
  return { file: from.get(RuleFile), health: from.get(Health), hits: from.get(Hits), clock: from.get(Clock) };
}
