import { type JsonFile, type Metric, measured, type Probe, type RegexRunner } from "@parley/core";
import { type RuleDocument, rulesOf } from "./document.ts";
import type { FilterEngine } from "./engine.ts";
import type { RuleHealth } from "./rule-health.ts";

const RULES: Metric = {
  name: "parley_filter_rules",
  help: "Filter rules that can be applied.",
  kind: "gauge",
  scope: "installation",
};
const TEXTS: Metric = { name: "parley_filter_texts_total", help: "Texts that were judged.", kind: "counter" };
const SECONDS: Metric = {
  name: "parley_filter_seconds_total",
  help: "Seconds spent on judging texts.",
  kind: "counter",
};
const TIMEOUTS: Metric = {
  name: "parley_filter_regex_timeouts_total",
  help: "Rules skipped because they took too long.",
  kind: "counter",
};
const QUARANTINED: Metric = {
  name: "parley_filter_quarantined_rules",
  help: "Rules set aside until they are edited.",
  kind: "gauge",
  scope: "installation",
  alerts: [
    {
      name: "FilterRulesSetAside",
      severity: "warning",
      above: 0,
      says: "Filter rules are set aside because they took too long: what they would stop comes through.",
      advice: "Console → Message filter: edit the rules that are marked.",
    },
  ],
};
const THREADS: Metric = { name: "parley_filter_threads", help: "Threads for regular expressions.", kind: "gauge" };

export interface ProbeParts {
  readonly file: JsonFile<RuleDocument>;
  readonly health: RuleHealth;
  readonly engine: FilterEngine;
  readonly runner: RegexRunner;
}

/** What the filter says of itself. */
export function filterProbe({ file, health, engine, runner }: ProbeParts): Probe {
  const rules = () => rulesOf(file.read()).rules.length;
  return {
    id: "filter",
    metrics: [RULES, TEXTS, SECONDS, TIMEOUTS, QUARANTINED, THREADS],
    async health() {
      const problem = file.problem();
      const { invalid } = rulesOf(file.read());
      const aside = health.quarantined().length;
      const details = [
        ...(problem === undefined ? [] : [`the file cannot be used, the last good rules are in force: ${problem}`]),
        ...(invalid.length > 0 ? [`${invalid.length} rules of the file are not valid`] : []),
        ...(aside > 0 ? [`${aside} regular expressions are set aside until they are edited`] : []),
      ];
      return { status: details.length > 0 ? "degraded" : "ok", detail: details.join("; ") };
    },
    async measure() {
      const { texts, ms } = engine.spent();
      return [
        measured(RULES, rules()),
        measured(TEXTS, texts),
        measured(SECONDS, ms / 1000),
        measured(TIMEOUTS, health.timeouts()),
        measured(QUARANTINED, health.quarantined().length),
        measured(THREADS, runner.threads().alive),
      ];
    },
  };
}
