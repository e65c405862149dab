import type { Clock, JsonFile, Logger } from "@parley/core";
import { type ReadRules, type RuleDocument, rulesOf } from "./document.ts";
import type { Rule } from "./rule.ts";
import { createRuleSet, type RuleSet } from "./rule-set.ts";
import { createWindowWatch, type WindowWatch } from "./window-watch.ts";

/** What holds for a text that is judged now; another object as soon as something else does. */
export interface InForce extends Pick<ReadRules, "byId"> {
  /** The master switch. */
  readonly enabled: boolean;
  readonly rules: RuleSet;
  /** Enabled rules that are outside of their time. */
  readonly closed: ReadonlySet<Rule>;
}

export interface RulesInForce extends Pick<WindowWatch, "isOpen"> {
  current(): InForce;
  /** Looks at the clock, also while there is no text to be judged. */
  look(): void;
  /** The time zone is another one. */
  zoneChanged(): void;
}

export interface RulesInForceParts {
  readonly file: JsonFile<RuleDocument>;
  readonly log: Logger;
  readonly clock: Clock;
  /** The time zone that windows are meant in. */
  readonly zone: () => string;
  /** Called when a rule has come into its time or out of it. */
  readonly turned: () => void;
}

export function createRulesInForce({ file, log, clock, zone, turned }: RulesInForceParts): RulesInForce {
  const windows = createWindowWatch({ clock, zone });
  let document: RuleDocument | undefined;
  let inForce: InForce | undefined;
  const loaded = (read: RuleDocument): InForce => {
    const { invalid, ...found } = rulesOf(read);
    for (const { channel, id, problem } of invalid) {
      log.error("a filter rule cannot be applied", { rule: id, list: channel, problem });
    }
    const rules = createRuleSet({ invalid, ...found }, inForce?.rules);
    windows.follow(rules.windowed);
    const closed = windows.closed();
    rules.close(closed);
    return { enabled: read.enabled, rules, closed, byId: found.byId };
  };
  const current = () => {
    const read = file.read();
    if (!inForce || read !== document) {
      inForce = loaded(read);
      document = read;
      return inForce;
    }
    const closed = windows.closed();
    if (closed === inForce.closed) return inForce;
    inForce.rules.close(closed);
    inForce = { ...inForce, closed };
    turned();
    return inForce;
  };
  const look = () => {
    if (inForce && inForce.rules.windowed.length > 0) current();
  };
  return {
    current,
    isOpen: windows.isOpen,
    look,
    zoneChanged() {
      windows.forget();
      look();
    },
  };
}
