import { AppError, type ChatCommand, derivedId, type Turn } from "@parley/core";
import { GLOBAL, type PlaceDraft, RULE_TARGETS, RULE_TYPES, type Rule } from "./rule.ts";
import type { RuleRows } from "./rule-rows.ts";

/** A replacement has no place in one line of words. */
const ACTIONS = ["strip", "recall"] as const;
const COMMAND = "/msg_filter";
const MAX_LINES = 20;
const MAX_SHOWN = 40;

const USAGE = [
  `${COMMAND} add <keyword> [keyword|regex] [strip|recall] [user|ai|both]`,
  `${COMMAND} del <rule_id> [-g <group_id>]`,
  `${COMMAND} list [-g <group_id>]`,
  `${COMMAND} on`,
  `${COMMAND} off`,
].join("\n");

/** `/msg_filter …`. */
export function filterCommand(rows: RuleRows): ChatCommand {
  const actions: Readonly<Record<string, (words: readonly string[], turn: Turn) => Promise<string>>> = {
    add: (words, turn) => add(rows, words, turn),
    del: (words) => remove(rows, words),
    list: async (words) => list(rows, words),
    on: (words) => toggle(rows, words, true),
    off: (words) => toggle(rows, words, false),
  };
  return {
    name: COMMAND,
    usage: `${COMMAND} add <keyword> [type] [action] [target] | del <rule_id> [-g <group_id>] | list [-g <group_id>] | on | off`,
    help: "Rules that remove words from messages or block them",
    category: "admin",
    adminOnly: true,
    async run(rest, turn) {
      const [action = "", ...words] = wordsOf(rest);
      return Object.hasOwn(actions, action) ? (actions[action]?.(words, turn) ?? USAGE) : USAGE;
    },
  };
}

export function isFilterCommand(text: string): boolean {
  return text.trim().split(/\s/, 1)[0] === COMMAND;
}

/** Words; quotes keep spaces together. */
export function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

async function add(rows: RuleRows, [pattern, ...options]: readonly string[], turn: Turn): Promise<string> {
  if (pattern === undefined) return USAGE;
  const chosen: { type?: Rule["type"]; action?: Rule["action"]; filter_target?: Rule["filter_target"] } = {};
  for (const word of options) {
    const type = RULE_TYPES.find((one) => one === word);
    const action = ACTIONS.find((one) => one === word);
    const target = RULE_TARGETS.find((one) => one === word);
    if (type) chosen.type = type;
    else if (action) chosen.action = action;
    else if (target) chosen.filter_target = target;
    else throw new AppError("bad_request", `'${word}' is no option.\n${USAGE}`);
  }
  const draft = { type: "keyword", action: "strip", replacement: "", filter_target: "user", ...chosen } as const;
  // The id comes from the turn: run again after a crash, it is the same rule.
  const rule = await rows.create(
    { ...draft, pattern, enabled: true, ...placeFor(turn) },
    derivedId("rule", turn.traceId),
  );
  const where =
    rule.session_scope === "specific" ? rule.session_id : rule.channel === GLOBAL ? "all channels" : rule.channel;
  return `rule ${rule.id} added for ${where}: ${rule.action} ${rule.type} "${rule.pattern}" (${rule.filter_target})`;
}

/** In a group the rule is the group's; elsewhere it is everybody's. */
function placeFor({ session, inbound }: Turn): PlaceDraft {
  if (!inbound.conversation.isGroup || session.channel_id === "web") return {};
  return { channel: session.channel_id, session_scope: "specific", session_id: session.id };
}

async function remove(rows: RuleRows, words: readonly string[]): Promise<string> {
  const { group, left } = groupOf(words);
  const [id, ...more] = left;
  if (id === undefined || more.length > 0) return USAGE;
  try {
    await rows.remove(id, group === undefined ? {} : { channel: "imA", session_id: `imA:group:${group}` });
  } catch (error) {
    if (AppError.is(error) && error.code === "not_found")
      return `rule ${id} not found${group === undefined ? "" : ` in group ${group}`}`;
    throw error;
  }
  return `rule ${id} deleted`;
}

function list(rows: RuleRows, words: readonly string[]): string {
  const { group, left } = groupOf(words);
  if (left.length > 0) return USAGE;
  const { enabled, rules } = rows.list();
  const all =
    group === undefined
      ? [...rules.global, ...Object.values(rules.channels).flat()]
      : ofGroup(rules.channels.imA ?? [], group);
  const lines = all.slice(0, MAX_LINES).map(({ id, type, action, filter_target, enabled: isOn, pattern }) => {
    const shown = [...pattern].length > MAX_SHOWN ? `${[...pattern].slice(0, MAX_SHOWN).join("")}…` : pattern;
    return `${id} ${type} ${action} ${filter_target} ${isOn ? "on" : "off"} ${shown}`;
  });
  const more = all.length > MAX_LINES ? [`… and ${all.length - MAX_LINES} more`] : [];
  const head = `the filter is ${enabled ? "on" : "off"}; ${all.length} ${all.length === 1 ? "rule" : "rules"}`;
  return [head, ...lines, ...more].join("\n");
}

function ofGroup(rules: readonly Rule[], group: string): readonly Rule[] {
  return rules.filter(
    ({ session_scope, session_id }) => session_scope === "all" || session_id === `imA:group:${group}`,
  );
}

async function toggle(rows: RuleRows, words: readonly string[], enabled: boolean): Promise<string> {
  if (words.length > 0) return USAGE;
  await rows.toggle(enabled);
  return `the filter is ${enabled ? "on" : "off"}`;
}

/** Takes `-g <group_id>` out, wherever it stands. */
function groupOf(words: readonly string[]): { readonly group?: string; readonly left: readonly string[] } {
  const at = words.indexOf("-g");
  if (at < 0) return { left: words };
  const group = words[at + 1];
  if (group === undefined) throw new AppError("bad_request", `-g needs the id of a group.\n${USAGE}`);
  return { group, left: words.toSpliced(at, 2) };
}
