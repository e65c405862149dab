import { createHash } from "node:crypto";
import { notFound } from "@parley/core";
import { type PlacedRule, parseRules, type RuleDocument } from "./document.ts";
import type { Rule } from "./rule.ts";

/** What events about rules are of. */
export const RULE_KIND = "filter_rule";

/** A stored rule and the list it stands in. */
export interface RuleView extends Rule {
  /** `global` or a channel id. */
  readonly channel: string;
  /** Another one as soon as the rule is another; the file has none. */
  readonly revision: number;
}

/** The rule with its list beside it. Its revision is told from what it says: a hand edit of the file changes it, too. */
export function toRuleView({ rule, channel }: PlacedRule): RuleView {
  const revision = 1 + createHash("sha256").update(JSON.stringify(rule)).digest().readUIntBE(0, 6);
  return { ...rule, channel, revision };
}

/** Throws `not_found`. */
export function getPlacedRule(document: RuleDocument, id: string): PlacedRule {
  const placed = parseRules(document).byId.get(id);
  if (!placed) throw notFound("filter rule", id);
  return placed;
}
