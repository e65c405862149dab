import type { Message, RegexRunner, Turn } from "@parley/core";
import { type ActivationOptions, type ActivationResult, activateLore } from "./activation.ts";
import type { Lore, LoreBook } from "./lore.ts";
import type { LoreLibrary } from "./lore-library.ts";
import type { ChatMessage, ScanInput } from "./scan-texts.ts";
import { createScanTexts } from "./scan-texts.ts";

/** More messages than any book scans. */
const MAX_MESSAGES = 400;

/** The character or preset with which a conversation is held. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly bookIds: ReadonlySet<string>;
}

export type BookFilter = (book: LoreBook) => boolean;

export interface LoreActivator {
  hasAny(): boolean;
  hasLimits(): boolean;
  /** Returns the number of entries with regular expressions if no plugin can search these; else 0. */
  countUnsearched(): number;
  activateForTurn(
    turn: Turn,
    how: Pick<ActivationOptions, "injectionState" | "getChance">,
  ): Promise<readonly ActivationResult[]>;
  /** Returns the entries that an input would activate, without counting them; all with a probability above 0. */
  activateForInput(input: ScanInput, choice: BookFilter): Promise<readonly ActivationResult[]>;
}

export interface LoreActivatorDeps {
  readonly library: LoreLibrary;
  readonly findPartner: (characterId: string) => Promise<Partner | undefined>;
  /** Returns the partner of conversations without a character. */
  readonly findDefaultPartner: () => Promise<Partner | undefined>;
  readonly getScene: (turn: Turn) => Readonly<Record<string, unknown>>;
  /** Returns undefined when no plugin runs regular expressions. */
  readonly runner: () => RegexRunner | undefined;
  /** Time limit of all regular expressions in a turn, in milliseconds. */
  readonly regexLimitMs: number;
}

export function createLoreActivator(deps: LoreActivatorDeps): LoreActivator {
  const { library, findPartner, findDefaultPartner, getScene, runner, regexLimitMs } = deps;
  const of = async (
    input: ScanInput,
    choice: BookFilter,
    how: Pick<ActivationOptions, "injectionState" | "getChance"> = {},
  ): Promise<readonly ActivationResult[]> => {
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
    return activateLore({ index, getBook: bookOf, regexes, ...how }, createScanTexts(input, depths));
  };
  return {
    hasAny: () => library.index().lore.length > 0,
    hasLimits: () => library.index().hasLimits,
    countUnsearched() {
      const { regexes } = library.index();
      return regexes.length > 0 && runner() === undefined ? regexes.length : 0;
    },
    activateForInput: of,
    async activateForTurn(turn, how) {
      const { character_id, session_mode, system_prompt } = turn.session;
      // A prompt of the session replaces the personality, and with it the books of the personality.
      const usual = session_mode === "plain" || system_prompt !== "" ? undefined : findDefaultPartner();
      const partner = await (character_id === null ? usual : findPartner(character_id));
      return of(
        { message: turn.text, before: listPreviousMessages(turn), scene: getScene(turn) },
        createPartnerFilter(partner),
        how,
      );
    },
  };
}

/** Selects the global books and those of the partner. */
export function createPartnerFilter(partner: Partner | undefined): BookFilter {
  return ({ id, characters }) =>
    characters.size === 0 ||
    (partner !== undefined && (characters.has(partner.id) || characters.has(partner.name) || partner.bookIds.has(id)));
}

function listPreviousMessages({ history, userMessage }: Turn): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (let at = history.length - 1; at >= 0 && messages.length < MAX_MESSAGES; at -= 1) {
    const message = history[at] as Message;
    const { kind, role, content, id } = message;
    if (kind !== "normal" || role === "system" || id === userMessage?.id) continue;
    messages.push({ role, content });
  }
  return messages.reverse();
}
