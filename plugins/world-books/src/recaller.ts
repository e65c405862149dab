import type { Message, RegexRunner, Turn } from "@parley/core";
import type { Lore, LoreBook } from "./lore.ts";
import type { LoreLibrary } from "./lore-library.ts";
import { type Recalled, type RecallParts, recall } from "./recall.ts";
import type { RecallInput, Said } from "./recall-texts.ts";
import { recallTexts } from "./recall-texts.ts";

/** More than any book reads. */
const MOST_MESSAGES = 400;

/** Who a conversation is with. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly bookIds: ReadonlySet<string>;
}

/** Which books count, besides whether they are switched on. */
export type Choice = (book: LoreBook) => boolean;

export interface Recaller {
  hasAny(): boolean;
  hasLimits(): boolean;
  /** Entries whose regular expressions nobody looks for. */
  unsearched(): number;
  ofTurn(turn: Turn, how: Pick<RecallParts, "standing" | "chanceOf">): Promise<readonly Recalled[]>;
  /** What would come up; nothing is counted and nothing left to chance. */
  of(input: RecallInput, choice: Choice): Promise<readonly Recalled[]>;
}

export interface RecallerParts {
  readonly library: LoreLibrary;
  readonly partnerOf: (characterId: string) => Promise<Partner | undefined>;
  /** Who speaks where no character is bound. */
  readonly usualPartner: () => Promise<Partner | undefined>;
  /** How things look around the character in this turn. */
  readonly sceneOf: (turn: Turn) => Readonly<Record<string, unknown>>;
  /** Undefined while nobody searches by regular expressions. */
  readonly runner: () => RegexRunner | undefined;
  /** Of all regular expressions of a turn. */
  readonly regexLimitMs: number;
}

export function createRecaller({
  library,
  partnerOf,
  usualPartner,
  sceneOf,
  runner,
  regexLimitMs,
}: RecallerParts): Recaller {
  const of = async (
    input: RecallInput,
    choice: Choice,
    how: Pick<RecallParts, "standing" | "chanceOf"> = {},
  ): Promise<readonly Recalled[]> => {
    const index = library.index();
    const regexRunner = index.regexes.length > 0 ? runner() : undefined;
    const chosen = new Map<string, LoreBook | undefined>();
    const bookOf = ({ bookId }: Lore) => {
      if (chosen.has(bookId)) return chosen.get(bookId);
      const book = library.books.get(bookId);
      const counts = book?.enabled && choice(book) ? book : undefined;
      chosen.set(bookId, counts);
      return counts;
    };
    const depths = [...library.books.values()].map(({ scanDepth }) => scanDepth);
    const regexes = regexRunner && { runner: regexRunner, library, limitMs: regexLimitMs };
    return recall({ index, bookOf, regexes, ...how }, recallTexts(input, depths));
  };
  return {
    hasAny: () => library.index().lore.length > 0,
    hasLimits: () => library.index().hasLimits,
    unsearched() {
      const { regexes } = library.index();
      return regexes.length > 0 && runner() === undefined ? regexes.length : 0;
    },
    of,
    async ofTurn(turn, how) {
      const { character_id, session_mode, system_prompt } = turn.session;
      // A prompt of the session's own stands in place of the personality.
      const usual = session_mode === "plain" || system_prompt !== "" ? undefined : usualPartner();
      const partner = await (character_id === null ? usual : partnerOf(character_id));
      return of({ message: turn.text, before: saidBefore(turn), scene: sceneOf(turn) }, isFor(partner), how);
    },
  };
}

/** Global books, and those that are bound to whom the conversation is with. */
export function isFor(partner: Partner | undefined): Choice {
  return ({ id, characters }) =>
    characters.size === 0 ||
    (partner !== undefined && (characters.has(partner.id) || characters.has(partner.name) || partner.bookIds.has(id)));
}

function saidBefore({ history, userMessage }: Turn): readonly Said[] {
  const said: Said[] = [];
  for (let at = history.length - 1; at >= 0 && said.length < MOST_MESSAGES; at -= 1) {
    const message = history[at] as Message;
    const { kind, role, content, id } = message;
    if (kind !== "normal" || role === "system" || id === userMessage?.id) continue;
    said.push({ role, content });
  }
  return said.reverse();
}
