import { type Clock, type LiveEvents, type Logger, resourceChanged } from "@parley/core";
import type { Rule } from "./rule.ts";

const MAX_TIMEOUTS = 3;
const WITHIN_MS = 600_000;

/** How regular expressions behave. A rule that takes too long again and again is set aside until it is edited. */
export interface RuleHealth {
  isQuarantined(rule: Rule): boolean;
  timedOut(rule: Rule): void;
  /** Gives an edited rule another chance. */
  release(id: string): void;
  /** Ids of the rules that are set aside. */
  quarantined(): readonly string[];
  /** Since the start. */
  timeouts(): number;
}

export interface RuleHealthParts {
  readonly log: Logger;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createRuleHealth({ log, events, clock }: RuleHealthParts): RuleHealth {
  const aside = new Map<string, string>();
  const strikes = new Map<string, readonly number[]>();
  let total = 0;
  return {
    // The pattern is part of it: a rule edited by hand is another rule.
    isQuarantined: ({ id, pattern }) => aside.get(id) === pattern,
    timedOut({ id, pattern }) {
      total += 1;
      const now = clock.monotonic();
      const recent = [...(strikes.get(id) ?? []).filter((at) => now - at < WITHIN_MS), now];
      strikes.set(id, recent);
      log.warn("a filter rule was skipped for a message: it took too long", { rule_skipped: id });
      if (recent.length < MAX_TIMEOUTS || aside.get(id) === pattern) return;
      aside.set(id, pattern);
      strikes.delete(id);
      log.error("a filter rule is set aside until it is edited: it takes too long again and again", { rule: id });
      events.publish(resourceChanged("filter_rule", id, "updated"));
    },
    release(id) {
      aside.delete(id);
      strikes.delete(id);
    },
    quarantined: () => [...aside.keys()],
    timeouts: () => total,
  };
}
