import { createHash } from "node:crypto";
import { type Clock, type LiveEvents, type Logger, resourceChanged } from "@parley/core";
import type { Rule } from "./rule.ts";

const MAX_TIMEOUTS = 3;
const TIMEOUT_WINDOW_MS = 600_000;

/** Health of regular expressions. A rule that times out repeatedly is quarantined until it is edited. */
export interface RuleHealth {
  isQuarantined(rule: Rule): boolean;
  reportTimeout(rule: Rule): void;
  /** Releases an edited rule from quarantine. */
  release(id: string): void;
  /** Returns the ids of quarantined rules. */
  listQuarantined(): readonly string[];
  /** Returns the number of timeouts since the start. */
  getTimeoutCount(): number;
  /** Applies a quarantine that another process broadcast. */
  receive(event: QuarantineEvent): void;
}

/** A rule was quarantined in one process, or released if there is no digest. */
export interface QuarantineEvent {
  readonly id: string;
  /** Digest of the quarantined pattern; an edited pattern has another digest. */
  readonly digest?: string;
}

export interface RuleHealthDeps {
  /** Broadcasts an event to the other processes. */
  readonly broadcast?: (event: QuarantineEvent) => void;
  readonly log: Logger;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createRuleHealth({ broadcast = () => {}, log, events, clock }: RuleHealthDeps): RuleHealth {
  /** Digests of quarantined patterns by rule id. */
  const quarantinedDigests = new Map<string, string>();
  const isQuarantined = ({ id, pattern }: Rule) =>
    quarantinedDigests.has(id) && quarantinedDigests.get(id) === hashPattern(pattern);
  const strikes = new Map<string, readonly number[]>();
  let total = 0;
  return {
    // The pattern is part of the key, so a rule that was edited in the file counts as another rule.
    isQuarantined,
    reportTimeout(rule) {
      const { id, pattern } = rule;
      total += 1;
      const now = clock.monotonic();
      const recent = [...(strikes.get(id) ?? []).filter((at) => now - at < TIMEOUT_WINDOW_MS), now];
      strikes.set(id, recent);
      log.warn("a filter rule was skipped for a message: it took too long", { rule_skipped: id });
      if (recent.length < MAX_TIMEOUTS || isQuarantined(rule)) return;
      const digest = hashPattern(pattern);
      quarantinedDigests.set(id, digest);
      broadcast({ id, digest });
      strikes.delete(id);
      log.error("a filter rule is disabled until it is edited: it timed out repeatedly", { rule: id });
      events.publish(resourceChanged("filter_rule", id, "updated"));
    },
    release(id) {
      if (quarantinedDigests.delete(id)) broadcast({ id });
      strikes.delete(id);
    },
    listQuarantined: () => [...quarantinedDigests.keys()],
    getTimeoutCount: () => total,
    receive({ id, digest }) {
      if (digest === undefined) quarantinedDigests.delete(id);
      else quarantinedDigests.set(id, digest);
      strikes.delete(id);
    },
  };
}

function hashPattern(pattern: string): string {
  return createHash("sha256").update(pattern).digest("base64url");
}
