import type { Keywords } from "@parley/core/text-match";
import { prepareKeywords } from "../engine/keywords.ts";
import type { ParsedRules } from "./document.ts";
import { GLOBAL, type Rule } from "./rule.ts";

export type Target = "user" | "ai";

/** A rule and its position in the file. */
export interface Candidate {
  readonly rule: Rule;
  readonly order: number;
}

/** The enabled rules of one scope: of everyone, of a channel, or of a session. */
export interface Scope {
  readonly reach: "session" | "channel" | "global";
  readonly regexes: readonly Candidate[];
  /** Rules in the order of the patterns of `keywords`. */
  readonly keywordRules: readonly Candidate[];
  /** True when a rule that is applied now has this target. */
  isFor(target: Target): boolean;
  /** Sets the rules outside their time window, which are not applied. */
  setClosed(closed: ReadonlySet<Rule>): void;
  /** Returns the prepared keywords, which are prepared at the first call. */
  keywords(): Promise<Keywords> | Keywords;
}

/** The rules of one document, ready to be looked up for a message. */
export interface RuleSet {
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly windowed: readonly Rule[];
  /** Returns the scopes with a rule that is applied to this target now: session before channel before global. */
  getScopesFor(channel: string, sessionKey: string, target: Target): readonly Scope[];
  /** Returns all scopes, including those whose rules are all outside their time window. */
  getAllScopes(channel: string, sessionKey: string): readonly Scope[];
  /** Sets the rules outside their time window, which are not applied. */
  setClosed(closed: ReadonlySet<Rule>): void;
}

const TARGETS: readonly Target[] = ["user", "ai"];
const EMPTY_SCOPES: readonly Scope[] = [];

/** True when a rule applies to the target. */
export function isFor({ filter_target }: Rule, target: Target): boolean {
  return filter_target === "both" || filter_target === target;
}

/** Groups the enabled rules. Lists of keywords that `before` has too are not prepared again. */
export function createRuleSet({ rules }: ParsedRules, before?: RuleSet): RuleSet {
  const grouped = new Map<string, Candidate[]>();
  const windowed: Rule[] = [];
  for (const [order, { rule, channel }] of rules.entries()) {
    if (!rule.enabled) continue;
    if (rule.window) windowed.push(rule);
    const name = rule.session_scope === "specific" ? toSessionKey(channel, rule.session_id) : channel;
    const group = grouped.get(name);
    if (group) group.push({ rule, order });
    else grouped.set(name, [{ rule, order }]);
  }
  const scopes = new Map<string, Scope>();
  for (const [name, group] of grouped) {
    const reach = name === GLOBAL ? "global" : name.includes("\n") ? "session" : "channel";
    scopes.set(name, createScope(reach, group, before?.scopes.get(name)));
  }
  const scopesOf = (channel: string, sessionKey: string, target?: Target) => {
    if (scopes.size === 0) return EMPTY_SCOPES;
    const found: Scope[] = [];
    for (const name of [toSessionKey(channel, sessionKey), channel, GLOBAL]) {
      const scope = scopes.get(name);
      if (scope && (target === undefined || scope.isFor(target))) found.push(scope);
    }
    return found;
  };
  return {
    scopes,
    windowed,
    getScopesFor: scopesOf,
    getAllScopes: (channel, sessionKey) => scopesOf(channel, sessionKey),
    setClosed(closed) {
      for (const scope of scopes.values()) scope.setClosed(closed);
    },
  };
}

function toSessionKey(channel: string, sessionKey: string): string {
  return `${channel}\n${sessionKey}`;
}

function createScope(reach: Scope["reach"], rules: readonly Candidate[], before: Scope | undefined): Scope {
  const keywordRules = rules.filter(({ rule }) => rule.type === "keyword");
  const windowed = rules.filter(({ rule }) => rule.window);
  const always = listTargets(rules.filter(({ rule }) => !rule.window));
  let targets = listTargets(rules);
  let keywords: Promise<Keywords> | Keywords | undefined;
  return {
    reach,
    keywordRules,
    regexes: rules.filter(({ rule }) => rule.type === "regex"),
    isFor: (target) => targets.has(target),
    setClosed(closed) {
      if (windowed.length > 0) targets = always.union(listTargets(windowed.filter(({ rule }) => !closed.has(rule))));
    },
    keywords() {
      if (keywords) return keywords;
      if (before && hasSamePatterns(before.keywordRules, keywordRules)) {
        keywords = before.keywords();
        return keywords;
      }
      const preparing = prepareKeywords(keywordRules.map(({ rule }) => rule.pattern));
      keywords = preparing;
      preparing.then(
        (ready) => {
          keywords = ready;
        },
        () => {
          keywords = undefined;
        },
      );
      return keywords;
    },
  };
}

function listTargets(rules: readonly Candidate[]): Set<Target> {
  return new Set(TARGETS.filter((target) => rules.some(({ rule }) => isFor(rule, target))));
}

function hasSamePatterns(before: readonly Candidate[], after: readonly Candidate[]): boolean {
  return (
    before.length === after.length && before.every(({ rule }, index) => rule.pattern === after[index]?.rule.pattern)
  );
}
