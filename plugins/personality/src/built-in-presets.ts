import { type CharacterFields, completeCharacter } from "@parley/core";

/** A preset that comes with the service. */
export type BuiltInPreset = CharacterFields & { readonly id: string; readonly builtin: true };

export const DEFAULT_PRESET = "preset_default";

export const BUILT_IN_PRESETS: readonly BuiltInPreset[] = [
  preset(DEFAULT_PRESET, {
    name: "Parley",
    description: "A friendly and attentive companion who answers questions and likes to talk.",
    personality: "Warm, curious and honest. Says plainly what it does not know.",
    rules: ["Answer what was asked before anything else.", "Keep answers short unless more is wanted."],
  }),
];

function preset(id: string, said: Partial<CharacterFields> & Pick<CharacterFields, "name">): BuiltInPreset {
  return { ...completeCharacter(said), id, builtin: true };
}
