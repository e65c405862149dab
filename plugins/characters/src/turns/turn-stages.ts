import {
  type Clock,
  type Effect,
  type Message,
  newId,
  type StateTimeline,
  type Turn,
  type TurnStage,
  toTraceMessage,
  withEffects,
} from "@parley/core";
import { BOND_FIELDS, type CharacterBond } from "@parley/core/characters";
import { applyPlan, applyRelationshipDeltas, planReaction } from "../reactions/reaction-plan.ts";
import { scoreSignals } from "../reactions/signals.ts";
import type { CharacterRecords, Speaker } from "../records/character-records.ts";
import type { People } from "../records/people.ts";
import type { LatestTurns } from "../state/latest-turns.ts";
import { pickMood, pickRelationship, type StateStore } from "../state/state-store.ts";
import { loadUndo, NOTHING_TO_UNDO, subtractRelationship, undoWrites } from "../state/undo.ts";
import { charactersTexts } from "../texts.ts";
import { CHARACTER_TURN, type CharacterTurnContext } from "./turn-context.ts";

const HOUR_MS = 3_600_000;
const MAX_SNIPPET_CHARS = 500;

export interface TurnStagesDeps {
  readonly records: Pick<CharacterRecords, "findSpeaker">;
  readonly states: StateStore;
  readonly people: People;
  readonly timeline: () => StateTimeline;
  readonly latest: LatestTurns;
  readonly clock: Clock;
  /** Returns the ids of later messages, which a regeneration replaces. */
  readonly messagesAfter: (sessionId: string, message: Message) => Promise<readonly string[]>;
  /** Returns the effect that queues the model's state update, every few answers; else undefined. */
  readonly autoState: (turn: Turn, note: CharacterTurnContext, answered: number) => Effect | undefined;
}

/** Returns true when a character answers the turn. */
function hasCharacter({ session, replies, inbound }: Turn): boolean {
  const isStored = session.is_temporary !== true;
  const isTalk = isStored && session.character_id !== null && session.session_mode === "character";
  // Private questions of operators do not affect the character.
  return isTalk && replies.length === 0 && inbound.addressed && inbound.isOperatorOnly !== true;
}

/** Creates the stage that reads the character's state and decides the reaction before the model is called. */
export function createReactionStage(deps: TurnStagesDeps): TurnStage {
  const { records, states, people, timeline, clock, messagesAfter } = deps;
  return {
    id: "characters.plan",
    phase: "context",
    usesStorage: true,
    concerns: hasCharacter,
    async run(turn) {
      const { session, inbound, userMessage } = turn;
      const character = await records.findSpeaker(session.character_id ?? "");
      if (!character) return turn;
      const targetId = await people.resolveSender(inbound);
      const replaced = inbound.kind === "regenerate" && userMessage ? await messagesAfter(session.id, userMessage) : [];
      const undo = await loadUndo(timeline(), session.id, replaced);
      const { shown } = await states.state(character, session.key);
      const state = pickMood(undo.states.get(character.id) ?? shown);
      const added = undo.bonds.find((one) => one.characterId === character.id && one.targetId === targetId)?.added;
      const bond = subtractRelationship(pickRelationship(await states.relationship(character, targetId)), added ?? {});
      const signals = scoreSignals(turn.text);
      const since = shown.last_active_at === null ? clock.now() : Date.parse(shown.last_active_at);
      const idleHours = replaced.length > 0 ? 0 : Math.max(0, (clock.now() - since) / HOUR_MS);
      const plan = planReaction({ signals, state, bond, idleHours });
      const note = { characterId: character.id, scopeId: session.key, targetId, state, bond, signals, plan, replaced };
      return CHARACTER_TURN.with(turn, note);
    },
  };
}

/** Creates the stage that changes state and relationship by an answer, in the transaction that stores it. */
export function createStateUpdateStage(deps: TurnStagesDeps): TurnStage {
  const { records, states, timeline, latest, clock } = deps;
  return {
    id: "characters.move",
    phase: "after",
    usesStorage: true,
    concerns: (turn) => CHARACTER_TURN.of(turn) !== undefined,
    async run(turn, context) {
      const note = CHARACTER_TURN.of(turn);
      const reply = turn.recorded?.findLast(({ kind, content }) => kind === "normal" && content !== "");
      const character = note && reply && (await records.findSpeaker(note.characterId));
      if (!character) return turn;
      const change = await computeChange(deps, turn, note, character);
      const at = new Date(clock.now()).toISOString();
      const effect: Effect = {
        writes: [
          ...change.undoing,
          states.setStateWrite(note.characterId, note.scopeId, change.state, { turns: 1, activeAt: at }),
          states.adjustRelationshipWrite(character, change.storedBond, change.deltas),
          ...timeline().adding({
            id: newId("tl", clock.now()),
            session_id: turn.session.id,
            character_id: note.characterId,
            message_id: reply.id,
            message_index: turn.session.message_count + 1,
            timestamp: at,
            source: "auto",
            state: change.state,
            relationship: change.bond,
            user_message: turn.text.slice(0, MAX_SNIPPET_CHARS),
            assistant_message: reply.content.slice(0, MAX_SNIPPET_CHARS),
            undo: { target_id: note.targetId, state: change.before, added: change.added },
          }),
        ],
        applied: () => latest.record(turn, note, change, at),
      };
      const asked = deps.autoState(turn, note, change.answered);
      const { visible_emotion: mood, relationship_deltas } = note.plan;
      context.trace({
        status: "dispatched",
        ...toTraceMessage(charactersTexts.message("trace_mood", { mood: change.state.mood })),
        metadata: { what: "character", character_id: note.characterId, mood, relationship_deltas },
      });
      return withEffects(turn, effect, ...(asked ? [asked] : []));
    },
  };
}

/** Computes the changes from the currently stored state, which a person may have edited while the model answered. */
async function computeChange(
  { states, timeline, records }: TurnStagesDeps,
  turn: Turn,
  note: CharacterTurnContext,
  character: Speaker,
) {
  const { session } = turn;
  const undo = note.replaced.length > 0 ? await loadUndo(timeline(), session.id, note.replaced) : NOTHING_TO_UNDO;
  const { shown, turns } = await states.state(character, note.scopeId);
  const before = pickMood(undo.states.get(character.id) ?? shown);
  const storedBond = await states.relationship(character, note.targetId);
  const undoneRelationship = undo.bonds.find(
    (one) => one.characterId === character.id && one.targetId === note.targetId,
  );
  const baseRelationship = subtractRelationship(pickRelationship(storedBond), undoneRelationship?.added ?? {});
  const bond = applyRelationshipDeltas(baseRelationship, note.plan.relationship_deltas);
  return {
    before,
    state: applyPlan(before, note.plan),
    bond,
    storedBond,
    answered: turns + 1,
    /** Changes against the stored row: reverted and new ones together. */
    deltas: toDeltas(pickRelationship(storedBond), bond),
    /** Changes that this message adds, within the limits. */
    added: toDeltas(baseRelationship, bond),
    undoing: await undoWrites(
      undo,
      { states, timeline: timeline(), session, findCharacter: (id) => records.findSpeaker(id) },
      { characterId: character.id, targetId: note.targetId },
    ),
  };
}

function toDeltas(before: CharacterBond, after: CharacterBond): Partial<CharacterBond> {
  return Object.fromEntries(BOND_FIELDS.map((field) => [field, after[field] - before[field]]));
}
