import { type JsonFile, type Metric, type Probe, type RegexRunner, toMeasurement } from "@parley/core";
import type { FilterEngine } from "./engine/engine.ts";
import { parseRules, type RuleDocument } from "./rules/document.ts";
import type { RuleHealth } from "./rules/rule-health.ts";

const RULES_METRIC: Metric = {
  name: "parley_filter_rules",
  help: "Filter rules that can be applied.",
  kind: "gauge",
  scope: "installation",
};
const TEXTS_METRIC: Metric = { name: "parley_filter_texts_total", help: "Texts that were filtered.", kind: "counter" };
const SECONDS_METRIC: Metric = {
  name: "parley_filter_seconds_total",
  help: "Seconds spent on filtering texts.",
  kind: "counter",
};
const TIMEOUTS_METRIC: Metric = {
  name: "parley_filter_regex_timeouts_total",
  help: "Rules skipped because they took too long.",
  kind: "counter",
};
const QUARANTINED_METRIC: Metric = {
  name: "parley_filter_quarantined_rules",
  help: "Rules that are quarantined until they are edited.",
  kind: "gauge",
  scope: "installation",
  alerts: [
    {
      name: "FilterRulesSetAside",
      severity: "warning",
      above: 0,
      says: "Filter rules are quarantined because they took too long, so they stop nothing.",
      advice: "Console → Message filter: edit the rules that are marked.",
    },
  ],
};
const THREADS_METRIC: Metric = {
  name: "parley_filter_threads",
  help: "Threads for regular expressions.",
  kind: "gauge",
};

export interface ProbeDeps {
  readonly file: JsonFile<RuleDocument>;
  readonly health: RuleHealth;
  readonly engine: FilterEngine;
  readonly runner: RegexRunner;
}

/** Creates the filter's health and metrics. */
export function createFilterProbe({ file, health, engine, runner }: ProbeDeps): Probe {
  const rules = () => parseRules(file.read()).rules.length;
  return {
    id: "filter",
    metrics: [RULES_METRIC, TEXTS_METRIC, SECONDS_METRIC, TIMEOUTS_METRIC, QUARANTINED_METRIC, THREADS_METRIC],
    async health() {
      const problem = file.problem();
      const { invalid } = parseRules(file.read());
      const count = health.listQuarantined().length;
      const details = [
        ...(problem === undefined ? [] : [`the file cannot be used, the last good rules are in force: ${problem}`]),
        ...(invalid.length > 0 ? [`${invalid.length} rules of the file are not valid`] : []),
        ...(count > 0 ? [`${count} regular expressions are set aside until they are edited`] : []),
      ];
      return { status: details.length > 0 ? "degraded" : "ok", detail: details.join("; ") };
    },
    async measure() {
      const { texts, ms } = engine.getUsage();
      return [
        toMeasurement(RULES_METRIC, rules()),
        toMeasurement(TEXTS_METRIC, texts),
        toMeasurement(SECONDS_METRIC, ms / 1000),
        toMeasurement(TIMEOUTS_METRIC, health.getTimeoutCount()),
        toMeasurement(QUARANTINED_METRIC, health.listQuarantined().length),
        toMeasurement(THREADS_METRIC, runner.threads().alive),
      ];
    },
  };
}
