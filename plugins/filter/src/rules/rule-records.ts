import { isDeepStrictEqual } from "node:util";
import {
  type Clock,
  checkRevision,
  type JsonFile,
  type LiveEvents,
  type Localized,
  newId,
  notFound,
  resourceChanged,
} from "@parley/core";
import { isVisible } from "@parley/core/channels";
import { foldText } from "@parley/core/text-match";
import type { HitCounts, RuleHits } from "../engine/hit-counts.ts";
import { filterTexts } from "../texts.ts";
import type { ActiveRules } from "./active-rules.ts";
import {
  appendRules,
  type InvalidRule,
  type PlacedRule,
  parseRules,
  type RuleDocument,
  removeRule,
  replaceRule,
} from "./document.ts";
import { checkRegex } from "./regex-analysis.ts";
import {
  GLOBAL,
  type PlaceDraft,
  parseChannel,
  parseOptionalFields,
  parsePattern,
  parsePlace,
  parseSessionKey,
  type Rule,
  type RuleDraft,
  type RulePatch,
  type WordList,
} from "./rule.ts";
import type { RuleHealth } from "./rule-health.ts";
import { getPlacedRule, RULE_KIND, type RuleView, toRuleView } from "./rule-view.ts";

/** Response of `GET /api/message-filter`: the fields of the spec, and further data about the rules. */
export interface RuleListing {
  readonly enabled: boolean;
  readonly rules: {
    readonly global: readonly Rule[];
    readonly channels: Readonly<Record<string, readonly Rule[]>>;
  };
  /** Hits by rule id, for rules that have ever matched. */
  readonly stats: Readonly<Record<string, RuleHits>>;
  /** Ids of regular expressions that are quarantined until they are edited. */
  readonly quarantined: readonly string[];
  /** Ids of enabled rules that are outside their time window. */
  readonly outside_window: readonly string[];
  /** Entries of the file that are never applied. */
  readonly invalid: readonly InvalidRule[];
  /** The reason why the file cannot be read; the last valid rules are then in effect. */
  readonly problem: string | null;
  /** Localized problem; absent when only the English text is known. */
  readonly problem_texts?: Localized | null;
}

/** Manages rules for the REST routes and the chat command. */
export interface RuleRecords {
  list(): RuleListing;
  get(id: string): RuleView;
  create(draft: RuleDraft, id?: string): Promise<RuleView>;
  update(id: string, patch: RulePatch, ifMatch?: number): Promise<RuleView>;
  /** Removes a rule; rejects with `not_found` too when the rule is not in the given place. */
  remove(id: string, place?: Pick<PlaceDraft, "channel" | "session_id">, ifMatch?: number): Promise<RemovedRule>;
  toggle(enabled: boolean): Promise<{ readonly enabled: boolean }>;
  /** Adds keywords, except blank ones and those that the list has already. */
  importWords(list: WordList): Promise<{ readonly imported: number; readonly skipped: number }>;
}

export interface RemovedRule {
  readonly id: string;
  readonly deleted: true;
  readonly channel: string;
  readonly session_id: string;
}

export interface RuleRecordsDeps {
  readonly file: JsonFile<RuleDocument>;
  readonly health: RuleHealth;
  readonly hits: HitCounts;
  readonly activeRules: Pick<ActiveRules, "current">;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createRuleRecords({ file, health, hits, activeRules, events, clock }: RuleRecordsDeps): RuleRecords {
  const now = () => new Date(clock.now()).toISOString().slice(0, -1);
  const publishChange = (id: string, action: "created" | "updated" | "deleted" | "toggled" | "imported") =>
    events.publish(resourceChanged(RULE_KIND, id, action));

  return {
    list() {
      const document = file.read();
      const { rules, invalid } = parseRules(document);
      const channels = new Map<string, Rule[]>();
      for (const { rule, channel } of rules) {
        const list = channels.get(channel);
        if (list) list.push(rule);
        else channels.set(channel, [rule]);
      }
      const global = channels.get(GLOBAL) ?? [];
      channels.delete(GLOBAL);
      return {
        enabled: document.enabled,
        rules: { global, channels: Object.fromEntries(channels) },
        stats: Object.fromEntries(hits.all()),
        quarantined: health.listQuarantined(),
        outside_window: [...activeRules.current().closed].map(({ id }) => id),
        invalid,
        problem: file.problem() ?? null,
        problem_texts: file.problemTexts?.() ?? null,
      };
    },
    get: (id) => toRuleView(getPlacedRule(file.read(), id)),
    async create(draft, id = newId("rule", clock.now())) {
      const { type, action, filter_target, enabled } = draft;
      const optional = parseOptionalFields(draft);
      const place = parsePlace(draft);
      const pattern = parsePattern(draft.pattern, type);
      if (type === "regex") checkRegex(pattern);
      const { session_scope, session_id } = place;
      const rule: Rule = {
        id,
        pattern,
        type,
        action,
        ...optional,
        filter_target,
        session_scope,
        session_id,
        enabled,
        created_at: now(),
      };
      const stored = await file.update((document) =>
        parseRules(document).byId.has(id) ? document : appendRules(document, place, [rule]),
      );
      publishChange(id, "created");
      return toRuleView(getPlacedRule(stored, id));
    },
    async update(id, patch, ifMatch) {
      const stored = await file.update((document) => {
        const placed = getPlacedRule(document, id);
        checkRevision(toRuleView(placed), ifMatch);
        rejectPlaceChange(placed, patch);
        const { replacement: _text, whole_word: _word, group: _name, window: _times, ...before } = placed.rule;
        const { pattern, type, action, filter_target, enabled, ...more } = { ...placed.rule, ...patch };
        const changed = { pattern: parsePattern(pattern, type), type, action, filter_target, enabled };
        const next = { ...before, ...changed, ...parseOptionalFields({ type, action, ...more }) };
        if (type === "regex") checkRegex(next.pattern);
        return replaceRule(document, placed, next);
      });
      health.release(id);
      publishChange(id, "updated");
      return toRuleView(getPlacedRule(stored, id));
    },
    async remove(id, place = {}, ifMatch) {
      let removed: PlacedRule | undefined;
      await file.update((document) => {
        removed = getPlacedRule(document, id);
        if (!isAt(removed, place)) throw notFound("filter rule", id);
        checkRevision(toRuleView(removed), ifMatch);
        return removeRule(document, removed);
      });
      health.release(id);
      hits.forget(id);
      publishChange(id, "deleted");
      const { channel, rule } = removed as PlacedRule;
      return { id, deleted: true, channel, session_id: rule.session_id };
    },
    async toggle(enabled) {
      if (file.read().enabled !== enabled || file.problem())
        await file.update((document) => ({ ...document, enabled }));
      publishChange("*", "toggled");
      return { enabled };
    },
    async importWords({ keywords, action, filter_target, ...draft }) {
      if (!keywords.some(isVisible)) throw filterTexts.error("bad_request", "no_keywords", {}, { field: "keywords" });
      const optional = parseOptionalFields({ type: "keyword", action, ...draft });
      const place = parsePlace(draft);
      const { session_scope, session_id } = place;
      let imported = 0;
      await file.update((document) => {
        const there = new Set(
          parseRules(document)
            .rules.filter(
              ({ rule, channel }) =>
                channel === place.channel && isDuplicate(rule, { action, ...optional, filter_target, session_id }),
            )
            .map(({ rule }) => foldText(rule.pattern)),
        );
        const added: Rule[] = [];
        for (const word of keywords) {
          const pattern = word.trim();
          const folded = foldText(pattern);
          if (pattern === "" || there.has(folded)) continue;
          there.add(folded);
          added.push({
            id: newId("rule", clock.now()),
            pattern: parsePattern(pattern, "keyword"),
            type: "keyword",
            action,
            ...optional,
            filter_target,
            session_scope,
            session_id,
            enabled: true,
            created_at: now(),
          });
        }
        imported = added.length;
        return added.length > 0 ? appendRules(document, place, added) : document;
      });
      publishChange("*", "imported");
      return { imported, skipped: keywords.length - imported };
    },
  };
}

function isDuplicate(
  rule: Rule,
  {
    action,
    replacement,
    whole_word,
    window,
    filter_target,
    session_id,
  }: Pick<Rule, "action" | "replacement" | "whole_word" | "window" | "filter_target" | "session_id">,
): boolean {
  return (
    rule.type === "keyword" &&
    rule.action === action &&
    rule.replacement === replacement &&
    rule.whole_word === whole_word &&
    isDeepStrictEqual(rule.window, window) &&
    rule.filter_target === filter_target &&
    rule.session_id === session_id
  );
}

/** Throws when a patch changes the place of a rule; the current values may be sent. */
function rejectPlaceChange({ rule, channel }: PlacedRule, patch: RulePatch): void {
  const reject = (field: string) => {
    throw filterTexts.error("bad_request", "fixed", {}, { field });
  };
  if (patch.channel !== undefined && parseChannel(patch.channel) !== channel) reject("channel");
  if (patch.session_scope !== undefined && patch.session_scope !== rule.session_scope) reject("session_scope");
  if (patch.session_id === undefined) return;
  const session_id =
    patch.session_id === "" || channel === GLOBAL ? patch.session_id : parseSessionKey(patch.session_id, channel);
  if (session_id !== rule.session_id) reject("session_id");
}

function isAt(placed: PlacedRule, { channel, session_id }: Pick<PlaceDraft, "channel" | "session_id">): boolean {
  if (channel !== undefined && parseChannel(channel) !== placed.channel) return false;
  if (session_id === undefined || session_id === "") return true;
  return placed.channel !== GLOBAL && parseSessionKey(session_id, placed.channel) === placed.rule.session_id;
}
