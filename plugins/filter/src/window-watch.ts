import type { Clock } from "@parley/core";
import type { Rule } from "./rule.ts";
import { isOpen, type RuleWindow, wallTimeOf } from "./window.ts";

const MINUTE_MS = 60_000;

/** Which rules are outside of their time. */
export interface WindowWatch {
  /** From now on these are looked at: rules with a window. */
  follow(rules: readonly Rule[]): void;
  /** Rules that are outside of their time now. Another set when it has become another one, else the same. */
  closed(): ReadonlySet<Rule>;
  /** Whether a rule with this window is applied now. */
  isOpen(window: RuleWindow): boolean;
  /** Looks at the time zone again. */
  forget(): void;
}

export interface WindowWatchParts {
  readonly clock: Clock;
  readonly zone: () => string;
}

interface Group {
  readonly window: RuleWindow;
  readonly rules: Rule[];
}

export const NO_RULES: ReadonlySet<Rule> = new Set();

/** Looks at the clock on the wall once a minute, whether that goes on, jumps or is put forward and back. */
export function createWindowWatch({ clock, zone }: WindowWatchParts): WindowWatch {
  let groups: readonly Group[] = [];
  let isClosed: readonly boolean[] = [];
  let closed = NO_RULES;
  // The minute for which `closed` holds.
  let minute = Number.NaN;
  const wallTime = () => wallTimeOf(clock.now(), zone());
  return {
    follow(rules) {
      groups = groupsOf(rules);
      isClosed = [];
      closed = NO_RULES;
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
    forget: () => {
      minute = Number.NaN;
    },
  };
}

/** A thousand rules may have the same window: it is looked at once. */
function groupsOf(rules: readonly Rule[]): readonly Group[] {
  const groups = new Map<string, Group>();
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
