import Joi from "@hapi/joi";
import {
  checkRevision,
  type JsonFile,
  type LiveEvents,
  notFound,
  reportProblem,
  resourceChanged,
  textOf,
} from "@parley/core";
import { filterTexts } from "../texts.ts";
import { changeList, getRawId, type PlacedRule, parseRules, type RuleDocument, replaceRules } from "./document.ts";
import { MAX_GROUP, parseGroup } from "./rule.ts";
import { getPlacedRule, RULE_KIND, type RuleView, toRuleView } from "./rule-view.ts";

/** Target position of a rule in its list; exactly one of the fields is set. */
export interface RuleMove {
  /** Id of a rule in the same list. */
  readonly before?: string;
  readonly after?: string;
  /** Position from 1; a number beyond the end means the last position. */
  readonly position?: number;
}

const ruleId = Joi.string().max(128);

export const moveBody = Joi.object<RuleMove>({
  before: ruleId.description("Id of a rule in the same list"),
  after: ruleId.description("Id of a rule in the same list"),
  position: Joi.number()
    .integer()
    .min(1)
    .description("Position from 1; a number beyond the end means the last position"),
}).custom((move: RuleMove, helpers) =>
  Object.keys(move).length === 1 ? move : reportProblem(filterTexts.error("bad_request", "say_where"), helpers),
);

export interface GroupSwitch {
  readonly group: string;
  readonly enabled: boolean;
}

export interface GroupName {
  readonly group: string;
  /** The new name; empty to remove the rules from the group. */
  readonly name: string;
}

const group = textOf(MAX_GROUP).required().description("Name of the group");
export const groupSwitch = Joi.object<GroupSwitch>({ group, enabled: Joi.boolean().required() });
export const groupName = Joi.object<GroupName>({
  group,
  name: textOf(MAX_GROUP).required().description("New name; an empty name removes the rules from the group"),
});

/** Changes the order and the groups of rules. */
export interface RuleArrangement {
  /** Moves a rule. Positions count within one list: that of everyone, of a channel, or of a conversation. */
  move(id: string, to: RuleMove, ifMatch?: number): Promise<RuleView & { readonly position: number }>;
  /** Enables or disables all rules of a group in one write; returns their number. */
  switchGroup(asked: GroupSwitch): Promise<GroupSwitch & { readonly rules: number }>;
  renameGroup(asked: GroupName): Promise<{ readonly group: string; readonly rules: number }>;
}

export interface RuleArrangementDeps {
  readonly file: JsonFile<RuleDocument>;
  readonly events: LiveEvents;
}

export function createRuleArrangement({ file, events }: RuleArrangementDeps): RuleArrangement {
  const changeGroup = async (name: string, change: (placed: PlacedRule) => PlacedRule["rule"]) => {
    let count = 0;
    await file.update((document) => {
      const members = listGroupMembers(document, name);
      count = members.length;
      if (count === 0) throw notFound("group", name);
      return replaceRules(document, members.map(change));
    });
    events.publish(resourceChanged(RULE_KIND, "*", "updated"));
    return count;
  };
  return {
    async move(id, to, ifMatch) {
      const stored = await file.update((document) => {
        const placed = getPlacedRule(document, id);
        checkRevision(toRuleView(placed), ifMatch);
        return moveRule(document, placed, to);
      });
      events.publish(resourceChanged(RULE_KIND, id, "reordered"));
      const placed = getPlacedRule(stored, id);
      return { ...toRuleView(placed), position: 1 + listSiblings(stored, placed).indexOf(placed) };
    },
    async switchGroup({ group: asked, enabled }) {
      const name = parseGroup(asked);
      return { group: name, enabled, rules: await changeGroup(name, ({ rule }) => ({ ...rule, enabled })) };
    },
    async renameGroup({ group: asked, name: wanted }) {
      const [before, name] = [parseGroup(asked), parseGroup(wanted)];
      const rules = await changeGroup(before, ({ rule: { group: _before, ...rule } }) => ({
        ...rule,
        ...(name !== "" && { group: name }),
      }));
      return { group: name, rules };
    },
  };
}

function listGroupMembers(document: RuleDocument, group: string): readonly PlacedRule[] {
  return group === "" ? [] : parseRules(document).rules.filter(({ rule }) => rule.group === group);
}

/** Returns the rules of the list in which a rule has its position. */
function listSiblings(document: RuleDocument, { rule: { session_id }, channel }: PlacedRule): readonly PlacedRule[] {
  return parseRules(document).rules.filter((one) => one.channel === channel && one.rule.session_id === session_id);
}

function moveRule(document: RuleDocument, placed: PlacedRule, to: RuleMove): RuleDocument {
  const [target, isAfter] = resolveTarget(document, placed, to);
  if (target === placed) return document;
  return changeList(document, placed.channel, (list) => {
    const at = list.findIndex((raw) => getRawId(raw) === placed.rule.id);
    const others = list.toSpliced(at, 1);
    const next = others.findIndex((raw) => getRawId(raw) === target.rule.id) + (isAfter ? 1 : 0);
    return others.toSpliced(next, 0, list[at]);
  });
}

/** Returns the rule beside the new position, and on which side of it that is. */
function resolveTarget(document: RuleDocument, placed: PlacedRule, to: RuleMove): readonly [PlacedRule, boolean] {
  const list = listSiblings(document, placed);
  const { before, after, position = 1 } = to;
  const beside = before ?? after;
  if (beside === undefined) {
    const now = list.indexOf(placed);
    const next = Math.min(position, list.length) - 1;
    return [list[next] ?? placed, next > now];
  }
  const target = getPlacedRule(document, beside);
  const field = before === undefined ? "after" : "before";
  if (!list.includes(target)) throw filterTexts.error("bad_request", "other_list", {}, { field });
  return [target, before === undefined];
}
