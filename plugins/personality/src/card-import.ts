import {
  type AppError,
  type CharacterFields,
  type Characters,
  completeCharacter,
  type Database,
  type ItemFailure,
  itemFailure,
  type ListedWarnings,
  type Lorebooks,
  listedWarnings,
  type Part,
  type PreparedLorebook,
  saidOf,
} from "@parley/core";
import { type Container, type FoundCard, findCards } from "./cards/containers.ts";
import type { Portraits } from "./portraits.ts";
import { onlyFields, type PresetRecords } from "./preset-records.ts";
import { personalityFailure } from "./said-failures.ts";
import { cardWarning } from "./said-warnings.ts";
import type { ImportOptions } from "./schema.ts";
import { ownFailure, withBook } from "./subjects.ts";

export interface ImportedCard extends ListedWarnings {
  readonly card: CharacterFields;
  readonly saved: { readonly kind: "preset" | "character"; readonly id: string } | null;
  readonly world_book_id: string | null;
  readonly detected: { readonly container: Container; readonly spec: CharacterFields["card_spec"] };
}

interface FailedCard extends ItemFailure {
  readonly index: number;
  readonly name: string;
}

export interface ImportedCards {
  readonly imported: number;
  readonly failed: number;
  readonly items: readonly { readonly index: number; readonly id: string; readonly name: string }[];
  readonly errors: readonly FailedCard[];
}

/** Character cards into the service: each whole, or not at all. */
export interface CardImport {
  take(parts: readonly Part[], asked: Partial<ImportOptions>): Promise<ImportedCard>;
  takeAll(parts: readonly Part[]): Promise<ImportedCards>;
}

export interface CardImportParts {
  readonly database: () => Database;
  readonly presets: PresetRecords;
  readonly characters: () => Characters;
  readonly lorebooks: () => Lorebooks | undefined;
  readonly portraits: Portraits;
}

const DEFAULTS: ImportOptions = { save: true, as: "preset", import_world_book: true };

export function createCardImport(parts: CardImportParts): CardImport {
  const { database, presets, characters, lorebooks, portraits } = parts;

  const portraitOf = async ({
    picture,
  }: FoundCard): Promise<{ readonly url?: string; readonly problem?: ItemFailure }> => {
    if (!picture) return {};
    try {
      return { url: (await portraits.store(picture)).url };
    } catch (error) {
      return { problem: cardWarning("portrait_left_out", { reason: saidOf(ownFailure(error)) }) };
    }
  };

  /** The record and its world book, in one transaction. */
  const store = async (found: FoundCard, { as, import_world_book }: ImportOptions) => {
    const { url, problem } = await portraitOf(found);
    const pictured = {
      ...found.fields,
      ...(url !== undefined && { portrait: url, avatar: found.fields.avatar || url }),
    };
    const books = import_world_book ? lorebooks() : undefined;
    const fields = books ? pictured : withBook(pictured, found.lorebook);
    const made = as === "preset" ? await presets.creating(fields) : await characters().creating(fields);
    const book =
      books && found.lorebook
        ? await books.importing(found.lorebook, { name: fields.name, boundTo: [made.item.id] })
        : undefined;
    await database().write([...made.writes, ...(book?.writes ?? [])]);
    made.created();
    book?.created();
    const warnings = [...found.warnings, ...(problem === undefined ? [] : [problem]), ...(book ? ofBook(book) : [])];
    return { item: made.item, bookId: book?.bookId ?? null, warnings };
  };

  return {
    async take(given, query) {
      const options = { ...DEFAULTS, ...optionsIn(given), ...query };
      const { container, cards } = await findCards(fileOf(given));
      const [read] = cards;
      if (!read) throw personalityFailure("bad_request", "empty_bundle");
      const found = await read();
      const more = cards.length > 1 ? [cardWarning("first_of_many", { count: cards.length })] : [];
      const detected = { container, spec: found.spec };
      if (!options.save) {
        const card = completeCharacter(withBook(found.fields, found.lorebook));
        const warned = listedWarnings([...more, ...found.warnings]);
        return { card, saved: null, world_book_id: null, detected, ...warned };
      }
      const { item, bookId, warnings } = await store(found, options);
      const { id } = item;
      return {
        card: onlyFields(item),
        saved: { kind: options.as, id },
        world_book_id: bookId,
        detected,
        ...listedWarnings([...more, ...warnings]),
      };
    },
    async takeAll(given) {
      const { cards } = await findCards(fileOf(given));
      if (cards.length === 0) throw personalityFailure("bad_request", "no_card_in_file");
      const items: { index: number; id: string; name: string }[] = [];
      const errors: FailedCard[] = [];
      let first: AppError | undefined;
      for (const [index, read] of cards.entries()) {
        let name = "";
        try {
          const found = await read();
          name = found.fields.name;
          const { item } = await store(found, DEFAULTS);
          items.push({ index, id: item.id, name: item.name });
        } catch (error) {
          first ??= ownFailure(error);
          errors.push({ index, name, ...itemFailure(ownFailure(error)) });
        }
      }
      if (items.length === 0 && first) throw first;
      return { imported: items.length, failed: errors.length, items, errors };
    },
  };
}

function ofBook({ warnings, warning_details }: PreparedLorebook): readonly ItemFailure[] {
  return warnings.map((error, at) => {
    const detail = warning_details?.[at];
    return { error, ...(detail && { detail }) };
  });
}

function fileOf(parts: readonly Part[]): Uint8Array {
  const file = parts.find(({ name }) => name === "file");
  if (!file) throw personalityFailure("bad_request", "missing", {}, { field: "file" });
  return file.bytes;
}

const OPTIONS = ["save", "as", "import_world_book"];
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Options as parts of the form; a part that is none of them is refused. */
function optionsIn(parts: readonly Part[]): Partial<ImportOptions> {
  const said = parts
    .filter(({ name }) => name !== "file")
    .map(({ name, bytes }) => [name, Buffer.from(bytes).toString()] as const);
  const options: Record<string, unknown> = {};
  for (const [name, text] of said) {
    if (!OPTIONS.includes(name)) throw personalityFailure("bad_request", "unknown", {}, { field: name.slice(0, 40) });
    const value = name === "as" ? text : SWITCHES.get(text);
    const isKnown = name === "as" ? text === "preset" || text === "character" : value !== undefined;
    if (!isKnown) throw personalityFailure("bad_request", "not_valid", {}, { field: name });
    options[name] = value;
  }
  return options;
}
