import {
  type Characters,
  type Database,
  formatWarnings,
  type ItemFailure,
  type ListedWarnings,
  type Lorebooks,
  type Part,
  type PreparedLorebook,
  toLocalized,
} from "@parley/core";
import { type CharacterFields, completeCharacter } from "@parley/core/characters";
import { type ImportedItems, importEach } from "@parley/core/transfer";
import type { Portraits } from "../pictures/portraits.ts";
import type { PresetRecords } from "../presets/preset-records.ts";
import { pickCharacterFields } from "../records/character-input.ts";
import { cardTexts } from "../texts.ts";
import { attachLorebook, toAppError } from "./card-subjects.ts";
import { type Container, type FoundCard, findCards } from "./format/containers.ts";
import type { ImportOptions } from "./schema.ts";
import { listTermsWithoutEffect } from "./terms-without-effect.ts";

export interface ImportedCard extends ListedWarnings {
  readonly card: CharacterFields;
  readonly saved: { readonly kind: "preset" | "character"; readonly id: string } | null;
  readonly world_book_id: string | null;
  readonly detected: { readonly container: Container; readonly spec: CharacterFields["card_spec"] };
}

export type ImportedCards = ImportedItems<{ readonly id: string; readonly name: string }, { readonly name: string }>;

/** Imports character cards: each completely, or not at all. */
export interface CardImport {
  importOne(parts: readonly Part[], asked: Partial<ImportOptions>): Promise<ImportedCard>;
  importAll(parts: readonly Part[]): Promise<ImportedCards>;
}

export interface CardImportDeps {
  readonly database: () => Database;
  readonly presets: PresetRecords;
  readonly characters: Pick<Characters, "get" | "creating">;
  readonly lorebooks: () => Lorebooks | undefined;
  readonly portraits: Portraits;
}

const DEFAULT_OPTIONS: ImportOptions = { save: true, as: "preset", import_world_book: true };

export function createCardImport(deps: CardImportDeps): CardImport {
  const { database, presets, characters, lorebooks, portraits } = deps;

  const storePortrait = async ({
    picture,
  }: FoundCard): Promise<{ readonly url?: string; readonly problem?: ItemFailure }> => {
    if (!picture) return {};
    try {
      return { url: (await portraits.store(picture)).url };
    } catch (error) {
      return { problem: cardTexts.message("portrait_left_out", { reason: toLocalized(toAppError(error)) }) };
    }
  };

  /** Stores the record and its world book in one transaction. */
  const storeCard = async (found: FoundCard, { as, import_world_book }: ImportOptions) => {
    const { url, problem } = await storePortrait(found);
    const pictured = {
      ...found.fields,
      ...(url !== undefined && { portrait: url, avatar: found.fields.avatar || url }),
    };
    const books = import_world_book ? lorebooks() : undefined;
    const fields = books ? pictured : attachLorebook(pictured, found.lorebook);
    const made = as === "preset" ? await presets.creating(fields) : await characters.creating(fields);
    const book =
      books && found.lorebook
        ? await books.importing(found.lorebook, { name: fields.name, boundTo: [made.item.id] })
        : undefined;
    await database().write([...made.writes, ...(book?.writes ?? [])]);
    made.created();
    book?.created();
    const warnings = [
      ...found.warnings,
      ...listTermsWithoutEffect(found.fields),
      ...(problem === undefined ? [] : [problem]),
      ...(book ? toWarnings(book) : []),
    ];
    return { item: made.item, bookId: book?.bookId ?? null, warnings };
  };

  return {
    async importOne(given, query) {
      const options = { ...DEFAULT_OPTIONS, ...parseOptions(given), ...query };
      const { container, cards } = await findCards(requireFile(given));
      const [read] = cards;
      if (!read) throw cardTexts.error("bad_request", "empty_bundle");
      const found = await read();
      const more = cards.length > 1 ? [cardTexts.message("first_of_many", { count: cards.length })] : [];
      const detected = { container, spec: found.spec };
      if (!options.save) {
        const card = completeCharacter(attachLorebook(found.fields, found.lorebook));
        const warned = formatWarnings([...more, ...found.warnings, ...listTermsWithoutEffect(found.fields)]);
        return { card, saved: null, world_book_id: null, detected, ...warned };
      }
      const { item, bookId, warnings } = await storeCard(found, options);
      const { id } = item;
      return {
        card: pickCharacterFields(item),
        saved: { kind: options.as, id },
        world_book_id: bookId,
        detected,
        ...formatWarnings([...more, ...warnings]),
      };
    },
    async importAll(given) {
      const { cards } = await findCards(requireFile(given));
      if (cards.length === 0) throw cardTexts.error("bad_request", "no_card_in_file");
      const names: string[] = [];
      return importEach(cards, {
        async importOne(read, index) {
          const found = await read();
          names[index] = found.fields.name;
          const { item } = await storeCard(found, DEFAULT_OPTIONS);
          return { id: item.id, name: item.name };
        },
        describe: (_, index) => ({ name: names[index] ?? "" }),
      });
    },
  };
}

function toWarnings({ warnings, warning_details }: PreparedLorebook): readonly ItemFailure[] {
  return warnings.map((error, at) => {
    const detail = warning_details?.[at];
    return { error, ...(detail && { detail }) };
  });
}

function requireFile(formParts: readonly Part[]): Uint8Array {
  const file = formParts.find(({ name }) => name === "file");
  if (!file) throw cardTexts.error("bad_request", "missing", {}, { field: "file" });
  return file.bytes;
}

const OPTION_NAMES = ["save", "as", "import_world_book"];
const BOOLEAN_VALUES: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Parses the options of form parts; unknown parts are rejected. */
function parseOptions(formParts: readonly Part[]): Partial<ImportOptions> {
  const values = formParts
    .filter(({ name }) => name !== "file")
    .map(({ name, bytes }) => [name, Buffer.from(bytes).toString()] as const);
  const options: Record<string, unknown> = {};
  for (const [name, text] of values) {
    if (!OPTION_NAMES.includes(name)) throw cardTexts.error("bad_request", "unknown", {}, { field: name.slice(0, 40) });
    const value = name === "as" ? text : BOOLEAN_VALUES.get(text);
    const isKnown = name === "as" ? text === "preset" || text === "character" : value !== undefined;
    if (!isKnown) throw cardTexts.error("bad_request", "not_valid", {}, { field: name });
    options[name] = value;
  }
  return options;
}
