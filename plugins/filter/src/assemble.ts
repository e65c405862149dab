import {
  ChannelAdapters,
  Channels,
  Clock,
  Databases,
  JsonFiles,
  LiveEvents,
  type Logger,
  Paths,
  type Resolver,
  resourceChanged,
  Settings,
  Signals,
  TIME_ZONE,
} from "@parley/core";
import { createBroadcast } from "@parley/core/storage";
import { createFilterEngine } from "./engine/engine.ts";
import { createHitCounts } from "./engine/hit-counts.ts";
import { createHitHistory } from "./engine/hit-history.ts";
import { createRegexRunner } from "./engine/regex-runner.ts";
import { createActiveRules } from "./rules/active-rules.ts";
import { createRuleArrangement } from "./rules/arrangement.ts";
import { EMPTY_DOCUMENT, parseDocument } from "./rules/document.ts";
import { createRegexAnalysis } from "./rules/regex-analysis.ts";
import { createRuleHealth, type QuarantineEvent } from "./rules/rule-health.ts";
import { createRuleRecords } from "./rules/rule-records.ts";
import { resolveRulesPath } from "./rules/rules-path.ts";
import { NOTICE } from "./settings.ts";

export interface FilterConfig {
  readonly file?: string;
  readonly regex_limit_ms: number;
}

/** Minimum milliseconds between checks of the file, because each message reads the rules several times. */
const FILE_CHECK_INTERVAL_MS = 2;

export function assemble(from: Resolver, config: FilterConfig, log: Logger) {
  const [clock, events, settings] = [from.get(Clock), from.get(LiveEvents), from.get(Settings)];
  const database = () => from.get(Databases).main;
  const file = from.get(JsonFiles).open({
    path: resolveRulesPath(config.file, from.get(Paths), log),
    empty: EMPTY_DOCUMENT,
    parse: parseDocument,
    minCheckMs: FILE_CHECK_INTERVAL_MS,
  });
  const runner = createRegexRunner({ limitMs: config.regex_limit_ms, log });
  const quarantines = createBroadcast<QuarantineEvent>("filter-aside", {
    database,
    signals: () => from.find(Signals),
    log,
  });
  const health = createRuleHealth({ broadcast: quarantines.send, log, events, clock });
  const hits = createHitCounts(() => from.get(Databases), clock);
  const shared = { file, health, hits, clock };
  const activeRules = createActiveRules({
    ...shared,
    log,
    getTimeZone: () => settings.get(TIME_ZONE),
    onWindowChange: () => events.publish(resourceChanged("filter_rule", "*", "updated")),
  });
  return {
    ...shared,
    runner,
    quarantines,
    activeRules,
    history: createHitHistory({ database, settings, events, clock }),
    engine: createFilterEngine({ ...shared, activeRules, runner }),
    records: createRuleRecords({ ...shared, activeRules, events }),
    arrangement: createRuleArrangement({ file, events }),
    advice: createRegexAnalysis(runner, log),
    notice: () => settings.get(NOTICE),
    events,
    channels: () => from.find(Channels),
    adapters: () => from.all(ChannelAdapters),
    log,
  };
}
