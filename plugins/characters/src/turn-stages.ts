import {
  BOND_FIELDS,
  type CharacterBond,
  type Clock,
  type Effect,
  type Message,
  newId,
  type StateTimeline,
  type Turn,
  type TurnStage,
  withEffects,
} from "@parley/core";
import type { CharacterRecords, Speaker } from "./character-records.ts";
import type { LatestTurns } from "./latest-turns.ts";
import type { People } from "./people.ts";
import { bondAfter, planOf, stateAfter } from "./plan.ts";
import { scoreSignals } from "./signals.ts";
import { type CharacterStates, pickBond, pickMood } from "./states.ts";
import { NOTE, type TurnNote } from "./turn-note.ts";
import { bondWithout, NOTHING_TO_UNDO, undoing, undoOf } from "./undo.ts";

const HOUR_MS = 3_600_000;
const SHOWN = 500;

export interface TurnParts {
  readonly records: Pick<CharacterRecords, "speaker">;
  readonly states: CharacterStates;
  readonly people: People;
  readonly timeline: () => StateTimeline;
  readonly latest: LatestTurns;
  readonly clock: Clock;
  /** Ids of the messages that stand behind one, which a regeneration replaces. */
  readonly messagesAfter: (sessionId: string, message: Message) => Promise<readonly string[]>;
  /** The model's own look at how things stand, every few answers; undefined: not now. */
  readonly autoState: (turn: Turn, note: TurnNote, answered: number) => Effect | undefined;
}

/** Whether a character speaks in a turn that is asked to be answered. */
function hasCharacter({ session, replies, inbound }: Turn): boolean {
  const isKept = session.is_temporary !== true;
  const isTalk = isKept && session.character_id !== null && session.session_mode === "character";
  // What operators ask for themselves is no part of how the people treat the character.
  return isTalk && replies.length === 0 && inbound.addressed && inbound.isOperatorOnly !== true;
}

/** Reads how the character stands and decides how it takes the message, before anybody is asked. */
export function planStage(parts: TurnParts): TurnStage {
  const { records, states, people, timeline, clock, messagesAfter } = parts;
  return {
    id: "characters.plan",
    phase: "context",
    usesStorage: true,
    async run(turn) {
      const { session, inbound, userMessage } = turn;
      const character = hasCharacter(turn) ? await records.speaker(session.character_id ?? "") : undefined;
      if (!character) return turn;
      const targetId = await people.senderOf(inbound);
      const replaced = inbound.kind === "regenerate" && userMessage ? await messagesAfter(session.id, userMessage) : [];
      const undo = await undoOf(timeline(), session.id, replaced);
      const { shown } = await states.state(character, session.key);
      const state = pickMood(undo.states.get(character.id) ?? shown);
      const added = undo.bonds.find((one) => one.characterId === character.id && one.targetId === targetId)?.added;
      const bond = bondWithout(pickBond(await states.bond(character, targetId)), added ?? {});
      const signals = scoreSignals(turn.text);
      const since = shown.last_active_at === null ? clock.now() : Date.parse(shown.last_active_at);
      const idleHours = replaced.length > 0 ? 0 : Math.max(0, (clock.now() - since) / HOUR_MS);
      const plan = planOf({ signals, state, bond, idleHours });
      const note = { characterId: character.id, scopeId: session.key, targetId, state, bond, signals, plan, replaced };
      return NOTE.with(turn, note);
    },
  };
}

/** Moves state and relationship with the answer, in the transaction that stores it. */
export function moveStage(parts: TurnParts): TurnStage {
  const { records, states, timeline, latest, clock } = parts;
  return {
    id: "characters.move",
    phase: "after",
    usesStorage: true,
    async run(turn, context) {
      const note = NOTE.of(turn);
      const reply = turn.recorded?.findLast(({ kind, content }) => kind === "normal" && content !== "");
      const character = note && reply && (await records.speaker(note.characterId));
      if (!character) return turn;
      const moved = await moveOf(parts, turn, note, character);
      const at = new Date(clock.now()).toISOString();
      const effect: Effect = {
        writes: [
          ...moved.undoing,
          states.settingState(note.characterId, note.scopeId, moved.state, { turns: 1, activeAt: at }),
          states.movingBond(character, moved.bondRow, moved.deltas),
          ...timeline().adding({
            id: newId("tl", clock.now()),
            session_id: turn.session.id,
            character_id: note.characterId,
            message_id: reply.id,
            message_index: turn.session.message_count + 1,
            timestamp: at,
            source: "auto",
            state: moved.state,
            relationship: moved.bond,
            user_message: turn.text.slice(0, SHOWN),
            assistant_message: reply.content.slice(0, SHOWN),
            undo: { target_id: note.targetId, state: moved.before, added: moved.added },
          }),
        ],
        applied: () => latest.note(turn, note, moved, at),
      };
      const asked = parts.autoState(turn, note, moved.answered);
      const { visible_emotion: mood, relationship_deltas } = note.plan;
      context.trace({
        status: "dispatched",
        message: `the character is ${moved.state.mood}`,
        metadata: { what: "character", character_id: note.characterId, mood, relationship_deltas },
      });
      return withEffects(turn, effect, ...(asked ? [asked] : []));
    },
  };
}

/** What changes: of what is stored now, which a person may have changed while the model answered. */
async function moveOf({ states, timeline, records }: TurnParts, turn: Turn, note: TurnNote, character: Speaker) {
  const { session } = turn;
  const undo = note.replaced.length > 0 ? await undoOf(timeline(), session.id, note.replaced) : NOTHING_TO_UNDO;
  const { shown, turns } = await states.state(character, note.scopeId);
  const before = pickMood(undo.states.get(character.id) ?? shown);
  const bondRow = await states.bond(character, note.targetId);
  const own = undo.bonds.find((one) => one.characterId === character.id && one.targetId === note.targetId);
  const cleared = bondWithout(pickBond(bondRow), own?.added ?? {});
  const bond = bondAfter(cleared, note.plan.relationship_deltas);
  return {
    before,
    state: stateAfter(before, note.plan),
    bond,
    bondRow,
    answered: turns + 1,
    /** Of the row as it is: what was taken back and what is new. */
    deltas: differenceOf(pickBond(bondRow), bond),
    /** What this message adds, inside the bounds. */
    added: differenceOf(cleared, bond),
    undoing: await undoing(
      undo,
      { states, timeline: timeline(), session, start: (id) => records.speaker(id) },
      { characterId: character.id, targetId: note.targetId },
    ),
  };
}

function differenceOf(before: CharacterBond, after: CharacterBond): Partial<CharacterBond> {
  return Object.fromEntries(BOND_FIELDS.map((field) => [field, after[field] - before[field]]));
}
