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
 * Replaces the placeholders of a text, nested ones too: `{{user}}`, `{{char}}`, `{{random::a::b}}`, `{{pick::a::b}}`,
 * `{{time}}`, `{{date}}`, `{{weekday}}`, `{{newline}}` and `{{// comment}}`. Replacements are not expanded again;
 * unknown placeholders stay. Runs in linear time.
 */
export function expandMacros(text: string, values: MacroValues): string {
  if (!text.includes("{{")) return text;
  const open: Frame[] = [{ parts: [""], literal: "" }];
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
    } else add(token);
  }
  return open.map(({ literal }) => literal).join("");
}

// A third brace belongs to the text around.
const TOKENS = /\{\{(?!\{)|\}\}|::|[^{}:]+|./gs;

function expandMacro(parts: readonly string[], values: MacroValues, rollCount: number): string | undefined {
  const [head = "", ...options] = parts;
  if (head.trimStart().startsWith("//")) return "";
  const { name, given } = parseHead(head);
  const choices = options.length > 0 ? options : given;
  if (name === "random") return pickOne(choices, [values.seed, "random", String(rollCount)]);
  if (name === "pick") return pickOne(choices, [values.conversation, "pick", parts.join("::")]);
  return parts.length === 1 && given === undefined ? SIMPLE_MACROS[name]?.(values) : undefined;
}

/** Placeholder for the general rules until they are collected; a character that cannot be typed. */
export const GENERAL_RULES = "\uFDD0";

const SIMPLE_MACROS: Readonly<Record<string, (values: MacroValues) => string | undefined>> = Object.assign(
  Object.create(null),
  {
    user: ({ user }: MacroValues) => user,
    char: ({ char }: MacroValues) => char,
    original: ({ original = "" }: MacroValues) => original,
    newline: () => "\n",
    time: (values: MacroValues) =>
      formatTime(values, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, "en-GB"),
    date: (values: MacroValues) => formatTime(values, { year: "numeric", month: "2-digit", day: "2-digit" }, "sv-SE"),
    weekday: (values: MacroValues) => formatTime(values, { weekday: "long" }, "en-GB"),
  },
);

/** `random:a,b` is the older form of `random::a::b`. */
function parseHead(head: string): { readonly name: string; readonly given?: readonly string[] } {
  const colon = head.indexOf(":");
  if (colon < 0) return { name: head.trim().toLowerCase() };
  return { name: head.slice(0, colon).trim().toLowerCase(), given: head.slice(colon + 1).split(",") };
}

function pickOne(choices: readonly string[] | undefined, seed: readonly string[]): string | undefined {
  if (!choices) return undefined;
  const number = hash("sha256", seed.join("\0"), "buffer").readUInt32BE(0) / 2 ** 32;
  return choices[Math.floor(number * choices.length)]?.trim();
}

function formatTime({ at, timeZone }: MacroValues, form: Intl.DateTimeFormatOptions, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(at);
}

/** Returns the placeholder values of a turn; a repeated turn gets the same ones. */
export function toMacroValues(turn: Turn, timeZone: string, char = turn.session.sender_name): MacroValues {
  const { traceId, inbound, session } = turn;
  const name = TURN_PERSONA.of(turn)?.name ?? inbound.sender.name;
  return {
    // Names are reduced to one line, because platforms allow line breaks in them.
    user: name.replaceAll(/\s+/g, " ").slice(0, 100) || "the user",
    char: char || "you",
    seed: traceId,
    conversation: session.id,
    at: readTraceTime(traceId),
    timeZone,
  };
}

const TRACE_ID = /^gw_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_/;

/** Returns the time of the message from its trace id, to the second. */
function readTraceTime(traceId: string): number {
  const [, year = 0, month = 1, ...rest] = TRACE_ID.exec(traceId)?.map(Number) ?? [];
  return Date.UTC(year, month - 1, ...rest);
}
