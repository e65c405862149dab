import type { Localized } from "@parley/core";
import { type CharacterFields, completeCharacter } from "@parley/core/characters";

/** A preset bundled with the service. */
export type BuiltInPreset = CharacterFields & { readonly id: string; readonly builtin: true };

/** The default preset by language, since a model answers in the language of its prompt. */
const DEFAULT_PRESETS: Readonly<Record<keyof Localized, BuiltInPreset>> = {
  en: createPreset("preset_default", {
    name: "Parley",
    description: "A friendly and attentive companion who answers questions and likes to talk.",
    personality: "Warm, curious and honest. Says plainly what it does not know.",
    rules: ["Answer what was asked before anything else.", "Keep answers short unless more is wanted."],
  }),
  zh: createPreset("preset_default_zh", {
    name: "Parley",
    description: "友善而细心的伙伴，乐于回答问题，也喜欢聊天。",
    personality: "热情、好奇、真诚。不知道的事会直说。",
    rules: ["先回答所问的问题。", "除非对方想了解更多，回答应简短。"],
  }),
};

export const BUILT_IN_PRESETS: readonly BuiltInPreset[] = [DEFAULT_PRESETS.en, DEFAULT_PRESETS.zh];

/** Selects the first preset by the machine's locale variables, in order of precedence. */
export function selectFirstPreset(variable: (name: string) => string | undefined): BuiltInPreset {
  const locale = ["LC_ALL", "LC_MESSAGES", "LANG"].map(variable).find(Boolean) ?? "";
  return DEFAULT_PRESETS[/^zh/i.test(locale) ? "zh" : "en"];
}

function createPreset(id: string, fields: Partial<CharacterFields> & Pick<CharacterFields, "name">): BuiltInPreset {
  return { ...completeCharacter(fields), id, builtin: true };
}
