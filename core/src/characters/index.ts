// Fields, prompts and state of characters.
export { cardPictures } from "./card-pictures.ts";
export { completeCharacter, diffCharacter, withExtra } from "./character-draft.ts";
export {
  CHARACTER_DETAIL,
  type CharacterDraft,
  type CharacterFields,
  characterFields,
  findCardSizeProblem,
} from "./character-fields.ts";
export {
  type CharacterPrompt,
  characterPrompt,
  compilePrompt,
  insertCardFields,
  joinPrompts,
  toAuthorRules,
  toPostHistoryPrompt,
} from "./compile-prompt.ts";
export {
  BOND_FIELDS,
  type CharacterBond,
  type CharacterMood,
  clampTo,
  type InitialState,
  type ReadState,
  readState,
  type SceneValue,
  START_BOND,
  START_MOOD,
  sceneProblem,
} from "./initial-state.ts";
export { expandMacros, GENERAL_RULES, type MacroValues, toMacroValues } from "./macros.ts";
export { CALM, STICKER_CATEGORIES, type StickerCategory, stickerCategoryOf } from "./moods.ts";
export { bondValues, moodValues, withMoodValues } from "./state-values.ts";
export { TURN_PERSONA } from "./turn-persona.ts";
