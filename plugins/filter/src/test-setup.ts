import { type Clock, type JsonFile, type RegexRunner, silentLogger, systemClock } from "@parley/core";
import { recordedEvents } from "@parley/testing";
import { createFilterEngine, type FilterEngine } from "./engine/engine.ts";
import type { HitCounts } from "./engine/hit-counts.ts";
import { createRegexRunner } from "./engine/regex-runner.ts";
import { createActiveRules } from "./rules/active-rules.ts";
import { parseDocument, type RuleDocument } from "./rules/document.ts";
import { createRuleHealth, type RuleHealth } from "./rules/rule-health.ts";

/** Creates a rules file in memory. */
export function createMemoryFile(json: unknown): JsonFile<RuleDocument> & { edit(json: unknown): void } {
  let content = parseDocument(json);
  return {
    read: () => content,
    problem: () => undefined,
    async update(change) {
      content = change(content);
      return content;
    },
    edit(next) {
      content = parseDocument(next);
    },
  };
}

export interface TestEngine extends FilterEngine, AsyncDisposable {
  readonly file: ReturnType<typeof createMemoryFile>;
  readonly health: RuleHealth;
  readonly runner: RegexRunner;
  /** Ids of rules in the order in which they were counted. */
  readonly counted: string[];
  readonly events: ReturnType<typeof recordedEvents>;
  /** Returns how often a rule entered or left its time window. */
  getWindowChangeCount(): number;
  look(): void;
  zoneChanged(): void;
}

export interface TestTime {
  readonly clock?: Clock;
  readonly zone?: () => string;
}

/** Creates an engine with rules that are in no file. */
export function createTestEngine(
  json: unknown,
  { clock = systemClock, zone = () => "UTC" }: TestTime = {},
): TestEngine {
  const file = createMemoryFile(json);
  const events = recordedEvents();
  const health = createRuleHealth({ log: silentLogger, events, clock: systemClock });
  const runner = createRegexRunner({ limitMs: 100, log: silentLogger });
  const counted: string[] = [];
  const hits: HitCounts = {
    add: (ids) => void counted.push(...ids),
    all: () => new Map(),
    forget() {},
    load: async () => {},
    store: async () => {},
  };
  let turns = 0;
  const turned = () => {
    turns += 1;
  };
  const inForce = createActiveRules({ file, log: silentLogger, clock, getTimeZone: zone, onWindowChange: turned });
  const engine = createFilterEngine({ activeRules: inForce, runner, health, hits, clock });
  return {
    ...engine,
    file,
    health,
    runner,
    counted,
    events,
    getWindowChangeCount: () => turns,
    look: inForce.refresh,
    zoneChanged: inForce.onTimeZoneChanged,
    [Symbol.asyncDispose]: async () => runner[Symbol.asyncDispose](),
  };
}

let count = 0;

/** Creates a rule in the form of the rules file. */
export function createRule(pattern: string, more: object = {}): object {
  count += 1;
  return {
    id: `rule_t${count}`,
    pattern,
    type: "keyword",
    action: "strip",
    filter_target: "user",
    session_scope: "all",
    session_id: "",
    enabled: true,
    created_at: "2026-01-01T00:00:00.000",
    ...more,
  };
}
