import type { Clock, JsonFile, Logger } from "@parley/core";
import { type ParsedRules, parseRules, type RuleDocument } from "./document.ts";
import type { Rule } from "./rule.ts";
import { createRuleSet, type RuleSet } from "./rule-set.ts";
import { createWindowWatch, type WindowWatch } from "./window-watch.ts";

/** The active rules at present. Every change creates a new object. */
export interface ActiveRuleState extends Pick<ParsedRules, "byId"> {
  /** The master switch of the filter. */
  readonly enabled: boolean;
  readonly rules: RuleSet;
  /** Enabled rules that are outside their time window. */
  readonly closed: ReadonlySet<Rule>;
}

export interface ActiveRules extends Pick<WindowWatch, "isOpen"> {
  current(): ActiveRuleState;
  /** Checks the time windows; needed while no text is filtered. */
  refresh(): void;
  onTimeZoneChanged(): void;
}

export interface ActiveRulesDeps {
  readonly file: JsonFile<RuleDocument>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly getTimeZone: () => string;
  /** Called when a rule has entered or left its time window. */
  readonly onWindowChange: () => void;
}

export function createActiveRules({ file, log, clock, getTimeZone, onWindowChange }: ActiveRulesDeps): ActiveRules {
  const windows = createWindowWatch({ clock, getTimeZone });
  let document: RuleDocument | undefined;
  let inForce: ActiveRuleState | undefined;
  const loadRules = (read: RuleDocument): ActiveRuleState => {
    const { invalid, ...found } = parseRules(read);
    for (const { channel, id, problem } of invalid) {
      log.error("a filter rule cannot be applied", { rule: id, list: channel, problem });
    }
    const rules = createRuleSet({ invalid, ...found }, inForce?.rules);
    windows.setRules(rules.windowed);
    const closed = windows.closed();
    rules.setClosed(closed);
    return { enabled: read.enabled, rules, closed, byId: found.byId };
  };
  const current = () => {
    const read = file.read();
    if (!inForce || read !== document) {
      inForce = loadRules(read);
      document = read;
      return inForce;
    }
    const closed = windows.closed();
    if (closed === inForce.closed) return inForce;
    inForce.rules.setClosed(closed);
    inForce = { ...inForce, closed };
    onWindowChange();
    return inForce;
  };
  const refresh = () => {
    if (inForce && inForce.rules.windowed.length > 0) current();
  };
  return {
    current,
    isOpen: windows.isOpen,
    refresh,
    onTimeZoneChanged() {
      windows.invalidate();
      refresh();
    },
  };
}
