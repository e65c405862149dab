import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";

export type Rule = Shapes["Rule"];
export type RuleAction = Rule["action"];
export type RuleTarget = Rule["filter_target"];
/** A rule with its list: `global` or a channel id. */
export type ScopedRule = Omit<Shapes["PlacedRule"], "revision">;
/** A rule as last read, with its revision. */
export type ReadRule = Shapes["PlacedRule"];
export type RuleWindow = Shapes["RuleWindow"];
export type FilterHit = Shapes["FilterHit"];
export type RuleListing = Shapes["RuleListing"];

/** The request for a rule; `session_id` is "" for the whole channel. */
export interface RuleDraft
  extends Pick<ScopedRule, "pattern" | "type" | "action" | "replacement" | "filter_target" | "channel" | "session_id"> {
  readonly whole_word?: boolean;
  /** "" for none. */
  readonly group?: string;
  /** null for always. */
  readonly window?: RuleWindow | null;
}

interface TrialDraft {
  readonly text: string;
  readonly target?: "user" | "ai";
  readonly channel?: string;
  readonly session_id?: string;
  readonly rule?: Pick<RuleDraft, "pattern" | "type" | "action" | "replacement" | "window" | "whole_word">;
}

interface HitQuery extends Page {
  readonly rule?: string;
  readonly since?: string;
  readonly until?: string;
}

const FILTER_PATH = "/api/message-filter";
const RULE_PATH = `${FILTER_PATH}/{rule_id}` as const;

export const filter = {
  list: () => parley.get(FILTER_PATH),
  setEnabled: (enabled: boolean) => parley.post(`${FILTER_PATH}/toggle`, { body: { enabled } }),
  get: (rule_id: string) => parley.get(RULE_PATH, { path: { rule_id } }),
  create: (draft: RuleDraft) => parley.answer("post", FILTER_PATH, { body: toRequest(draft) }),
  update: (
    rule_id: string,
    body: Partial<Omit<RuleDraft, "channel" | "session_id"> & Pick<Rule, "enabled">>,
    ifMatch?: number,
  ) => parley.answer("put", RULE_PATH, { path: { rule_id }, body, ifMatch }),
  move: (rule_id: string, body: { readonly before: string } | { readonly after: string }) =>
    parley.post(`${RULE_PATH}/move`, { path: { rule_id }, body }),
  setGroupEnabled: (group: string, enabled: boolean) =>
    parley.post(`${FILTER_PATH}/groups/toggle`, { body: { group, enabled } }),
  renameGroup: (group: string, name: string) => parley.post(`${FILTER_PATH}/groups/rename`, { body: { group, name } }),
  remove: (rule_id: string) => parley.delete(RULE_PATH, { path: { rule_id } }),
  test: (body: TrialDraft) => parley.post(`${FILTER_PATH}/test`, { body }),
  listHits: (query: HitQuery) => parley.get(`${FILTER_PATH}/hits`, { query }),
  clearHits: () => parley.delete(`${FILTER_PATH}/hits`),
  importWords: (keywords: readonly string[], draft: Omit<RuleDraft, "pattern" | "type">) =>
    parley.post(`${FILTER_PATH}/import`, { body: { keywords, ...toRequest(draft) } }),
};

/** Returns every rule with its list, global ones first. */
export function toRuleList({ rules: { global, channels } }: RuleListing): readonly ScopedRule[] {
  const lists = [["global", global] as const, ...Object.entries(channels)];
  return lists.flatMap(([channel, list]) => list.map((rule) => ({ ...rule, channel })));
}

/** Returns the short name of a rule, for lists. */
export function toRuleName({ pattern, group }: ScopedRule): string {
  return group === undefined ? pattern : `${pattern} · ${group}`;
}

/** True when an active rule filters replies; such rules need the whole reply. */
export function hasReplyFilter(listing: RuleListing): boolean {
  const inactiveIds = new Set(listing.outside_window);
  const isActive = ({ id, enabled, filter_target }: Rule) =>
    enabled && filter_target !== "user" && !inactiveIds.has(id);
  return listing.enabled && toRuleList(listing).some(isActive);
}

function toRequest<Draft extends Omit<RuleDraft, "pattern" | "type">>({ session_id, ...draft }: Draft) {
  return { ...draft, ...(session_id !== "" && { session_id, session_scope: "specific" as const }) };
}
