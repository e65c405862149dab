import { isGroupSession, type Message, type RegexRunner, type Turn } from "@parley/core";
import { activateInfo } from "../world-info/activate-info.ts";
import type { InfoContext } from "../world-info/info-context.ts";
import { type ActivationOptions, type ActivationResult, activateLore } from "./activation.ts";
import type { Lore, LoreBook, Partner } from "./lore.ts";
import type { LoreLibrary } from "./lore-library.ts";
import type { ChatMessage, ScanInput } from "./scan-texts.ts";
import { createScanTexts } from "./scan-texts.ts";

/** More messages than any book scans. */
const MAX_MESSAGES = 400;

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
  activateForInput(input: ScanInput, choice: BookFilter, partner?: Partner): Promise<readonly ActivationResult[]>;
}

export interface LoreActivatorDeps {
  readonly library: LoreLibrary;
  readonly findPartner: (characterId: string) => Promise<Partner | undefined>;
  /** Returns the partner of conversations without a character. */
  readonly findDefaultPartner: () => Promise<Partner | undefined>;
  readonly getScene: (turn: Turn) => Readonly<Record<string, unknown>>;
  /** Returns what the rules of World Info need to know about a turn, or about a test with this partner. */
  readonly readInfoContext: (about: {
    readonly turn?: Turn;
    readonly partner?: Partner | undefined;
  }) => Promise<InfoContext>;
  /** Returns undefined when no plugin runs regular expressions. */
  readonly runner: () => RegexRunner | undefined;
  /** Time limit of all regular expressions in a turn, in milliseconds. */
  readonly regexLimitMs: number;
}

type Counts = Pick<ActivationOptions, "injectionState" | "getChance">;
interface ActivationRequest {
  readonly input: ScanInput;
  readonly choice: BookFilter;
  readonly counts: Counts;
  readonly readContext: () => Promise<InfoContext>;
}

export function createLoreActivator(deps: LoreActivatorDeps): LoreActivator {
  const { library, findPartner, findDefaultPartner, getScene, runner, readInfoContext } = deps;
  return {
    hasAny: () => library.index().lore.length > 0,
    hasLimits: () => library.index().hasLimits,
    countUnsearched() {
      const { regexes } = library.index();
      return regexes.length > 0 && runner() === undefined ? regexes.length : 0;
    },
    activateForInput: (input, choice, partner) =>
      activate(deps, { input, choice, counts: {}, readContext: () => readInfoContext({ partner }) }),
    async activateForTurn(turn, counts) {
      const { character_id, session_mode, system_prompt } = turn.session;
      // A prompt of the session replaces the personality, and with it the books of the personality.
      const usual = session_mode === "plain" || system_prompt !== "" ? undefined : findDefaultPartner();
      const partner = await (character_id === null ? usual : findPartner(character_id));
      const input = { message: turn.text, before: listPreviousMessages(turn), scene: getScene(turn) };
      const readContext = () => readInfoContext({ turn, partner });
      return activate(deps, { input, choice: createPartnerFilter(partner), counts, readContext });
    },
  };
}

/** Activates the entries of all books that apply, each book's by its own rules. */
async function activate(
  { library, runner, regexLimitMs }: LoreActivatorDeps,
  { input, choice, counts, readContext }: ActivationRequest,
): Promise<readonly ActivationResult[]> {
  const index = library.index();
  const regexRunner = index.regexes.length > 0 ? runner() : undefined;
  const books = [...library.books.values()].filter((book) => book.enabled && choice(book));
  const regexes = regexRunner && { runner: regexRunner, library, limitMs: regexLimitMs };
  const [native, info] = (["native", "world_info"] as const).map((behaviour) =>
    books.filter((book) => book.behaviour === behaviour),
  ) as [LoreBook[], LoreBook[]];
  const optionsFor = (some: readonly LoreBook[]) => ({ index, getBook: createLookup(some), regexes, ...counts });
  const depthsOf = (some: readonly LoreBook[]) => some.map(({ scanDepth }) => scanDepth);
  const found =
    native.length === 0 ? [] : await activateLore(optionsFor(native), createScanTexts(input, depthsOf(native)));
  if (info.length === 0) return found;
  const { user, char, ...context } = await readContext();
  const messages = [...input.before, { role: "user" as const, content: input.message }].map((message) => ({
    ...message,
    name: message.name ?? (message.role === "user" ? user : char),
  }));
  return [...found, ...(await activateInfo({ ...optionsFor(info), ...context }, messages, depthsOf(info)))];
}

/** Creates the lookup of an entry's book among some books. */
function createLookup(books: readonly LoreBook[]): (lore: Lore) => LoreBook | undefined {
  const byId = new Map(books.map((book) => [book.id, book]));
  return ({ bookId }) => byId.get(bookId);
}

/** Selects the global books and those of the partner. */
export function createPartnerFilter(partner: Partner | undefined): BookFilter {
  return ({ id, characters }) =>
    characters.size === 0 ||
    (partner !== undefined && (characters.has(partner.id) || characters.has(partner.name) || partner.bookIds.has(id)));
}

function listPreviousMessages({ history, userMessage, session }: Turn): readonly ChatMessage[] {
  const isGroup = isGroupSession(session);
  const messages: ChatMessage[] = [];
  for (let at = history.length - 1; at >= 0 && messages.length < MAX_MESSAGES; at -= 1) {
    const message = history[at] as Message;
    const { kind, role, content, id, seq, sender } = message;
    if (kind !== "normal" || role === "system" || id === userMessage?.id) continue;
    const isNamed = sender !== "" && (isGroup || role === "assistant");
    messages.push({ role, content, seq, ...(isNamed && { name: sender }) });
  }
  return messages.reverse();
}
