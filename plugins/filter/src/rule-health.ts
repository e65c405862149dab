import { createHash } from "node:crypto";
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
  /** What another process tells. */
  heard(news: AsideNews): void;
}

/** That one process has set a rule aside, or given it another chance (no digest). */
export interface AsideNews {
  readonly id: string;
  /** Of its pattern: edited it is another rule. */
  readonly digest?: string;
}

export interface RuleHealthParts {
  /** Tells the other processes. */
  readonly tell?: (news: AsideNews) => void;
  readonly log: Logger;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createRuleHealth({ tell = () => {}, log, events, clock }: RuleHealthParts): RuleHealth {
  /** By id, the digest of the pattern that took too long. */
  const aside = new Map<string, string>();
  const isAside = ({ id, pattern }: Rule) => aside.has(id) && aside.get(id) === digestOf(pattern);
  const strikes = new Map<string, readonly number[]>();
  let total = 0;
  return {
    // The pattern is part of it: a rule edited by hand is another rule.
    isQuarantined: isAside,
    timedOut(rule) {
      const { id, pattern } = rule;
      total += 1;
      const now = clock.monotonic();
      const recent = [...(strikes.get(id) ?? []).filter((at) => now - at < WITHIN_MS), now];
      strikes.set(id, recent);
      log.warn("a filter rule was skipped for a message: it took too long", { rule_skipped: id });
      if (recent.length < MAX_TIMEOUTS || isAside(rule)) return;
      const digest = digestOf(pattern);
      aside.set(id, digest);
      tell({ id, digest });
      strikes.delete(id);
      log.error("a filter rule is set aside until it is edited: it takes too long again and again", { rule: id });
      events.publish(resourceChanged("filter_rule", id, "updated"));
    },
    release(id) {
      if (aside.delete(id)) tell({ id });
      strikes.delete(id);
    },
    quarantined: () => [...aside.keys()],
    timeouts: () => total,
    heard({ id, digest }) {
      if (digest === undefined) aside.delete(id);
      else aside.set(id, digest);
      strikes.delete(id);
    },
  };
}

function digestOf(pattern: string): string {
  return createHash("sha256").update(pattern).digest("base64url");
}
