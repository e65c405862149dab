import type { JsonFile, Probe, RegexRunner } from "@parley/core";
import { type RuleDocument, rulesOf } from "./document.ts";
import type { FilterEngine } from "./engine.ts";
import type { RuleHealth } from "./rule-health.ts";

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
        gauge("parley_filter_rules", "Filter rules that can be applied", rules()),
        counter("parley_filter_texts_total", "Texts that were judged", texts),
        counter("parley_filter_seconds_total", "Seconds spent on judging texts", ms / 1000),
        counter("parley_filter_regex_timeouts_total", "Rules skipped because they took too long", health.timeouts()),
        gauge("parley_filter_quarantined_rules", "Rules set aside until they are edited", health.quarantined().length),
        gauge("parley_filter_threads", "Threads for regular expressions", runner.threads().alive),
      ];
    },
  };
}

const gauge = (name: string, help: string, value: number) => ({
  name,
  help,
  kind: "gauge" as const,
  samples: [{ value }],
});
const counter = (name: string, help: string, value: number) => ({
  name,
  help,
  kind: "counter" as const,
  samples: [{ value }],
});
