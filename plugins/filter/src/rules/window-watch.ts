import type { Clock } from "@parley/core";
import type { Rule } from "./rule.ts";
import { isOpen, type RuleWindow, toWallTime } from "./window.ts";

const MINUTE_MS = 60_000;

/** Tracks the rules that are outside their time window. */
export interface WindowWatch {
  /** Sets the rules with a window to track. */
  setRules(rules: readonly Rule[]): void;
  /** Returns the rules that are outside their time window now; the same set while nothing changes. */
  closed(): ReadonlySet<Rule>;
  /** True when a rule with this window is applied now. */
  isOpen(window: RuleWindow): boolean;
  /** Reads the time zone again. */
  invalidate(): void;
}

export interface WindowWatchDeps {
  readonly clock: Clock;
  readonly getTimeZone: () => string;
}

interface WindowGroup {
  readonly window: RuleWindow;
  readonly rules: Rule[];
}

export const EMPTY_RULES: ReadonlySet<Rule> = new Set();

/** Creates the watch, which checks the local time every minute, even if the clock is changed. */
export function createWindowWatch({ clock, getTimeZone }: WindowWatchDeps): WindowWatch {
  let groups: readonly WindowGroup[] = [];
  let isClosed: readonly boolean[] = [];
  let closed = EMPTY_RULES;
  // Minute for which `closed` is valid.
  let minute = Number.NaN;
  const wallTime = () => toWallTime(clock.now(), getTimeZone());
  return {
    setRules(rules) {
      groups = groupByWindow(rules);
      isClosed = [];
      closed = EMPTY_RULES;
      minute = Number.NaN;
    },
    closed() {
      if (groups.length === 0) return closed;
      const now = Math.floor(clock.now() / MINUTE_MS);
      if (now === minute) return closed;
      minute = now;
      const shown = wallTime();
      const found = groups.map(({ window }) => !isOpen(window, shown));
      if (found.some((one, index) => one !== (isClosed[index] ?? false))) {
        closed = new Set(groups.flatMap(({ rules }, index) => (found[index] ? rules : [])));
      }
      isClosed = found;
      return closed;
    },
    isOpen: (window) => isOpen(window, wallTime()),
    invalidate: () => {
      minute = Number.NaN;
    },
  };
}

/** Groups rules by their window, so that each window is checked once. */
function groupByWindow(rules: readonly Rule[]): readonly WindowGroup[] {
  const groups = new Map<string, WindowGroup>();
  for (const rule of rules) {
    const { window } = rule;
    if (!window) continue;
    const key = JSON.stringify(window);
    const group = groups.get(key);
    if (group) group.rules.push(rule);
    else groups.set(key, { window, rules: [rule] });
  }
  return [...groups.values()];
}
