import Joi from "@hapi/joi";
import { type Channels, formatWarnings, hasScope, type RouteTable, reply, route } from "@parley/core";
import { listQuery } from "@parley/core/http";
import type { FilterEngine } from "./engine/engine.ts";
import type { HistoryQuery, HitHistory } from "./engine/hit-history.ts";
import {
  clearedHits,
  groupRenamed,
  groupSwitched,
  hitList,
  importedWords,
  movedRule,
  placedRule,
  removedRule,
  ruleListing,
  ruleTrial,
  switchedData,
} from "./response-schemas.ts";
import { groupName, groupSwitch, moveBody, type RuleArrangement } from "./rules/arrangement.ts";
import type { RegexAnalysis } from "./rules/regex-analysis.ts";
import {
  GLOBAL,
  placeQuery,
  type RulePatch,
  ruleDraft,
  rulePatch,
  toggleBody,
  trialBody,
  wordList,
} from "./rules/rule.ts";
import type { RuleRecords } from "./rules/rule-records.ts";
import type { RuleView } from "./rules/rule-view.ts";
import { filterTexts } from "./texts.ts";

const path = "/api/message-filter";
/** Maximum size of a word list with 100,000 lines. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

const moment = Joi.string().isoDate();
const historyQuery = listQuery<HistoryQuery>({
  rule: Joi.string().max(128).description("Id of a rule that matched"),
  session_id: Joi.string().max(256),
  blocked: Joi.boolean().description("true: only blocked messages; false: only others"),
  since: moment,
  until: moment,
});

export interface RouteDeps {
  readonly records: RuleRecords;
  readonly arrangement: RuleArrangement;
  readonly history: HitHistory;
  readonly engine: FilterEngine;
  readonly advice: RegexAnalysis;
  readonly channels: () => Channels | undefined;
}

export function createFilterRoutes({ records, arrangement, history, engine, advice, channels }: RouteDeps): RouteTable {
  /** Returns the rule with warnings for its author. */
  const stored = async (rule: RuleView) => {
    const isUnknown = rule.channel !== GLOBAL && channels()?.get(rule.channel) === undefined;
    const notes = [
      ...(isUnknown ? [filterTexts.message("no_channel_yet", { id: rule.channel })] : []),
      ...(rule.type === "regex" ? [await advice.findWarning(rule.pattern)] : []),
    ].filter((note) => note !== undefined);
    if (notes.length === 0) return reply({ data: rule });
    return reply({ data: { ...rule, ...formatWarnings(notes) }, message: notes.map(({ error }) => error).join("; ") });
  };
  return [
    route({
      method: "GET",
      path,
      summary: "get the master switch and all rules",
      data: ruleListing,
      run() {
        const data = records.list();
        return reply({
          data,
          ...(data.problem !== null && {
            message: `the file cannot be used, the last good rules are in force: ${data.problem}`,
          }),
        });
      },
    }),
    route({
      method: "POST",
      path,
      summary: "create a rule (no channel: global rule)",
      data: placedRule,
      scope: "admin",
      body: ruleDraft,
      run: async ({ body }) => stored(await records.create(body)),
    }),
    route({
      method: "GET",
      path: `${path}/{rule_id}`,
      summary: "get a rule",
      data: placedRule,
      run: ({ params }) => records.get(params.rule_id),
    }),
    route({
      method: "PUT",
      path: `${path}/{rule_id}`,
      summary: "change pattern, type, action, filter_target or enabled of a rule",
      data: placedRule,
      scope: "admin",
      query: placeQuery,
      body: rulePatch,
      run: async ({ params, body, ifMatch }) => {
        const rule = await records.update(params.rule_id, body, ifMatch);
        return changesPattern(body) ? stored(rule) : rule;
      },
    }),
    route({
      method: "DELETE",
      path: `${path}/{rule_id}`,
      summary: "delete a rule (query channel, session_id narrow)",
      data: removedRule,
      scope: "admin",
      query: placeQuery,
      run: ({ params, query, ifMatch }) => records.remove(params.rule_id, query, ifMatch),
    }),
    route({
      method: "POST",
      path: `${path}/{rule_id}/move`,
      summary: "move a rule within its list: before or after another, or to a position",
      data: movedRule,
      scope: "admin",
      body: moveBody,
      run: ({ params, body, ifMatch }) => arrangement.move(params.rule_id, body, ifMatch),
    }),
    route({
      method: "POST",
      path: `${path}/groups/toggle`,
      summary: "switch all rules of a group on or off",
      data: groupSwitched,
      scope: "admin",
      body: groupSwitch,
      run: ({ body }) => arrangement.switchGroup(body),
    }),
    route({
      method: "POST",
      path: `${path}/groups/rename`,
      summary: "rename a group; an empty name removes its rules from the group",
      data: groupRenamed,
      scope: "admin",
      body: groupName,
      run: ({ body }) => arrangement.renameGroup(body),
    }),
    route({
      method: "POST",
      path: `${path}/toggle`,
      summary: "set the master switch",
      data: switchedData,
      scope: "admin",
      body: toggleBody,
      run: ({ body }) => records.toggle(body.enabled),
    }),
    route({
      method: "POST",
      path: `${path}/test`,
      summary: "test the rules on a text",
      data: ruleTrial,
      scope: "read",
      body: trialBody,
      run: ({ body }) => engine.tryRules(body),
    }),
    route({
      method: "POST",
      path: `${path}/import`,
      summary: "add a list of keywords",
      data: importedWords,
      scope: "admin",
      body: wordList,
      maxBytes: MAX_LIST_BYTES,
      run: ({ body }) => records.importWords(body),
    }),
    route({
      method: "GET",
      path: `${path}/hits`,
      summary: "list filter hits, newest first; administrators also get the texts",
      data: hitList,
      query: historyQuery,
      async run({ query, caller }) {
        const { items, ...page } = await history.page(query);
        if (hasScope(caller, "admin")) return { items, ...page };
        return { items: items.map((hit) => ({ ...hit, text: null })), ...page };
      },
    }),
    route({
      method: "DELETE",
      path: `${path}/hits`,
      summary: "delete the filter hits; the counts remain",
      data: clearedHits,
      scope: "admin",
      run: async () => ({ removed: await history.clear() }),
    }),
  ];
}

function changesPattern(patch: RulePatch): boolean {
  return patch.pattern !== undefined || patch.type !== undefined;
}
