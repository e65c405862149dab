import { AppError, type CardLorebook, type Characters, type Lorebooks } from "@parley/core";
import { type CharacterFields, completeCharacter } from "@parley/core/characters";
import type { PresetRecords } from "../presets/preset-records.ts";
import { readCard } from "./format/read-card.ts";
import type { Subject } from "./schema.ts";

/** Resolves the subject of a request: a preset, a character, or an inline card. */
export interface Subjects {
  fields(asked: Subject): Promise<CharacterFields>;
  /** Returns the lorebook, built from the world books bound to it. */
  lorebook(asked: Subject, fields: CharacterFields, spec: "v2" | "v3"): Promise<CardLorebook | undefined>;
}

export interface SubjectsDeps {
  readonly presets: PresetRecords;
  readonly characters: Pick<Characters, "get" | "creating">;
  readonly lorebooks: () => Lorebooks | undefined;
}

export function createSubjects({ presets, characters, lorebooks }: SubjectsDeps): Subjects {
  return {
    async fields({ preset_id, character_id, card }) {
      if (preset_id !== undefined) return presets.fields(preset_id);
      if (character_id !== undefined) return characters.get(character_id);
      const read = readCard(card);
      return completeCharacter(attachLorebook(read.fields, read.lorebook));
    },
    async lorebook({ preset_id, character_id }, { world_book_ids }, spec) {
      const id = preset_id ?? character_id;
      const bound = id === undefined ? [] : ((await lorebooks()?.boundTo(id)) ?? []);
      const books = [...new Set([...bound, ...world_book_ids])];
      return books.length === 0 ? undefined : lorebooks()?.exported(books, spec);
    },
  };
}

/** Adds the lorebook to the card's extra fields. */
export function attachLorebook<Fields extends Partial<CharacterFields>>(
  fields: Fields,
  lorebook: CardLorebook | undefined,
): Fields {
  return lorebook ? { ...fields, card_extra: { ...fields.card_extra, character_book: lorebook } } : fields;
}

/** Returns the card without its lorebook. */
export function removeLorebook(fields: CharacterFields): CharacterFields {
  const { character_book: _book, ...card_extra } = fields.card_extra;
  return { ...fields, card_extra };
}

/** Returns an `AppError` unchanged; rethrows any other error as a failure of the service. */
export function toAppError(error: unknown): AppError {
  if (AppError.is(error)) return error;
  throw error;
}
