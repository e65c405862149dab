import Joi from "@hapi/joi";
import { messageText, textOf } from "@parley/core";
import { canonicalSessionId, normalizeChannelId } from "@parley/core/channels";
import { filterTexts } from "../texts.ts";
import { parseWindow, type RuleWindow, ruleWindow } from "./window.ts";

export const GLOBAL = "global";
export const RULE_TYPES = ["keyword", "regex"] as const;
export const RULE_ACTIONS = ["strip", "replace", "recall"] as const;
export const RULE_TARGETS = ["user", "ai", "both"] as const;
export const MAX_PATTERN = 1_000;
export const MAX_REPLACEMENT = 200;
export const MAX_GROUP = 100;

/** A filter rule; names as on the wire and in the file. */
export interface Rule {
  readonly id: string;
  readonly pattern: string;
  readonly type: (typeof RULE_TYPES)[number];
  readonly action: (typeof RULE_ACTIONS)[number];
  /** Replacement text; only with the action `replace`. */
  readonly replacement?: string;
  /** True when only whole words match; only for keywords. */
  readonly whole_word?: true;
  /** Name of the group with which the rule is switched; absent for a rule without a group. */
  readonly group?: string;
  /** Time window outside which the rule is not applied; absent when the rule is always applied. */
  readonly window?: RuleWindow;
  readonly filter_target: (typeof RULE_TARGETS)[number];
  readonly session_scope: "all" | "specific";
  /** The session key when the scope is one session, else empty. */
  readonly session_id: string;
  readonly enabled: boolean;
  /** `YYYY-MM-DDTHH:MM:SS.mmm` in UTC, without a zone. */
  readonly created_at: string;
}

/** List and session to which a rule belongs. */
export interface Place {
  /** `global` or a channel id. */
  readonly channel: string;
  readonly session_scope: "all" | "specific";
  readonly session_id: string;
}

export interface PlaceDraft {
  readonly channel?: string;
  readonly session_scope?: "all" | "specific";
  readonly session_id?: string;
}

export interface RuleDraft extends PlaceDraft {
  readonly pattern: string;
  readonly type: Rule["type"];
  readonly action: Rule["action"];
  readonly replacement: string;
  readonly whole_word: boolean;
  /** Name of the group; empty for none. */
  readonly group: string;
  readonly window: RuleWindow | null;
  readonly filter_target: Rule["filter_target"];
  readonly enabled: boolean;
}

export type RulePatch = Partial<RuleDraft>;

/** Validates and normalizes a pattern; throws `bad_request`. */
export function parsePattern(pattern: string, type: Rule["type"]): string {
  if (pattern.trim() === "") throw filterTexts.error("bad_request", "pattern_blank", {}, PATTERN_FIELD);
  if (pattern.length > MAX_PATTERN)
    throw filterTexts.error("bad_request", "pattern_long", { most: MAX_PATTERN }, PATTERN_FIELD);
  if (!pattern.isWellFormed()) throw filterTexts.error("bad_request", "pattern_half", {}, PATTERN_FIELD);
  return type === "keyword" ? pattern.trim() : pattern;
}

const PATTERN_FIELD = { field: "pattern" } as const;

/** Optional fields of a rule, as submitted. */
export interface OptionalFields extends Pick<Rule, "action" | "type"> {
  readonly whole_word?: unknown;
  readonly replacement?: string | undefined;
  readonly group?: unknown;
  readonly window?: unknown;
}

/** Returns the optional fields that apply to the rule; throws `bad_request`. */
export function parseOptionalFields({
  type,
  action,
  whole_word,
  replacement,
  group,
  window: written,
}: OptionalFields): Pick<Rule, "replacement" | "whole_word" | "group" | "window"> {
  const name = parseGroup(group);
  const window = parseWindow(written);
  return {
    ...parseReplacement(action, replacement),
    ...(type === "keyword" && whole_word === true && { whole_word }),
    ...(name !== "" && { group: name }),
    ...(window && { window }),
  };
}

/** Returns the normalized name of a group; "" when it is missing or invalid. */
export function parseGroup(written: unknown): string {
  const name = typeof written === "string" ? written.trim() : "";
  return [...name].length <= MAX_GROUP ? name : "";
}

/** Returns the replacement for the action `replace`, else nothing; throws `bad_request` when it is missing. */
function parseReplacement(action: Rule["action"], replacement: string | undefined = ""): Pick<Rule, "replacement"> {
  if (action !== "replace") return {};
  if (replacement.trim() === "")
    throw filterTexts.error("bad_request", "replacement_needed", {}, { field: "replacement" });
  if (!replacement.isWellFormed())
    throw filterTexts.error("bad_request", "half_character", {}, { field: "replacement" });
  return { replacement };
}

/** Returns the list that a submitted channel means. */
export function parseChannel(raw: string | undefined): string {
  if (raw === undefined || raw === "" || raw === GLOBAL) return GLOBAL;
  const channel = normalizeChannelId(raw);
  if (!/^[A-Za-z0-9_-]{2,64}$/.test(channel) || /^imA_(group|private)_/.test(raw)) {
    throw filterTexts.error("bad_request", "no_channel", {}, { field: "channel" });
  }
  return channel;
}

/** Returns the session key that a submitted session means; throws `bad_request` for a session of another channel. */
export function parseSessionKey(raw: string, channel: string): string {
  const known = canonicalSessionId(raw, { keepWeb: true });
  if (!known.includes(":") && channel === "imA") {
    throw filterTexts.error("bad_request", "say_kind", {}, { field: "session_id" });
  }
  const key = known.includes(":") ? known : `${channel}:${known}`;
  if (!key.startsWith(`${channel}:`) || key.length <= channel.length + 1) {
    throw filterTexts.error("bad_request", "other_channel", { channel }, { field: "session_id" });
  }
  return key;
}

/** Returns the place of a new rule; throws `bad_request`. */
export function parsePlace({ channel: raw, session_scope = "all", session_id = "" }: PlaceDraft): Place {
  const channel = parseChannel(raw);
  if (session_scope === "all") return { channel, session_scope, session_id: "" };
  if (channel === GLOBAL) throw filterTexts.error("bad_request", "channel_needed", {}, { field: "session_scope" });
  if (session_id === "") throw filterTexts.error("bad_request", "session_needed", {}, { field: "session_id" });
  return { channel, session_scope, session_id: parseSessionKey(session_id, channel) };
}

const pattern = Joi.string().allow("").max(MAX_PATTERN).description("A word or a regular expression");
const type = Joi.string().valid(...RULE_TYPES);
const action = Joi.string()
  .valid(...RULE_ACTIONS)
  .description("strip removes the text, replace puts another in its place, recall blocks the message");
const replacement = textOf(MAX_REPLACEMENT).description("Replacement text, when the action is replace");
const wholeWord = Joi.boolean().description(
  "A keyword counts only as a word of its own; in Chinese, Japanese and Thai anywhere",
);
const group = textOf(MAX_GROUP).description("Name of the group of rules that are switched together; empty: none");
const window = ruleWindow
  .allow(null)
  .description("Time window in which the rule is applied, in the time zone of the settings; null: always");
const target = Joi.string()
  .valid(...RULE_TARGETS)
  .description("Whose messages are filtered");
const place = {
  channel: Joi.string().allow("").max(128).description("A channel id; empty or global: all channels"),
  session_scope: Joi.string().valid("all", "specific"),
  session_id: Joi.string().allow("").max(256),
};

export const ruleDraft = Joi.object<RuleDraft>({
  pattern: pattern.required(),
  type: type.default("keyword"),
  action: action.default("strip"),
  replacement: replacement.default(""),
  whole_word: wholeWord.default(false),
  group: group.default(""),
  window: window.default(null),
  filter_target: target.default("user"),
  enabled: Joi.boolean().default(true),
  ...place,
});

export const rulePatch = Joi.object<RulePatch>({
  pattern,
  type,
  action,
  replacement,
  whole_word: wholeWord,
  group,
  window,
  filter_target: target,
  enabled: Joi.boolean(),
  ...place,
}).min(1);

export const placeQuery = Joi.object<Pick<PlaceDraft, "channel" | "session_id">>({
  channel: place.channel,
  session_id: place.session_id,
});

export const toggleBody = Joi.object<{ readonly enabled: boolean }>({ enabled: Joi.boolean().required() });

export interface WordList extends PlaceDraft {
  readonly keywords: readonly string[];
  readonly action: Rule["action"];
  readonly replacement: string;
  readonly whole_word: boolean;
  readonly group: string;
  readonly window: RuleWindow | null;
  readonly filter_target: Rule["filter_target"];
}

export const wordList = Joi.object<WordList>({
  keywords: Joi.array().items(Joi.string().allow("").max(MAX_PATTERN)).min(1).max(100_000).required(),
  action: action.default("strip"),
  replacement: replacement.default(""),
  whole_word: wholeWord.default(false),
  group: group.default(""),
  window: window.default(null),
  filter_target: target.default("user"),
  ...place,
});

export interface Trial extends Pick<PlaceDraft, "channel" | "session_id"> {
  readonly text: string;
  readonly target: "user" | "ai";
  /** Unsaved rule from a form, tested together with the active ones. */
  readonly rule?: Pick<RuleDraft, "pattern" | "type" | "action" | "replacement"> &
    Partial<Pick<RuleDraft, "window" | "whole_word">>;
}

export const trialBody = Joi.object<Trial>({
  text: messageText().required(),
  target: Joi.string().valid("user", "ai").default("user"),
  channel: place.channel,
  session_id: place.session_id,
  rule: Joi.object({
    pattern: pattern.required(),
    type: type.default("keyword"),
    action: action.default("strip"),
    replacement: replacement.default(""),
    whole_word: wholeWord.default(false),
    window: window.default(null),
  }),
});
