import type { Clock, FilterRequest, FilterResult, MessageFilter, RegexRunner } from "@parley/core";
import { normalizeChannelId, sessionKey } from "@parley/core/channels";
import { fold, isWholeWord, type Range } from "@parley/core/text-match";
import type { ActiveRuleState, ActiveRules } from "../rules/active-rules.ts";
import { checkRegex } from "../rules/regex-analysis.ts";
import {
  GLOBAL,
  parseChannel,
  parseOptionalFields,
  parsePattern,
  parseSessionKey,
  type Rule,
  type Trial,
} from "../rules/rule.ts";
import type { RuleHealth } from "../rules/rule-health.ts";
import { type Candidate, createRuleSet, isFor, type RuleSet, type Scope, type Target } from "../rules/rule-set.ts";
import { EMPTY_RULES } from "../rules/window-watch.ts";
import type { HitCounts } from "./hit-counts.ts";
import { createTextCut } from "./ranges.ts";
import { createReplacements, stripPlaceholders } from "./replacements.ts";

const MAX_PASSES = 16;
const MAX_CACHED_TEXTS = 128;
const MAX_SHOWN_RANGES = 1_000;
const TRIAL_ID = "rule_trial";

export interface FilterEngine extends MessageFilter {
  /** True when an active rule may apply to this target in the session. */
  hasRulesFor(target: Target, channelId: string, sessionId: string): boolean;
  /** Tests rules on a text without counting hits. */
  tryRules(trial: Trial): Promise<TrialResult>;
  /** Returns the action of an active rule; undefined when the rule no longer exists. */
  getAction(ruleId: string): Rule["action"] | undefined;
  /** Returns the number of filtered texts, and the milliseconds spent on them, since the start. */
  getUsage(): { readonly texts: number; readonly ms: number };
}

export interface TrialResult {
  readonly content: string;
  readonly filtered: boolean;
  readonly blocked: boolean;
  readonly matches: readonly TrialMatch[];
  /** Ids of rules that took too long or are quarantined. */
  readonly skipped: readonly string[];
  readonly duration_ms: number;
}

export interface TrialMatch {
  readonly id: string;
  readonly pattern: string;
  readonly type: Rule["type"];
  readonly action: Rule["action"];
  readonly reach: Scope["reach"] | "trial";
  /** True when the rule matches but is outside its time window. */
  readonly outside_window: boolean;
  /** Ranges in the original text, in UTF-16 units. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

export interface FilterEngineDeps {
  readonly activeRules: ActiveRules;
  readonly runner: RegexRunner;
  readonly health: RuleHealth;
  readonly hits: HitCounts;
  readonly clock: Clock;
}

type OnMatch = (candidate: Candidate, scope: number, range: Range) => void;

/** The rules that are applied to a text. */
interface RuleSelection {
  readonly scopes: readonly Scope[];
  readonly target: Target;
  readonly closed: ReadonlySet<Rule>;
}

/** Result for a text that no applicable rule changes. */
interface CleanResult {
  readonly skipped: readonly string[];
}

export function createFilterEngine({ activeRules, runner, health, hits, clock }: FilterEngineDeps): FilterEngine {
  let lastActive: ActiveRuleState | undefined;
  // A message is filtered when it arrives and when it is stored; the second result is cached.
  const clean = new Map<string, CleanResult>();
  let texts = 0;
  let ms = 0;

  const current = (): ActiveRuleState => {
    const now = activeRules.current();
    if (now !== lastActive) clean.clear();
    lastActive = now;
    return now;
  };
  const scopesFor = (target: Target, channelId: string, sessionId: string): readonly Scope[] => {
    const { enabled, rules } = current();
    return enabled ? rules.getScopesFor(normalizeChannelId(channelId), sessionKey(sessionId), target) : [];
  };
  /** Finds all matches of the rules outside `closed`. Rules that take too long are added to `skipped`. */
  const findMatches = async (
    text: string,
    { scopes, target, closed }: RuleSelection,
    skipped: Set<Rule>,
    found: OnMatch,
  ) => {
    const folded = fold(text);
    const isWanted = ({ rule }: Candidate) => isFor(rule, target) && !closed.has(rule);
    const regexes: { readonly candidate: Candidate; readonly scope: number }[] = [];
    for (const [index, scope] of scopes.entries()) {
      const prepared = scope.keywords();
      const keywords = prepared instanceof Promise ? await prepared : prepared;
      keywords.search(folded, (keyword, range) => {
        const candidate = scope.keywordRules[keyword] as Candidate;
        if (isWanted(candidate) && matchesWord(candidate, text, range)) found(candidate, index, range);
      });
      for (const candidate of scope.regexes) {
        if (isWanted(candidate) && !skipped.has(candidate.rule)) regexes.push({ candidate, scope: index });
      }
    }
    const usable = () => {
      for (const { candidate } of regexes) if (health.isQuarantined(candidate.rule)) skipped.add(candidate.rule);
      return regexes.filter(({ candidate }) => !skipped.has(candidate.rule));
    };
    if (usable().length === 0) return;
    let tried: typeof regexes = [];
    const findings = await runner.find(text, () => {
      tried = usable();
      return tried.map(({ candidate }) => candidate.rule.pattern);
    });
    for (const [index, { candidate, scope }] of tried.entries()) {
      const finding = findings[index] ?? "timeout";
      if (finding === "timeout") {
        skipped.add(candidate.rule);
        health.reportTimeout(candidate.rule);
      } else for (const range of finding) found(candidate, scope, range);
    }
  };
  const applyRules = async (text: string, looked: RuleSelection, hasAttachments: boolean): Promise<FilterResult> => {
    const matched = new Map<Rule, number>();
    const skipped = new Set<Rule>();
    const replaced = createReplacements();
    const end = (now: string, blocked: boolean): FilterResult => ({
      text: blocked ? "" : replaced.fillIn(now),
      filtered: matched.size > 0,
      blocked,
      rules: [...matched].sort(([, a], [, b]) => a - b).map(([{ id }]) => id),
      skipped: [...skipped].map(({ id }) => id),
    });
    let now = stripPlaceholders(text);
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const cut = createTextCut();
      let isRecalled = false;
      let hasMatch = false;
      await findMatches(now, looked, skipped, ({ rule, order }, scope, range) => {
        hasMatch = true;
        const rank = scope * 1e6 + order;
        if (!matched.has(rule)) matched.set(rule, rank);
        if (rule.action === "recall") isRecalled = true;
        else cut.add(range, rank, rule.action === "replace" ? replaced.getPlaceholder(rule.replacement ?? "") : "");
      });
      if (isRecalled) return end("", true);
      if (!hasMatch) return end(now, false);
      now = cut.apply(now).trim();
      if (now === "") return end("", !hasAttachments);
    }
    return end("", true);
  };

  return {
    hasRulesFor: (target, channelId, sessionId) => scopesFor(target, channelId, sessionId).length > 0,
    async apply({ text, target, channelId, sessionId, hasAttachments, isPreview = false }: FilterRequest) {
      const scopes = scopesFor(target, channelId, sessionId);
      if (scopes.length === 0 || text === "") return { text, filtered: false, blocked: false, rules: [], skipped: [] };
      const key = `${target}\n${channelId}\n${sessionId}\n${text}`;
      const known = clean.get(key);
      if (known) return { text, filtered: false, blocked: false, rules: [], skipped: known.skipped };
      const began = clock.monotonic();
      const judged = lastActive;
      const result = await applyRules(text, { scopes, target, closed: judged?.closed ?? EMPTY_RULES }, hasAttachments);
      texts += 1;
      ms += clock.monotonic() - began;
      if (!isPreview) hits.add(result.rules);
      if (!result.blocked && judged === lastActive)
        cacheClean(clean, `${target}\n${channelId}\n${sessionId}\n${result.text}`, result);
      return result;
    },
    async tryRules({ text, target, channel, session_id = "", rule }) {
      const channelId = parseChannel(channel);
      const session = session_id === "" ? "" : parseSessionKey(session_id, channelId);
      const { rules, ...state } = current();
      const scopes = [...rules.getAllScopes(channelId === GLOBAL ? "" : channelId, session)];
      const closed = new Set(state.closed);
      if (rule) {
        const { scopes: tried, windowed } = createTrialRules(rule);
        scopes.unshift(...tried.values());
        for (const one of windowed) if (one.window && !activeRules.isOpen(one.window)) closed.add(one);
      }
      const began = clock.monotonic();
      const skipped = new Set<Rule>();
      const matches = new Map<Rule, { readonly scope: number; readonly ranges: { start: number; end: number }[] }>();
      await findMatches(text, { scopes, target, closed: EMPTY_RULES }, skipped, ({ rule: one }, scope, [from, to]) => {
        const match = matches.get(one) ?? { scope, ranges: [] };
        matches.set(one, match);
        if (match.ranges.length < MAX_SHOWN_RANGES) match.ranges.push({ start: from, end: to });
      });
      const { text: content, filtered, blocked } = await applyRules(text, { scopes, target, closed }, false);
      return {
        content,
        filtered,
        blocked,
        matches: [...matches].map(([one, { scope, ranges }]) => ({
          id: one.id,
          pattern: one.pattern,
          type: one.type,
          action: one.action,
          reach: one.id === TRIAL_ID ? "trial" : (scopes[scope] as Scope).reach,
          outside_window: closed.has(one),
          ranges,
        })),
        skipped: [...skipped].map(({ id }) => id),
        duration_ms: clock.monotonic() - began,
      };
    },
    getAction: (ruleId) => lastActive?.byId.get(ruleId)?.rule.action,
    getUsage: () => ({ texts, ms }),
  };
}

/** True when a keyword match counts, considering the whole-word option of the rule. */
function matchesWord({ rule }: Candidate, text: string, range: Range): boolean {
  return rule.whole_word !== true || isWholeWord(text, range);
}

/** Creates a rule set with one rule that is not stored; throws `bad_request` for an invalid pattern. */
function createTrialRules({ pattern, type, action, window, ...more }: NonNullable<Trial["rule"]>): RuleSet {
  if (type === "regex") checkRegex(pattern);
  const rule: Rule = {
    id: TRIAL_ID,
    pattern: parsePattern(pattern, type),
    type,
    action,
    ...parseOptionalFields({ type, action, window, ...more }),
    filter_target: "both",
    session_scope: "all",
    session_id: "",
    enabled: true,
    created_at: "",
  };
  const placed = { rule, channel: GLOBAL };
  return createRuleSet({ rules: [placed], byId: new Map([[rule.id, placed]]), invalid: [] });
}

/** Caches the result of a clean text, and drops the oldest results. */
function cacheClean(clean: Map<string, CleanResult>, key: string, { skipped }: CleanResult): void {
  const [oldest] = clean.keys();
  if (clean.size >= MAX_CACHED_TEXTS && oldest !== undefined) clean.delete(oldest);
  clean.set(key, { skipped });
}
