import { api } from "../../shared/api/client.ts";

export type RuleType = "keyword" | "regex";
export type RuleAction = "strip" | "recall";
export type RuleTarget = "user" | "ai" | "both";

export interface Rule {
  readonly id: string;
  readonly pattern: string;
  readonly type: RuleType;
  readonly action: RuleAction;
  readonly filter_target: RuleTarget;
  readonly session_scope: "all" | "specific";
  readonly session_id: string;
  readonly enabled: boolean;
}

/** A rule with the list it stands in: `global` or a channel id. */
export interface PlacedRule extends Rule {
  readonly channel: string;
}

export interface RuleListing {
  readonly enabled: boolean;
  readonly rules: { readonly global: readonly Rule[]; readonly channels: Readonly<Record<string, readonly Rule[]>> };
  readonly stats: Readonly<Record<string, { readonly hits: number; readonly last_hit_at: string }>>;
  readonly quarantined: readonly string[];
  readonly invalid: readonly { readonly channel: string; readonly id: string; readonly problem: string }[];
  readonly problem: string | null;
}

export interface RuleDraft {
  readonly pattern: string;
  readonly type: RuleType;
  readonly action: RuleAction;
  readonly filter_target: RuleTarget;
  readonly channel: string;
  /** "": for the whole channel. */
  readonly session_id: string;
}

export interface RuleTrial {
  readonly content: string;
  readonly filtered: boolean;
  readonly blocked: boolean;
  readonly matches: readonly { readonly id: string; readonly pattern: string; readonly action: RuleAction }[];
  readonly skipped: readonly string[];
  readonly duration_ms: number;
}

const path = "/api/message-filter";

export const filter = {
  list: () => api.get<RuleListing>(path),
  toggle: (enabled: boolean) => api.post(`${path}/toggle`, { enabled }),
  create: (draft: RuleDraft) => api.answered<PlacedRule>("POST", path, { body: placed(draft) }),
  update: (id: string, patch: Partial<Pick<Rule, "pattern" | "type" | "action" | "filter_target" | "enabled">>) =>
    api.answered<PlacedRule>("PUT", `${path}/${id}`, { body: patch }),
  remove: (id: string) => api.remove(`${path}/${id}`),
  test: (trial: object) => api.post<RuleTrial>(`${path}/test`, trial),
  importWords: (keywords: readonly string[], draft: Omit<RuleDraft, "pattern" | "type">) =>
    api.post<{ readonly imported: number; readonly skipped: number }>(`${path}/import`, { keywords, ...placed(draft) }),
};

/** Every rule with its list, global ones first. */
export function allRules({ rules: { global, channels } }: RuleListing): readonly PlacedRule[] {
  const lists = [["global", global] as const, ...Object.entries(channels)];
  return lists.flatMap(([channel, list]) => list.map((rule) => ({ ...rule, channel })));
}

function placed<Draft extends Omit<RuleDraft, "pattern" | "type">>({ session_id, ...draft }: Draft): object {
  return { ...draft, ...(session_id !== "" && { session_id, session_scope: "specific" }) };
}
