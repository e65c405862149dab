import { createHash } from "node:crypto";
import { notFound } from "@parley/core";
import { type PlacedRule, parseRules, type RuleDocument } from "./document.ts";
import type { Rule } from "./rule.ts";

/** Kind of record in events about rules. */
export const RULE_KIND = "filter_rule";

/** A stored rule and its list. */
export interface RuleView extends Rule {
  /** `global` or a channel id. */
  readonly channel: string;
  /** Revision that changes with every change of the rule; it is not in the file. */
  readonly revision: number;
}

/** Returns the rule with its list. Its revision derives from its content, so that edits of the file change it too. */
export function toRuleView({ rule, channel }: PlacedRule): RuleView {
  const revision = 1 + createHash("sha256").update(JSON.stringify(rule)).digest().readUIntBE(0, 6);
  return { ...rule, channel, revision };
}

/** Returns a rule with its list; throws `not_found` for an unknown id. */
export function getPlacedRule(document: RuleDocument, id: string): PlacedRule {
  const placed = parseRules(document).byId.get(id);
  if (!placed) throw notFound("filter rule", id);
  return placed;
}
