import Joi from "@hapi/joi";
import { notFound, textOf } from "@parley/core";
import { answerFields, shape } from "@parley/core/http";
import type { Books } from "../books/books.ts";
import { ENTRY_TYPES, SOURCES } from "../books/entry-fields.ts";
import { worldBooksTexts } from "../texts.ts";
import { type ActivationResult, SKIP_REASONS } from "./activation.ts";
import type { Lore, Partner } from "./lore.ts";
import { type BookFilter, createPartnerFilter, type LoreActivator } from "./lore-activator.ts";
import type { LoreLibrary } from "./lore-library.ts";
import type { ChatMessage } from "./scan-texts.ts";

export interface TestMatchRequest {
  readonly message: string;
  readonly character_id?: string;
  readonly recent_messages?: readonly ChatMessage[];
  readonly scene?: Readonly<Record<string, unknown>>;
  readonly book_ids?: readonly string[];
  /** True to explain the entries of these books that did not match, too. */
  readonly every_entry: boolean;
}

const MAX_RECENT_MESSAGES = 50;
const PREVIEW_CHARS = 200;
const MAX_BOOKS = 1_000;

const sceneValue = Joi.alternatives(
  textOf(1_000),
  Joi.number(),
  Joi.boolean(),
  Joi.array().items(textOf(1_000)).max(100),
);

export const testMatchBody = Joi.object<TestMatchRequest>({
  message: textOf(32_000).required(),
  character_id: textOf(100),
  recent_messages: Joi.array()
    .items(Joi.object({ role: Joi.valid("user", "assistant").required(), content: textOf(32_000).required() }))
    .max(MAX_RECENT_MESSAGES),
  scene: Joi.object().pattern(textOf(100), sceneValue).max(100),
  book_ids: Joi.array().items(textOf(100)).max(MAX_BOOKS),
  every_entry: Joi.boolean().default(false),
});

const hit = shape(
  { place: answerFields.text, keyword: answerFields.text, start: answerFields.count, end: answerFields.count },
  "WorldBookHit",
);
const score = {
  score: answerFields.number,
  trigger_sources: answerFields.listOf(answerFields.word("always_on", ...SOURCES, "recursion", "character")),
  matched_keywords: answerFields.texts,
  hits: answerFields.listOf(hit),
};
export const testMatchData = shape(
  {
    mode: answerFields.word("simple", "multi"),
    matches: answerFields.listOf(
      shape({
        world_book_id: answerFields.id,
        world_book_name: answerFields.text,
        entry_id: answerFields.id,
        entry_name: answerFields.text,
        entry_type: answerFields.word(...ENTRY_TYPES),
        ...score,
        priority: answerFields.number,
        weight: answerFields.number,
        content_preview: answerFields.text,
        injected: answerFields.flag,
        reason: answerFields.text.optional(),
        chars: answerFields.count,
      }),
    ),
    dropped: answerFields.listOf(
      shape({
        entry_id: answerFields.id,
        entry_name: answerFields.text.optional(),
        world_book_id: answerFields.id.optional(),
        reason: answerFields.word(...SKIP_REASONS, "not_searched", "switched_off", "set_aside", "not_found"),
        score: answerFields.number.optional(),
        hits: answerFields.listOf(hit).optional(),
      }),
    ),
    injected_chars: answerFields.count,
  },
  "WorldBookTestMatch",
);

export interface TestMatchDeps {
  readonly activator: LoreActivator;
  readonly library: LoreLibrary;
  readonly books: Pick<Books, "get" | "entriesOf">;
  readonly partnerOf: (characterId: string) => Promise<Partner | undefined>;
}

/** Creates the match test: returns the entries that an input would activate and why, and counts nothing. */
export function createTestMatch({ activator, library, books, partnerOf }: TestMatchDeps) {
  const findPartner = async ({ character_id }: TestMatchRequest) => {
    const partner = character_id === undefined ? undefined : await partnerOf(character_id);
    if (character_id !== undefined && !partner) throw notFound("character", character_id);
    return partner;
  };
  const createBookFilter = async ({ book_ids }: TestMatchRequest, partner?: Partner): Promise<BookFilter> => {
    if (book_ids === undefined) return createPartnerFilter(partner);
    for (const id of book_ids) await books.get(id);
    const chosen = new Set(book_ids);
    return ({ id }) => chosen.has(id);
  };
  return async (asked: TestMatchRequest): Promise<object> => {
    const { message, recent_messages, scene = {}, every_entry } = asked;
    const isMulti = recent_messages !== undefined || asked.scene !== undefined;
    if (!isMulti && message.trim() === "")
      throw worldBooksTexts.error("bad_request", "blank", {}, { field: "message" });
    await library.ready();
    const partner = await findPartner(asked);
    const choice = await createBookFilter(asked, partner);
    const input = { message, before: recent_messages ?? [], scene };
    const found = await activator.activateForInput(input, choice, partner);
    const known = new Set(found.map(({ lore }) => lore.id));
    const left = [
      ...found.filter(({ text }) => text === undefined).map(toDroppedView),
      ...listUnsearched(known, choice),
    ];
    return {
      mode: isMulti ? "multi" : "simple",
      matches: found.filter(({ sources, lore }) => lore.alwaysOn || sources.length > 0).map(toMatchView),
      dropped: every_entry ? [...left, ...(await listSilentEntries(known, choice))] : left,
      injected_chars: found.reduce((sum, { text = "" }) => sum + [...text].length, 0),
    };
  };

  /** Returns the entries with regular expressions if no plugin can search these, without those in `known`. */
  function listUnsearched(known: Set<string>, choice: BookFilter): readonly object[] {
    if (activator.countUnsearched() === 0) return [];
    const { regexes, lore } = library.index();
    return regexes.flatMap((place) => {
      const { id, name, bookId } = lore[place] as Lore;
      const book = library.books.get(bookId);
      if (known.has(id) || !book?.enabled || !choice(book)) return [];
      known.add(id);
      return [{ entry_id: id, entry_name: name, world_book_id: bookId, reason: "not_searched" }];
    });
  }

  async function listSilentEntries(known: ReadonlySet<string>, choice: BookFilter): Promise<readonly object[]> {
    const rows: object[] = [];
    for (const book of library.books.values()) {
      if (!choice(book)) continue;
      for (const { id, name, enabled } of await books.entriesOf(book.id)) {
        if (known.has(id)) continue;
        const isOn = enabled && book.enabled;
        const reason = !isOn ? "switched_off" : library.isQuarantined(id) ? "set_aside" : "not_found";
        rows.push({ entry_id: id, entry_name: name, world_book_id: book.id, reason });
      }
    }
    return rows;
  }
}

function toMatchView({ lore, book, score, sources, hits, text, reason }: ActivationResult): object {
  const counted = hits.filter(({ place, isSecond }) => !isSecond && sources.includes(place));
  return {
    world_book_id: book.id,
    world_book_name: book.name,
    entry_id: lore.id,
    entry_name: lore.name,
    entry_type: lore.type,
    matched_keywords: [...new Set(counted.map(({ keyword }) => keyword))],
    trigger_sources: lore.alwaysOn ? ["always_on", ...sources] : sources,
    hits: hits.map(toHitView),
    score,
    priority: lore.priority,
    weight: lore.weight,
    content_preview: [...lore.text].slice(0, PREVIEW_CHARS).join(""),
    injected: text !== undefined,
    ...(reason && { reason }),
    chars: text === undefined ? 0 : [...text].length,
  };
}

function toDroppedView({ lore, book, reason = "match_mode", score, hits }: ActivationResult): object {
  return {
    entry_id: lore.id,
    entry_name: lore.name,
    world_book_id: book.id,
    reason,
    score,
    hits: hits.map(toHitView),
  };
}

function toHitView({ place, keyword, start, end }: ActivationResult["hits"][number]): object {
  return { place, keyword, start, end };
}
