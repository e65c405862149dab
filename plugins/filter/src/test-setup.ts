import { type Clock, type JsonFile, type RegexRunner, silentLogger, systemClock } from "@parley/core";
import { recordedEvents } from "@parley/testing";
import { parseDocument, type RuleDocument } from "./document.ts";
import { createFilterEngine, type FilterEngine } from "./engine.ts";
import type { HitCounts } from "./hit-counts.ts";
import { createRegexRunner } from "./regex-runner.ts";
import { createRuleHealth, type RuleHealth } from "./rule-health.ts";
import { createRulesInForce } from "./rules-in-force.ts";

/** A file in memory. */
export function memoryFile(json: unknown): JsonFile<RuleDocument> & { edit(json: unknown): void } {
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
  readonly file: ReturnType<typeof memoryFile>;
  readonly health: RuleHealth;
  readonly runner: RegexRunner;
  /** Rule ids in the order they were counted. */
  readonly counted: string[];
  readonly events: ReturnType<typeof recordedEvents>;
  /** How often a rule came into its time or out of it. */
  turns(): number;
  look(): void;
  zoneChanged(): void;
}

export interface TestTime {
  readonly clock?: Clock;
  readonly zone?: () => string;
}

/** An engine over rules that stand in no file. */
export function createTestEngine(
  json: unknown,
  { clock = systemClock, zone = () => "UTC" }: TestTime = {},
): TestEngine {
  const file = memoryFile(json);
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
  const inForce = createRulesInForce({ file, log: silentLogger, clock, zone, turned });
  const engine = createFilterEngine({ inForce, runner, health, hits, clock });
  return {
    ...engine,
    file,
    health,
    runner,
    counted,
    events,
    turns: () => turns,
    look: inForce.look,
    zoneChanged: inForce.zoneChanged,
    [Symbol.asyncDispose]: async () => runner[Symbol.asyncDispose](),
  };
}

let count = 0;

/** A rule as it stands in the file. */
export function ruleOf(pattern: string, more: object = {}): object {
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
