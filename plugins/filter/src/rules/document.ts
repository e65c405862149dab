import { type AppError, type LocalizedError, toItemFailure } from "@parley/core";
import { normalizeChannelId } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import { filterTexts } from "../texts.ts";
import { checkRegex } from "./regex-analysis.ts";
import {
  GLOBAL,
  MAX_PATTERN,
  MAX_REPLACEMENT,
  type Place,
  parseOptionalFields,
  parsePattern,
  parseSessionKey,
  RULE_ACTIONS,
  RULE_TARGETS,
  RULE_TYPES,
  type Rule,
} from "./rule.ts";

const MAX_RULES = 200_000;
const MAX_REGEXES = 2_000;

/** The content of the rules file. Unknown parts are preserved. */
export interface RuleDocument {
  readonly enabled: boolean;
  readonly global: readonly unknown[];
  readonly channels: Readonly<Record<string, readonly unknown[]>>;
}

export const EMPTY_DOCUMENT: RuleDocument = { enabled: true, global: [], channels: {} };

/** A rule, and the list that contains it. */
export interface PlacedRule {
  readonly rule: Rule;
  /** `global` or a channel id. */
  readonly channel: string;
}

/** A rule of the file that is never applied, and the reason. */
export interface InvalidRule extends Pick<LocalizedError, "detail"> {
  readonly channel: string;
  readonly id: string;
  readonly problem: string;
}

export interface ParsedRules {
  readonly rules: readonly PlacedRule[];
  readonly byId: ReadonlyMap<string, PlacedRule>;
  readonly invalid: readonly InvalidRule[];
}

/** Converts a parsed file to a document; throws when it is invalid. */
export function parseDocument(json: unknown): RuleDocument {
  if (!isObject(json)) throw filterTexts.error("bad_request", "file_no_object");
  const { enabled = true, global = [], channels, groups, ...rest } = json;
  if (typeof enabled !== "boolean") throw filterTexts.error("bad_request", "no_boolean", { name: "enabled" });
  if (!Array.isArray(global)) throw filterTexts.error("bad_request", "file_no_list", { name: "global" });
  const lists: Record<string, readonly unknown[]> = {};
  for (const [raw, list] of [...parseLists(groups, "groups"), ...parseLists(channels, "channels")]) {
    const channel = normalizeChannelId(raw);
    defineList(lists, channel, [...getList(lists, channel), ...list]);
  }
  return { ...rest, enabled, global, channels: lists };
}

const parsedByDocument = new WeakMap<RuleDocument, ParsedRules>();

/** Returns the rules of a document that can be applied, in file order. */
export function parseRules(document: RuleDocument): ParsedRules {
  const before = parsedByDocument.get(document);
  if (before) return before;
  const rules: PlacedRule[] = [];
  const byId = new Map<string, PlacedRule>();
  const invalid: InvalidRule[] = [];
  for (const [channel, list] of [[GLOBAL, document.global] as const, ...Object.entries(document.channels)]) {
    for (const raw of list) {
      try {
        const rule = parseRule(raw, channel);
        if (byId.has(rule.id)) throw filterTexts.error("bad_request", "another_id");
        const placed = { rule, channel };
        byId.set(rule.id, placed);
        rules.push(placed);
      } catch (error) {
        const id = isObject(raw) && typeof raw.id === "string" ? raw.id : "";
        const { error: problem, ...why } = toItemFailure(error as AppError);
        invalid.push({ channel, id, problem, ...why });
      }
    }
  }
  const read: ParsedRules = { rules, byId, invalid };
  parsedByDocument.set(document, read);
  return read;
}

/** Returns the document with rules added at the end of a list; throws `conflict` above the limits. */
export function appendRules(document: RuleDocument, { channel }: Place, added: readonly Rule[]): RuleDocument {
  const { rules } = parseRules(document);
  if (rules.length + added.length > MAX_RULES)
    throw filterTexts.error("conflict", "too_many_rules", { most: MAX_RULES });
  rejectTooManyRegexes(document, added);
  return changeList(document, channel, (list) => [...list, ...added]);
}

/** Returns the document with one rule replaced; unknown fields of its entry are preserved. */
export function replaceRule(document: RuleDocument, { rule: { id }, channel }: PlacedRule, next: Rule): RuleDocument {
  rejectTooManyRegexes(
    document,
    [next].filter(({ type }) => type === "regex" && parseRules(document).byId.get(id)?.rule.type !== "regex"),
  );
  return changeList(document, channel, (list) => {
    const at = list.findIndex((raw) => getRawId(raw) === id);
    return list.with(at, toRewrittenEntry(list[at], next));
  });
}

/** Returns the entry of a changed rule, with its unknown fields. */
function toRewrittenEntry(raw: unknown, next: Rule): object {
  const {
    replacement: _text,
    whole_word: _word,
    group: _name,
    window: _times,
    ...rest
  } = raw as Readonly<Record<string, unknown>>;
  return { ...rest, ...next };
}

/** Returns the document with added and changed rules; throws `conflict` above the limits. */
export function importRules(
  document: RuleDocument,
  added: readonly PlacedRule[],
  changed: readonly PlacedRule[],
): RuleDocument {
  const rules = changed.map(({ rule }) => rule);
  const wasRegex = (id: string) => parseRules(document).byId.get(id)?.rule.type === "regex";
  rejectTooManyRegexes(
    document,
    rules.filter(({ id }) => !wasRegex(id)),
  );
  let whole = replaceRules(document, rules);
  for (const [channel, rules] of Map.groupBy(added, (placed) => placed.channel)) {
    const place = { channel, session_scope: "all", session_id: "" } as const;
    whole = appendRules(
      whole,
      place,
      rules.map(({ rule }) => rule),
    );
  }
  return whole;
}

/** Returns the document with the changed rules in their positions. */
export function replaceRules(document: RuleDocument, changed: readonly Rule[]): RuleDocument {
  if (changed.length === 0) return document;
  const byId = new Map<unknown, Rule>(changed.map((rule) => [rule.id, rule]));
  const inPlace = (list: readonly unknown[]) =>
    list.map((raw) => {
      const next = byId.get(getRawId(raw));
      return next ? toRewrittenEntry(raw, next) : raw;
    });
  const channels: Record<string, readonly unknown[]> = {};
  for (const [channel, list] of Object.entries(document.channels)) defineList(channels, channel, inPlace(list));
  return { ...document, global: inPlace(document.global), channels };
}

/** Returns the document without one rule, and without a channel's list that became empty. */
export function removeRule(document: RuleDocument, { rule: { id }, channel }: PlacedRule): RuleDocument {
  return changeList(document, channel, (list) =>
    list.toSpliced(
      list.findIndex((raw) => getRawId(raw) === id),
      1,
    ),
  );
}

function rejectTooManyRegexes(document: RuleDocument, added: readonly Rule[]): void {
  const count = added.filter(({ type }) => type === "regex").length;
  if (count === 0) return;
  const there = parseRules(document).rules.filter(({ rule }) => rule.type === "regex").length;
  if (there + count > MAX_REGEXES) {
    throw filterTexts.error("conflict", "too_many_regexes", { most: MAX_REGEXES });
  }
}

export function changeList(
  document: RuleDocument,
  channel: string,
  change: (list: readonly unknown[]) => readonly unknown[],
): RuleDocument {
  if (channel === GLOBAL) return { ...document, global: change(document.global) };
  const channels = { ...document.channels };
  const list = change(getList(channels, channel));
  if (list.length > 0) defineList(channels, channel, list);
  else delete channels[channel];
  return { ...document, channels };
}

function parseRule(raw: unknown, channel: string): Rule {
  if (!isObject(raw)) throw filterTexts.error("bad_request", "no_object");
  const { id, pattern, session_scope = "all", session_id = "", enabled = true, created_at = "" } = raw;
  const { type: kind = "keyword", action: given = "strip", replacement, filter_target = "user" } = raw;
  const { whole_word, group, window } = raw;
  const type = parseOneOf(RULE_TYPES, "type", kind);
  const action = parseOneOf(RULE_ACTIONS, "action", given);
  if (typeof id !== "string" || !/^rule_[A-Za-z0-9_-]{1,64}$/.test(id)) throw filterTexts.error("bad_request", "no_id");
  if (typeof pattern !== "string" || pattern.length > MAX_PATTERN) throw filterTexts.error("bad_request", "no_pattern");
  if (typeof enabled !== "boolean") throw filterTexts.error("bad_request", "no_boolean", { name: "enabled" });
  const rule: Rule = {
    id,
    pattern: parsePattern(pattern, type),
    type,
    action,
    ...parseOptionalFields({
      ...{ type, action, whole_word, group, window },
      replacement: typeof replacement === "string" ? replacement.slice(0, MAX_REPLACEMENT) : "",
    }),
    filter_target: parseOneOf(RULE_TARGETS, "filter_target", filter_target),
    session_scope: parseOneOf(["all", "specific"] as const, "session_scope", session_scope),
    session_id: typeof session_id === "string" && session_scope === "specific" ? session_id : "",
    enabled,
    created_at: typeof created_at === "string" ? created_at : "",
  };
  if (rule.type === "regex") checkRegex(rule.pattern);
  if (rule.session_scope === "all") return rule;
  if (channel === GLOBAL) throw filterTexts.error("bad_request", "global_session");
  return { ...rule, session_id: parseSessionKey(rule.session_id, channel) };
}

function parseOneOf<const Value extends string>(values: readonly Value[], name: string, given: unknown): Value {
  const value = values.find((one) => one === given);
  if (value === undefined) throw filterTexts.error("bad_request", "one_of", { name, values: values.join(", ") });
  return value;
}

function parseLists(value: unknown, name: string): readonly [string, readonly unknown[]][] {
  if (value === undefined) return [];
  if (!isObject(value) || Object.values(value).some((list) => !Array.isArray(list))) {
    throw filterTexts.error("bad_request", "file_no_lists", { name });
  }
  return Object.entries(value as Record<string, readonly unknown[]>);
}

function getList(lists: Readonly<Record<string, readonly unknown[]>>, channel: string): readonly unknown[] {
  return (Object.hasOwn(lists, channel) && lists[channel]) || [];
}

/** Defines the property explicitly, since an assignment to `__proto__` would change the prototype. */
function defineList(lists: Record<string, readonly unknown[]>, channel: string, list: readonly unknown[]): void {
  Object.defineProperty(lists, channel, { value: list, enumerable: true, configurable: true, writable: true });
}

export function getRawId(raw: unknown): unknown {
  return isObject(raw) ? raw.id : undefined;
}
