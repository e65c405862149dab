import { type Turn, type TurnContext, type TurnStage, turnData, withEffects } from "@parley/core";
import { expandMacros, type MacroValues, toMacroValues } from "@parley/core/characters";
import { type ActivationResult, createChance } from "./activation/activation.ts";
import type { CardTerms, InsertionPlace as Position } from "./activation/card-terms.ts";
import { toExplanation } from "./activation/explain.ts";
import type { LoreActivator } from "./activation/lore-activator.ts";
import type { AnsweredMessage, InjectionCounters, InjectionState } from "./books/injection-counters.ts";

export const PROMPT_KEY = "world_book";
const MAX_TRACED = 50;

/** An entry that a turn activated. */
interface Injection {
  readonly id: string;
  readonly bookId: string;
  readonly text: string;
  readonly position: Position;
  readonly role: CardTerms["role"];
  /** True for an entry with a cooldown or a maximum number of injections. */
  readonly isLimited: boolean;
}

/** Data that the stages of one turn share; other plugins read `entry_ids`. */
export interface WorldBookNote {
  readonly entry_ids: readonly string[];
  readonly injections: readonly Injection[];
  readonly standing?: {
    readonly turn: number;
    readonly isKnown: boolean;
    readonly counts: Readonly<Record<string, number>>;
  };
}
export const NOTE = turnData<WorldBookNote>("world-books");

export interface StageDeps {
  readonly recaller: LoreActivator;
  readonly counters: InjectionCounters;
  /** Time zone of `{{time}}` and `{{date}}` in entries. */
  readonly timeZone: () => string;
}

/** Creates the stage that activates entries before the model is called. */
export function createActivationStage({ recaller, counters, timeZone }: StageDeps): TurnStage {
  return {
    id: "world-books.recall",
    phase: "context",
    after: ["sessions.history", "characters.plan"],
    usesStorage: true,
    async run(turn, context) {
      if (turn.replies.length > 0 || !turn.inbound.addressed) return turn;
      if (turn.session.disabled_prompt_keys.includes(PROMPT_KEY) || !recaller.hasAny()) return turn;
      const injectionState = recaller.hasLimits() ? await counters.loadState(toAnsweredMessage(turn)) : undefined;
      const recalled = await recaller.activateForTurn(turn, {
        injectionState,
        chanceOf: createChance(turn.traceId),
      });
      const unsearched = recaller.countUnsearched();
      if (recalled.length + unsearched > 0) traceActivation(recalled, unsearched, context);
      return NOTE.with(turn, toNote(recalled, injectionState, toMacroValues(turn, timeZone())));
    },
  };
}

/** Creates the stage that counts injections, in the transaction of the reply. */
export function createCountStage({ counters }: Pick<StageDeps, "counters">): TurnStage {
  return {
    id: "world-books.count",
    phase: "after",
    usesStorage: true,
    async run(turn) {
      const { standing, injections } = NOTE.of(turn) ?? {};
      const isAnswered = turn.recorded?.some(({ kind, content }) => kind === "normal" && content !== "");
      // A private question of an operator does not count as a turn of the conversation.
      if (!standing || !injections || !isAnswered || turn.inbound.isOperatorOnly) return turn;
      const known = Object.entries(standing.counts).map(([id, count]) => [id, { turn: 0, count }] as const);
      const counted = injections.filter(({ isLimited }) => isLimited);
      const writes = counters.countWrites(toAnsweredMessage(turn), { ...standing, entries: new Map(known) }, counted);
      return writes.length === 0 ? turn : withEffects(turn, { writes });
    },
  };
}

function toAnsweredMessage({ session, userMessage, history, traceId }: Turn): AnsweredMessage {
  const last = userMessage ?? history.at(-1);
  return { sessionId: session.id, messageId: userMessage?.id ?? traceId, seq: last?.seq ?? 0 };
}

function toNote(
  recalled: readonly ActivationResult[],
  injectionState: InjectionState | undefined,
  macros: MacroValues,
): WorldBookNote {
  const injections = recalled.flatMap(({ lore, text }) => {
    if (text === undefined) return [];
    const { id, bookId, place: position, role, cooldown, maxInjections } = lore;
    return [
      { id, bookId, position, role, text: expandMacros(text, macros), isLimited: cooldown > 0 || maxInjections > 0 },
    ];
  });
  const counts =
    injectionState && Object.fromEntries([...injectionState.entries].map(([id, { count }]) => [id, count]));
  return {
    entry_ids: injections.map(({ id }) => id),
    injections,
    ...(injectionState &&
      counts && { standing: { turn: injectionState.turn, isKnown: injectionState.isKnown, counts } }),
  };
}

function traceActivation(recalled: readonly ActivationResult[], unsearched: number, { trace }: TurnContext): void {
  const injected = recalled.filter(({ text }) => text !== undefined);
  const left = recalled.filter(({ text }) => text === undefined);
  const silent = unsearched === 0 ? "" : `; ${unsearched} with regular expressions were not looked for: filter is off`;
  trace({
    status: "dispatched",
    message: `${injected.length === 1 ? "1 entry" : `${injected.length} entries`} of world books came up, ${left.length} did not${silent}`,
    metadata: {
      what: "world_book",
      injected: injected.map(toExplanation),
      left_out: left.slice(0, MAX_TRACED).map(toExplanation),
      ...(unsearched > 0 && { unsearched }),
    },
  });
}
