import { hash } from "node:crypto";
import type { Turn } from "../points/turn/turn-stage.ts";
import { TURN_PERSONA } from "./turn-persona.ts";

/** Values for the placeholders of authors. */
export interface MacroValues {
  /** Name of the person addressed (`{{user}}`). */
  readonly user: string;
  /** Name of the speaking character (`{{char}}`). */
  readonly char: string;
  /** Random seed: the same text with the same seed gives the same result. */
  readonly seed: string;
  /** Random seed of `{{pick}}`, fixed for a conversation. */
  readonly conversation: string;
  /** `{{original}}`: the text that this one replaces; absent: empty. */
  readonly original?: string;
  /** Time of the message, in milliseconds since the epoch. */
  readonly at: number;
  readonly timeZone: string;
  /** Description of the person (`{{persona}}`); absent: empty. */
  readonly persona?: string;
  /** The newest messages of the conversation (`{{lastUserMessage}}`, `{{lastCharMessage}}`); absent: empty. */
  readonly lastUserMessage?: string;
  readonly lastCharMessage?: string;
  /** Time since the person's message before (`{{idle_duration}}`), in milliseconds. */
  readonly idleMs?: number;
}

/** Maximum nesting of placeholders; deeper ones stay as they are. */
const MAX_DEPTH = 8;

interface Frame {
  /** Finished arguments, the last of them still growing. */
  readonly parts: string[];
  /** Source text of the frame, with its inner placeholders replaced. */
  literal: string;
}

/**
 * Replaces the placeholders of a text, nested ones too: names (`{{user}}`, `{{char}}`, also as `<user>`, `<bot>`),
 * `{{random::a::b}}`, `{{pick::a::b}}`, `{{roll:2d6+1}}`, times, the newest messages, `{{newline}}`, `{{trim}}` and
 * `{{// comment}}`. Replacements are not expanded again; unknown placeholders stay. Runs in linear time.
 */
export function expandMacros(text: string, values: MacroValues): string {
  if (!text.includes("{{") && !text.includes("<")) return text;
  const open: Frame[] = [{ parts: [""], literal: "" }];
  // A text that closes the tag uses it as a tag.
  const isTagged = /<\/(?:user|bot|char)>/i.test(text);
  let rollCount = 0;
  const add = (piece: string, written = piece) => {
    const frame = open.at(-1) as Frame;
    frame.parts[frame.parts.length - 1] += piece;
    frame.literal += written;
  };
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{{") open.push({ parts: [""], literal: "{{" });
    else if (token === "::" && open.length > 1) {
      const frame = open.at(-1) as Frame;
      frame.parts.push("");
      frame.literal += token;
    } else if (token === "}}" && open.length > 1) {
      const { parts, literal } = open.pop() as Frame;
      const replacement = open.length <= MAX_DEPTH ? expandMacro(parts, values, rollCount) : undefined;
      rollCount += 1;
      add(replacement ?? `${literal}}}`);
    } else add((isTagged ? undefined : toTaggedName(token, values)) ?? token);
  }
  return trimAround(open.map(({ literal }) => literal).join(""));
}

// A third brace belongs to the text around.
const TOKENS = /\{\{(?!\{)|\}\}|::|<(?:user|bot|char)>|[^{}:<]+|./gis;

/** Returns the name that an older form of the placeholder stands for. */
function toTaggedName(token: string, { user, char }: MacroValues): string | undefined {
  if (token.length < 5 || !token.startsWith("<") || !token.endsWith(">")) return undefined;
  return token.toLowerCase() === "<user>" ? user : char;
}

/** Place of `{{trim}}` until the line breaks around it are removed; a character that cannot be typed. */
const TRIM = "\uFDD1";

function trimAround(text: string): string {
  return text.includes(TRIM) ? text.split(TRIM).map(trimLineBreaks).join("") : text;
}

/** Removes the line breaks next to a `{{trim}}`: at the beginning of all parts but the first, at the end of all but the last. */
function trimLineBreaks(part: string, index: number, { length }: readonly string[]): string {
  let [start, end] = [0, part.length];
  while (index > 0 && start < end && part[start] === "\n") start += 1;
  while (index < length - 1 && end > start && part[end - 1] === "\n") end -= 1;
  return part.slice(start, end);
}

function expandMacro(parts: readonly string[], values: MacroValues, rollCount: number): string | undefined {
  const [head = "", ...options] = parts;
  if (head.trimStart().startsWith("//")) return "";
  const { name, given, rest } = parseHead(head);
  const choices = options.length > 0 ? options : given;
  if (name === "random") return pickOne(choices, [values.seed, "random", String(rollCount)]);
  if (name === "pick") return pickOne(choices, [values.conversation, "pick", parts.join("::")]);
  if (name === "roll") return roll(rest ?? options[0] ?? "", [values.seed, "roll", String(rollCount)]);
  const isWithText = rest !== undefined || options.length > 0;
  if (isWithText && (name === "comment" || name === "hidden_key")) return "";
  if (isWithText && name === "reverse")
    return [...[...(rest === undefined ? [] : [rest]), ...options].join("::")].reverse().join("");
  return parts.length === 1 && !isWithText ? (SIMPLE_MACROS[name]?.(values) ?? timeOfOffset(name, values)) : undefined;
}

const DICE = /^(?:(\d{0,3})d)?(\d{1,6})([+-]\d{1,6})?$/i;
const MAX_DICE = 100;

/** Returns the sum of dice such as `6`, `d6` or `2d6+3`; undefined for another text. */
function roll(formula: string, seed: readonly string[]): string | undefined {
  const [, count = "", sides = "0", added = "0"] = DICE.exec(formula.trim()) ?? [];
  const diceCount = count === "" ? 1 : Number(count);
  if (Number(sides) === 0 || diceCount > MAX_DICE) return undefined;
  let sum = Number(added);
  for (let die = 0; die < diceCount; die += 1)
    sum += 1 + Math.floor(drawNumber([...seed, String(die)]) * Number(sides));
  return String(sum);
}

/** `{{time_UTC+2}}`: the time at an offset from UTC in hours. */
function timeOfOffset(name: string, values: MacroValues): string | undefined {
  const [, hours] = /^time_utc([+-]\d{1,2})$/.exec(name) ?? [];
  if (hours === undefined) return undefined;
  return formatClock({ ...values, at: values.at + Number(hours) * HOUR_MS, timeZone: "UTC" });
}

const HOUR_MS = 3_600_000;
const IDLE_UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ["day", 24 * HOUR_MS],
  ["hour", HOUR_MS],
  ["minute", 60_000],
];

function formatIdle(idleMs: number): string {
  const [unit, ms] = IDLE_UNITS.find(([, length]) => idleMs >= length) ?? [];
  if (unit === undefined || ms === undefined) return "a few seconds";
  const count = Math.floor(idleMs / ms);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Placeholder for the general rules until they are collected; a character that cannot be typed. */
export const GENERAL_RULES = "\uFDD0";

const SIMPLE_MACROS: Readonly<Record<string, (values: MacroValues) => string | undefined>> = Object.assign(
  Object.create(null),
  {
    user: ({ user }: MacroValues) => user,
    char: ({ char }: MacroValues) => char,
    original: ({ original = "" }: MacroValues) => original,
    group: ({ char }: MacroValues) => char,
    charifnotgroup: ({ char }: MacroValues) => char,
    persona: ({ persona = "" }: MacroValues) => persona,
    lastmessage: ({ lastUserMessage, lastCharMessage = "" }: MacroValues) => lastUserMessage ?? lastCharMessage,
    lastusermessage: ({ lastUserMessage = "" }: MacroValues) => lastUserMessage,
    lastcharmessage: ({ lastCharMessage = "" }: MacroValues) => lastCharMessage,
    idle_duration: ({ idleMs = 0 }: MacroValues) => formatIdle(idleMs),
    noop: () => "",
    trim: () => TRIM,
    newline: () => "\n",
    time: formatClock,
    isotime: formatClock,
    date: formatDate,
    isodate: formatDate,
    weekday: (values: MacroValues) => formatTime(values, { weekday: "long" }, "en-GB"),
  },
);

/** `random:a,b` is the older form of `random::a::b`; in it a comma may be written as `\\,`. `roll 1d6` is one of `roll:1d6`. */
function parseHead(head: string): {
  readonly name: string;
  readonly given?: readonly string[];
  readonly rest?: string;
} {
  const colon = head.indexOf(":");
  const [, dice] = /^\s*roll\s+(\S.*)$/is.exec(head) ?? [];
  if (dice !== undefined) return { name: "roll", rest: dice };
  if (colon < 0) return { name: head.trim().toLowerCase() };
  const rest = head.slice(colon + 1);
  const given = rest.split(/(?<!\\),/).map((one) => one.replaceAll("\\,", ","));
  return { name: head.slice(0, colon).trim().toLowerCase(), given, rest };
}

function pickOne(choices: readonly string[] | undefined, seed: readonly string[]): string | undefined {
  return choices?.[Math.floor(drawNumber(seed) * choices.length)]?.trim();
}

/** Returns a number from 0 to below 1, always the same for a seed. */
function drawNumber(seed: readonly string[]): number {
  return hash("sha256", seed.join("\0"), "buffer").readUInt32BE(0) / 2 ** 32;
}

function formatClock(values: MacroValues): string {
  return formatTime(values, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, "en-GB");
}

function formatDate(values: MacroValues): string {
  return formatTime(values, { year: "numeric", month: "2-digit", day: "2-digit" }, "sv-SE");
}

function formatTime({ at, timeZone }: MacroValues, form: Intl.DateTimeFormatOptions, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(at);
}

/** Returns the placeholder values of a turn; a repeated turn gets the same ones. */
export function toMacroValues(turn: Turn, timeZone: string, char = turn.session.sender_name): MacroValues {
  const { traceId, inbound, session } = turn;
  const persona = TURN_PERSONA.of(turn);
  const name = persona?.name ?? inbound.sender.name;
  return {
    // Names are reduced to one line, because platforms allow line breaks in them.
    user: name.replaceAll(/\s+/g, " ").slice(0, 100) || "the user",
    char: char || "you",
    seed: traceId,
    conversation: session.id,
    at: readTraceTime(traceId),
    timeZone,
    persona: persona?.description ?? "",
    ...toTalkValues(turn),
  };
}

function toTalkValues({ text, history, traceId, userMessage }: Turn) {
  const talk = history.filter(({ kind, role }) => kind === "normal" && role !== "system");
  const before = talk.findLast(({ role, id }) => role === "user" && id !== userMessage?.id);
  return {
    lastUserMessage: text,
    lastCharMessage: talk.findLast(({ role }) => role === "assistant")?.content ?? "",
    idleMs: before ? Math.max(0, readTraceTime(traceId) - Date.parse(before.timestamp)) : 0,
  };
}

const TRACE_ID = /^gw_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_/;

/** Returns the time of the message from its trace id, to the second. */
function readTraceTime(traceId: string): number {
  const [, year = 0, month = 1, ...rest] = TRACE_ID.exec(traceId)?.map(Number) ?? [];
  return Date.UTC(year, month - 1, ...rest);
}
