import { parley, type Shapes } from "../../shared/api/client.ts";

export type Rule = Shapes["Rule"];
export type RuleType = Rule["type"];
export type RuleAction = Rule["action"];
export type RuleTarget = Rule["filter_target"];
/** A rule with the list it stands in: `global` or a channel id. */
export type PlacedRule = Omit<Shapes["PlacedRule"], "revision">;
/** The same as it was when it was read. */
export type SeenRule = Shapes["PlacedRule"];
export type RuleTimes = Shapes["RuleWindow"];
export type FilterHit = Shapes["FilterHit"];
export type RuleListing = Shapes["RuleListing"];

/** `session_id` "": for the whole channel. */
export interface RuleDraft
  extends Pick<PlacedRule, "pattern" | "type" | "action" | "replacement" | "filter_target" | "channel" | "session_id"> {
  readonly whole_word?: boolean;
  /** "": none. */
  readonly group?: string;
  /** null: always. */
  readonly window?: RuleTimes | null;
}

interface TrialDraft {
  readonly text: string;
  readonly target?: "user" | "ai";
  readonly channel?: string;
  readonly session_id?: string;
  readonly rule?: Pick<RuleDraft, "pattern" | "type" | "action" | "replacement" | "window" | "whole_word">;
}

interface HitQuery {
  readonly rule?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

const path = "/api/message-filter";
const one = `${path}/{rule_id}` as const;

export const filter = {
  list: () => parley.get(path),
  toggle: (enabled: boolean) => parley.post(`${path}/toggle`, { body: { enabled } }),
  get: (rule_id: string) => parley.get(one, { path: { rule_id } }),
  create: (draft: RuleDraft) => parley.answer("post", path, { body: placed(draft) }),
  update: (
    rule_id: string,
    body: Partial<Omit<RuleDraft, "channel" | "session_id"> & Pick<Rule, "enabled">>,
    ifMatch?: number,
  ) => parley.answer("put", one, { path: { rule_id }, body, ...(ifMatch !== undefined && { ifMatch }) }),
  move: (rule_id: string, body: { readonly before: string } | { readonly after: string }) =>
    parley.post(`${one}/move`, { path: { rule_id }, body }),
  switchGroup: (group: string, enabled: boolean) => parley.post(`${path}/groups/toggle`, { body: { group, enabled } }),
  renameGroup: (group: string, name: string) => parley.post(`${path}/groups/rename`, { body: { group, name } }),
  remove: (rule_id: string) => parley.delete(one, { path: { rule_id } }),
  test: (body: TrialDraft) => parley.post(`${path}/test`, { body }),
  hits: (query: HitQuery) => parley.get(`${path}/hits`, { query }),
  clearHits: () => parley.delete(`${path}/hits`),
  importWords: (keywords: readonly string[], draft: Omit<RuleDraft, "pattern" | "type">) =>
    parley.post(`${path}/import`, { body: { keywords, ...placed(draft) } }),
};

/** Every rule with its list, global ones first. */
export function allRules({ rules: { global, channels } }: RuleListing): readonly PlacedRule[] {
  const lists = [["global", global] as const, ...Object.entries(channels)];
  return lists.flatMap(([channel, list]) => list.map((rule) => ({ ...rule, channel })));
}

/** What a rule is called where there is little room. */
export function nameOf({ pattern, group }: PlacedRule): string {
  return group === undefined ? pattern : `${pattern} · ${group}`;
}

/** Whether a rule in force looks at answers: it sees them when they are whole. */
export function holdsAnswers(listing: RuleListing): boolean {
  const resting = new Set(listing.outside_window);
  const holds = ({ id, enabled, filter_target }: Rule) => enabled && filter_target !== "user" && !resting.has(id);
  return listing.enabled && allRules(listing).some(holds);
}

function placed<Draft extends Omit<RuleDraft, "pattern" | "type">>({ session_id, ...draft }: Draft) {
  return { ...draft, ...(session_id !== "" && { session_id, session_scope: "specific" as const }) };
}
