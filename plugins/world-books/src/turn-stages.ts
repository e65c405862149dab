import { type Turn, type TurnContext, type TurnStage, toTraceMessage, turnData, withEffects } from "@parley/core";
import { expandMacros, type MacroValues, toMacroValues } from "@parley/core/characters";
import { type ActivationResult, createChance } from "./activation/activation.ts";
import type { CardTerms, InsertionPlace as Position } from "./activation/card-terms.ts";
import { toExplanation } from "./activation/explain.ts";
import type { LoreActivator } from "./activation/lore-activator.ts";
import type { AnsweredMessage, InjectionCounters, InjectionState } from "./books/injection-counters.ts";
import { worldBooksTexts } from "./texts.ts";
import { hasMemory } from "./world-info/entry-kinds.ts";

export const PROMPT_KEY = "world_book";
const MAX_TRACED = 50;
/** Macros whose text differs from message to message. */
const CHANGING_MACROS = /\{\{\s*(time|random)\b/i;

/** An entry that a turn activated. */
export interface Injection {
  readonly id: string;
  readonly bookId: string;
  readonly text: string;
  readonly position: Position;
  readonly role: CardTerms["role"];
  /** True when this activation is counted, because later ones depend on it. */
  readonly isLimited: boolean;
  /** True for an entry that every message activates with the same text. */
  readonly isConstant: boolean;
}

/** Data that the stages of one turn share; other plugins read `entry_ids`. `countsBefore`: injections before this turn. */
export interface WorldBookNote {
  readonly entry_ids: readonly string[];
  readonly injections: readonly Injection[];
  readonly countsBefore?: {
    readonly turn: number;
    readonly isKnown: boolean;
    readonly counts: Readonly<Record<string, number>>;
  };
}
export const NOTE = turnData<WorldBookNote>("world-books");

export interface StageDeps {
  readonly activator: LoreActivator;
  readonly counters: InjectionCounters;
  /** Time zone of `{{time}}` and `{{date}}` in entries. */
  readonly timeZone: () => string;
  /** Returns the other name of the turn's character, which stands for `{{char}}`; undefined when it has none. */
  readonly findNickname: (turn: Turn) => Promise<string | undefined>;
}

/** Creates the stage that activates entries before the model is called. */
export function createActivationStage({ activator, counters, timeZone, findNickname }: StageDeps): TurnStage {
  return {
    id: "world-books.recall",
    phase: "context",
    after: ["sessions.history", "characters.plan"],
    usesStorage: true,
    concerns: ({ replies, inbound, session }) =>
      activator.hasAny() &&
      replies.length === 0 &&
      inbound.addressed &&
      !session.disabled_prompt_keys.includes(PROMPT_KEY),
    async run(turn, context) {
      const injectionState = activator.hasLimits() ? await counters.loadState(toAnsweredMessage(turn)) : undefined;
      const activated = await activator.activateForTurn(turn, {
        injectionState,
        getChance: createChance(turn.traceId),
      });
      const unsearched = activator.countUnsearched();
      if (activated.length + unsearched > 0) traceActivation(activated, unsearched, context);
      const values = toMacroValues(turn, timeZone(), await findNickname(turn));
      return NOTE.with(turn, toNote(activated, injectionState, values));
    },
  };
}

/** Creates the stage that counts injections, in the transaction of the reply. */
export function createCountStage({ counters }: Pick<StageDeps, "counters">): TurnStage {
  return {
    id: "world-books.count",
    phase: "after",
    usesStorage: true,
    concerns: (turn) => NOTE.of(turn)?.countsBefore !== undefined,
    async run(turn) {
      const { countsBefore, injections } = NOTE.of(turn) ?? {};
      const isAnswered = turn.recorded?.some(({ kind, content }) => kind === "normal" && content !== "");
      // A private question of an operator does not count as a turn of the conversation.
      if (!countsBefore || !injections || !isAnswered || turn.inbound.isOperatorOnly) return turn;
      const { counts, ...before } = countsBefore;
      const entries = new Map(Object.entries(counts).map(([id, count]) => [id, { turn: 0, count, seq: 0 }] as const));
      const limited = injections.filter(({ isLimited }) => isLimited);
      const writes = counters.countWrites(toAnsweredMessage(turn), { ...before, entries }, limited);
      return writes.length === 0 ? turn : withEffects(turn, { writes });
    },
  };
}

function toAnsweredMessage({ session, userMessage, history, traceId }: Turn): AnsweredMessage {
  const last = userMessage ?? history.at(-1);
  return { sessionId: session.id, messageId: userMessage?.id ?? traceId, seq: last?.seq ?? 0 };
}

function toNote(
  activated: readonly ActivationResult[],
  state: InjectionState | undefined,
  macros: MacroValues,
): WorldBookNote {
  const injections = [...activated].sort(compareSteadily).flatMap((one) => toInjection(one, macros));
  const counts = state && Object.fromEntries([...state.entries].map(([id, { count }]) => [id, count]));
  return {
    entry_ids: injections.map(({ id }) => id),
    injections,
    ...(state && counts && { countsBefore: { turn: state.turn, isKnown: state.isKnown, counts } }),
  };
}

/**
 * Entries that are always on come first, in an order that does not depend on what else activates them. Those with the
 * rules of World Info are in their order already.
 */
function compareSteadily({ lore: a, book }: ActivationResult, { lore: b, book: other }: ActivationResult): number {
  if (book.behaviour !== other.behaviour) return book.behaviour === "native" ? -1 : 1;
  const isFirst = Number(b.alwaysOn) - Number(a.alwaysOn);
  if (book.behaviour === "world_info") return 0;
  if (isFirst !== 0 || !a.alwaysOn) return isFirst;
  return b.priority - a.priority || a.order - b.order || (a.id < b.id ? -1 : 1);
}

function toInjection(result: ActivationResult, macros: MacroValues): readonly Injection[] {
  const { lore, book, text } = result;
  if (text === undefined) return [];
  const isInfo = book.behaviour === "world_info";
  const position = isInfo ? lore.info.place : lore.place;
  // Only a macro for it would insert the text of an outlet.
  if (position === "outlet") return [];
  const isMemorized = isInfo ? hasMemory(lore) : lore.cooldown > 0 || lore.maxInjections > 0;
  const isSteady = lore.alwaysOn && !isMemorized && lore.probability === undefined && lore.groups.length === 0;
  return [
    {
      ...{ id: lore.id, bookId: lore.bookId, position },
      role: isInfo ? lore.info.role : lore.role,
      text: isInfo ? text : expandMacros(text, macros),
      isLimited: isMemorized && result.isSticky !== true,
      isConstant: isSteady && !CHANGING_MACROS.test(lore.text),
    },
  ];
}

function traceActivation(activated: readonly ActivationResult[], unsearched: number, { trace }: TurnContext): void {
  const injected = activated.filter(({ text }) => text !== undefined);
  const left = activated.filter(({ text }) => text === undefined);
  const counts = { injected: injected.length, left: left.length };
  const message =
    unsearched === 0
      ? worldBooksTexts.message("trace_activated", counts)
      : worldBooksTexts.message("trace_unsearched", { ...counts, unsearched });
  trace({
    status: "dispatched",
    ...toTraceMessage(message),
    metadata: {
      what: "world_book",
      injected: injected.map(toExplanation),
      left_out: left.slice(0, MAX_TRACED).map(toExplanation),
      ...(unsearched > 0 && { unsearched }),
    },
  });
}
