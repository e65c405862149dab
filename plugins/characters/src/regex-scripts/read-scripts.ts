import type { CharacterFields } from "@parley/core/characters";

/** A regex script of a card: an expression, its replacement and the texts that it changes. */
export interface RegexScript {
  readonly pattern: string;
  readonly flags: string;
  readonly replacement: string;
  readonly trim: readonly string[];
  readonly isForInput: boolean;
  readonly isForReply: boolean;
  /** True when only the text that the model reads is changed, not the stored one. */
  readonly isPromptOnly: boolean;
  /** Treatment of placeholders in the expression: left alone, filled as they are, or without a special meaning. */
  readonly substitution: "none" | "raw" | "escaped";
  /** The newest and the oldest message that it changes; 0 is the last one. */
  readonly minDepth: number;
  readonly maxDepth: number;
}

/** Maximum number of scripts of one card, each of which may take its whole time. */
const MAX_SCRIPTS = 50;
const PLACEMENTS = { input: 1, reply: 2 } as const;
const SUBSTITUTIONS = ["none", "raw", "escaped"] as const;
const SLASHED = /^\/([\s\S]+)\/([a-z]*)$/;

/** Returns the scripts of a card that are switched on and change what is stored or what the model reads. */
export function readScripts({ extensions }: Pick<CharacterFields, "extensions">): readonly RegexScript[] {
  const given: readonly unknown[] = Array.isArray(extensions.regex_scripts) ? extensions.regex_scripts : [];
  return given.slice(0, MAX_SCRIPTS).flatMap(readScript);
}

/** Returns the script; none when it is switched off, changes only what is shown, or has no expression. */
function readScript(given: unknown): readonly RegexScript[] {
  const script = Object(given) as Readonly<Record<string, unknown>>;
  const placements: readonly unknown[] = Array.isArray(script.placement) ? script.placement : [];
  const { findRegex, replaceString, promptOnly, markdownOnly, disabled } = script;
  const isForInput = placements.includes(PLACEMENTS.input);
  const isForReply = placements.includes(PLACEMENTS.reply);
  const isShownOnly = markdownOnly === true && promptOnly !== true;
  if (disabled === true || isShownOnly || typeof findRegex !== "string" || findRegex === "") return [];
  if (!isForInput && !isForReply) return [];
  const [, source, flags = ""] = SLASHED.exec(findRegex) ?? [];
  return [
    {
      pattern: source ?? findRegex,
      flags,
      replacement: typeof replaceString === "string" ? replaceString : "",
      trim: readTexts(script.trimStrings),
      ...{ isForInput, isForReply },
      isPromptOnly: promptOnly === true,
      substitution: SUBSTITUTIONS[Number(script.substituteRegex ?? 0)] ?? "none",
      minDepth: readDepth(script.minDepth) ?? 0,
      maxDepth: readDepth(script.maxDepth) ?? Number.POSITIVE_INFINITY,
    },
  ];
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function readDepth(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
