import { type Channels, type RouteTable, reply, route } from "@parley/core";
import { importedWords, placedRule, removedRule, ruleListing, ruleTrial, switched } from "./answers.ts";
import type { FilterEngine } from "./engine.ts";
import type { RegexAdvice } from "./regex-advice.ts";
import { GLOBAL, placeQuery, type Rule, ruleDraft, rulePatch, toggleBody, trialBody, wordList } from "./rule.ts";
import type { RuleRows, RuleView } from "./rule-rows.ts";

const path = "/api/message-filter";
/** A word list of 100,000 lines. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

export interface RouteParts {
  readonly rows: RuleRows;
  readonly engine: FilterEngine;
  readonly advice: RegexAdvice;
  readonly channels: () => Channels | undefined;
}

export function filterRoutes({ rows, engine, advice, channels }: RouteParts): RouteTable {
  /** The rule, with a word about what its author may not expect. */
  const stored = async (rule: RuleView) => {
    const isUnknown = rule.channel !== GLOBAL && channels()?.get(rule.channel) === undefined;
    const notes = [
      ...(isUnknown ? [`there is no channel '${rule.channel}' yet`] : []),
      ...(rule.type === "regex" ? [await advice.warning(rule.pattern)] : []),
    ].filter((note) => note !== undefined);
    return reply({ data: rule, ...(notes.length > 0 && { message: notes.join("; ") }) });
  };
  return [
    route({
      method: "GET",
      path,
      summary: "read the switch and all rules",
      data: ruleListing,
      run() {
        const data = rows.list();
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
      run: async ({ body }) => stored(await rows.create(body)),
    }),
    route({
      method: "PUT",
      path: `${path}/{rule_id}`,
      summary: "change pattern, type, action, filter_target or enabled of a rule",
      data: placedRule,
      scope: "admin",
      query: placeQuery,
      body: rulePatch,
      run: async ({ params, body }) => {
        const rule = await rows.update(params.rule_id, body);
        return hasNewPattern(body) ? stored(rule) : rule;
      },
    }),
    route({
      method: "DELETE",
      path: `${path}/{rule_id}`,
      summary: "delete a rule (query channel, session_id narrow)",
      data: removedRule,
      scope: "admin",
      query: placeQuery,
      run: ({ params, query }) => rows.remove(params.rule_id, query),
    }),
    route({
      method: "POST",
      path: `${path}/toggle`,
      summary: "set the master switch",
      data: switched,
      scope: "admin",
      body: toggleBody,
      run: ({ body }) => rows.toggle(body.enabled),
    }),
    route({
      method: "POST",
      path: `${path}/test`,
      summary: "what the rules would do to a text",
      data: ruleTrial,
      scope: "read",
      body: trialBody,
      run: ({ body }) => engine.attempt(body),
    }),
    route({
      method: "POST",
      path: `${path}/import`,
      summary: "add a list of keywords",
      data: importedWords,
      scope: "admin",
      body: wordList,
      maxBytes: MAX_LIST_BYTES,
      run: ({ body }) => rows.importWords(body),
    }),
  ];
}

function hasNewPattern(patch: Partial<Rule>): boolean {
  return patch.pattern !== undefined || patch.type !== undefined;
}
