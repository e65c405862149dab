import { AppError, type ChatCommand, derivedId, joinLocalized, type Localized, type Turn } from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { GLOBAL, type PlaceDraft, RULE_TARGETS, RULE_TYPES, type Rule, type RuleDraft } from "./rules/rule.ts";
import type { RuleRecords } from "./rules/rule-records.ts";
import type { RuleWindow } from "./rules/window.ts";
import { filterTexts } from "./texts.ts";

/** Actions of the command; a replacement text has no place in its one line. */
const ACTIONS = ["strip", "recall"] as const;
const COMMAND = "/msg_filter";
/** Option of a rule, by its name in the API. */
const WHOLE_WORD = "whole_word";
const MAX_LINES = 20;
const MAX_SHOWN = 40;

const usageWith = (keyword: string, rule: string, group: string) =>
  [
    `${COMMAND} add <${keyword}> [keyword|regex] [${WHOLE_WORD}] [strip|recall] [user|ai|both]`,
    `${COMMAND} del <${rule}> [-g <${group}>]`,
    `${COMMAND} list [-g <${group}>]`,
    `${COMMAND} on`,
    `${COMMAND} off`,
  ].join("\n");
const USAGE = { en: usageWith("keyword", "rule_id", "group_id"), zh: usageWith("关键词", "规则 ID", "群号") };
const ONE_LINE_USAGE = {
  en: `${COMMAND} add <keyword> [type] [${WHOLE_WORD}] [action] [target] | del <rule_id> [-g <group_id>] | list [-g <group_id>] | on | off`,
  zh: `${COMMAND} add <关键词> [类型] [${WHOLE_WORD}（整词）] [动作] [对象] | del <规则 ID> [-g <群号>] | list [-g <群号>] | on | off`,
};

const DEFAULT_RULE: Omit<RuleDraft, "pattern" | "enabled"> = {
  type: "keyword",
  action: "strip",
  replacement: "",
  whole_word: false,
  group: "",
  window: null,
  filter_target: "user",
};

type CommandReply = string | Localized;

/** Creates the command `/msg_filter`. */
export function createFilterCommand(records: RuleRecords): ChatCommand {
  const actions: Readonly<Record<string, (words: readonly string[], turn: Turn) => Promise<CommandReply>>> = {
    add: (words, turn) => add(records, words, turn),
    del: (words) => remove(records, words),
    list: async (words) => list(records, words),
    on: (words) => toggle(records, words, true),
    off: (words) => toggle(records, words, false),
  };
  return {
    name: COMMAND,
    usage: ONE_LINE_USAGE,
    help: { en: "Rules that remove text from messages or block them", zh: "从消息中删除词语或拦截消息的规则" },
    category: "admin",
    adminOnly: true,
    async run(rest, turn) {
      const [action = "", ...words] = splitWords(rest);
      return Object.hasOwn(actions, action) ? (actions[action]?.(words, turn) ?? USAGE) : USAGE;
    },
  };
}

export function isFilterCommand(text: string): boolean {
  return text.trim().split(/\s/, 1)[0] === COMMAND;
}

/** Splits a text into words; quotes preserve spaces. */
export function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

async function add(records: RuleRecords, [pattern, ...options]: readonly string[], turn: Turn): Promise<CommandReply> {
  if (pattern === undefined) return USAGE;
  const chosen: Partial<Record<"type" | "action" | "filter_target" | "whole_word", unknown>> = {};
  for (const word of options) {
    const type = RULE_TYPES.find((one) => one === word);
    const action = ACTIONS.find((one) => one === word);
    const target = RULE_TARGETS.find((one) => one === word);
    if (type) chosen.type = type;
    else if (action) chosen.action = action;
    else if (target) chosen.filter_target = target;
    else if (word === WHOLE_WORD) chosen.whole_word = true;
    else return filterTexts.localized("command_no_option", { word, usage: USAGE });
  }
  const draft = { ...DEFAULT_RULE, ...(chosen as Partial<typeof DEFAULT_RULE>) };
  if (draft.whole_word && draft.type === "regex") return filterTexts.localized("command_whole_word");
  // The id derives from the turn, so that a repeat after a crash creates the same rule.
  const rule = await records.create(
    { ...draft, pattern, enabled: true, ...toPlaceDraft(turn) },
    derivedId("rule", turn.traceId),
  );
  const { id, channel, session_scope, session_id, action, type, filter_target: target } = rule;
  const everywhere = filterTexts.localized("command_all_channels");
  const place = session_scope === "specific" ? session_id : channel === GLOBAL ? everywhere : channel;
  const key = rule.whole_word === true ? "command_added_word" : "command_added";
  return filterTexts.localized(key, { id, place, rule: `${action} ${type} "${rule.pattern}"`, target });
}

/** Returns the scope of a new rule: the group's conversation in a group, else all conversations. */
function toPlaceDraft({ session, inbound }: Turn): PlaceDraft {
  if (!inbound.conversation.isGroup || session.channel_id === "web") return {};
  return { channel: session.channel_id, session_scope: "specific", session_id: session.id };
}

async function remove(records: RuleRecords, words: readonly string[]): Promise<CommandReply> {
  const { group, others } = extractGroup(words);
  if (group === "") return filterTexts.localized("command_no_group", { usage: USAGE });
  const [id, ...more] = others;
  if (id === undefined || more.length > 0) return USAGE;
  try {
    await records.remove(id, group === undefined ? {} : { channel: "imA", session_id: `imA:group:${group}` });
  } catch (error) {
    if (AppError.is(error) && error.code === "not_found")
      return group === undefined
        ? filterTexts.localized("command_not_found", { id })
        : filterTexts.localized("command_not_in_group", { id, group });
    throw error;
  }
  return filterTexts.localized("command_deleted", { id });
}

function list(records: RuleRecords, words: readonly string[]): CommandReply {
  const { group, others } = extractGroup(words);
  if (group === "") return filterTexts.localized("command_no_group", { usage: USAGE });
  if (others.length > 0) return USAGE;
  const { enabled, rules, outside_window } = records.list();
  const outsideWindow = new Set(outside_window);
  const all =
    group === undefined
      ? [...rules.global, ...Object.values(rules.channels).flat()]
      : filterByGroup(rules.channels.imA ?? [], group);
  const lines = all.slice(0, MAX_LINES).map((rule) => formatRuleLine(rule, outsideWindow.has(rule.id)));
  const unseen = all.length - MAX_LINES;
  const head = filterTexts.localized("command_listed", { state: toStateText(enabled), count: all.length });
  const more = unseen > 0 ? [filterTexts.localized("command_more", { count: unseen })] : [];
  return joinLocalized([head, ...lines, ...more], "lines");
}

function formatRuleLine(rule: Rule, isOutsideWindow: boolean): Localized {
  const { id, type, action, filter_target, enabled, pattern, whole_word, group, window } = rule;
  const shown = truncateWithEllipsis(pattern, MAX_SHOWN);
  const line = `${id} ${type} ${action} ${filter_target} ${enabled ? "on" : "off"} ${shown}`;
  const toList = (word: string, nameOf: string, outside: string, [open, close]: readonly [string, string]) => {
    const more = [
      ...(whole_word ? [word] : []),
      ...(group ? [`${nameOf}${group}`] : []),
      ...(window ? [formatWindow(window)] : []),
    ];
    const whole = [...more, ...(isOutsideWindow ? [outside] : [])];
    return whole.length === 0 ? line : `${line}${open}${whole.join("; ")}${close}`;
  };
  return {
    en: toList("whole word", "group ", "not now", [" (", ")"]),
    zh: toList("完整单词", "分组 ", "当前不在时段内", ["（", "）"]),
  };
}

/** Formats a window, such as `2026-12-01–2026-12-24 mon,tue 22:00–06:00`. */
function formatWindow({ from, until, days, start, end }: RuleWindow): string {
  const dates = from === undefined && until === undefined ? [] : [`${from ?? ""}–${until ?? ""}`];
  const hours = start === undefined ? [] : [`${start}–${end}`];
  return [...dates, ...(days ? [days.join(",")] : []), ...hours].join(" ");
}

function filterByGroup(rules: readonly Rule[], group: string): readonly Rule[] {
  return rules.filter(
    ({ session_scope, session_id }) => session_scope === "all" || session_id === `imA:group:${group}`,
  );
}

async function toggle(records: RuleRecords, words: readonly string[], enabled: boolean): Promise<CommandReply> {
  if (words.length > 0) return USAGE;
  await records.toggle(enabled);
  return toStateText(enabled);
}

const toStateText = (isOn: boolean): Localized => filterTexts.localized(isOn ? "command_on" : "command_off");

/** Extracts `-g <group_id>` from any position; `group` is empty when its id is missing. */
function extractGroup(words: readonly string[]): { readonly group?: string; readonly others: readonly string[] } {
  const at = words.indexOf("-g");
  if (at < 0) return { others: words };
  const group = words[at + 1] ?? "";
  return { group, others: words.toSpliced(at, 2) };
}
