import type { ItemFailure } from "@parley/core";
import type { CharacterFields } from "@parley/core/characters";
import { readScripts } from "../regex-scripts/read-scripts.ts";
import { cardTexts } from "../texts.ts";

const TEXT_FIELDS = [
  "description",
  "personality",
  "scenario",
  "example_dialogues",
  "first_message",
  "alternate_greetings",
  "system_prompt",
  "post_history_instructions",
] as const;
/** Placeholders of other programs that stay as they are written. */
const UNFILLED = /\{\{\s*((?:set|get|add|inc|dec)(?:global)?var|datetimeformat|timediff|outlet|banned|bias)\b/gi;
const MAX_NAMES = 10;

/** Returns a warning for each kind of thing in a card that is stored and exported, but has no effect. */
export function listTermsWithoutEffect(fields: Partial<CharacterFields>): readonly ItemFailure[] {
  const scripts = countScripts(fields.extensions);
  const expressions = countExpressions(fields.card_extra?.assets);
  const names = listUnfilled(fields);
  return [
    ...(scripts > 0 ? [cardTexts.message("scripts_without_effect", { count: scripts })] : []),
    ...(expressions > 0 ? [cardTexts.message("expressions_without_effect", { count: expressions })] : []),
    ...(names.length > 0 ? [cardTexts.message("placeholders_unfilled", { names: names.join(", ") })] : []),
  ];
}

/** Returns the number of scripts that are switched on and change only texts that no script changes here. */
function countScripts(extensions: CharacterFields["extensions"] = {}): number {
  const all: readonly unknown[] = Array.isArray(extensions.regex_scripts) ? extensions.regex_scripts : [];
  const on = all.filter((one) => Object(one).disabled !== true);
  return on.length - readScripts({ extensions }).length;
}

function countExpressions(assets: unknown): number {
  return Array.isArray(assets) ? assets.filter((one) => Object(one).type === "emotion").length : 0;
}

function listUnfilled(fields: Partial<CharacterFields>): readonly string[] {
  const texts = TEXT_FIELDS.flatMap((name) => fields[name] ?? []).join("\n");
  const names = [...texts.matchAll(UNFILLED)].map(([, name = ""]) => `{{${name.toLowerCase()}}}`);
  return [...new Set(names)].slice(0, MAX_NAMES);
}
