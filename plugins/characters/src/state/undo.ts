import type { StateTimeline, TimelineEntry, TimelineUndo, Write } from "@parley/core";
import { BOND_FIELDS, type CharacterBond, type CharacterMood, clampTo } from "@parley/core/characters";
import { type InitialCharacter, pickMood, pickRelationship, type StateStore } from "./state-store.ts";

type UndoableEntry = TimelineEntry & { readonly undo?: TimelineUndo };

/** Effect of withdrawing messages: on states, relationships and the timeline. */
export interface Undo {
  readonly entries: readonly string[];
  /** State before the first of the messages, by character. */
  readonly states: ReadonlyMap<string, CharacterMood>;
  /** Changes that the messages added, by character and person. */
  readonly bonds: readonly {
    readonly characterId: string;
    readonly targetId: string;
    readonly added: Partial<CharacterBond>;
  }[];
}

export const NOTHING_TO_UNDO: Undo = { entries: [], states: new Map(), bonds: [] };

export async function loadUndo(
  timeline: StateTimeline,
  sessionId: string,
  messageIds: readonly string[],
): Promise<Undo> {
  if (messageIds.length === 0) return NOTHING_TO_UNDO;
  const foundEntries: readonly UndoableEntry[] = await timeline.ofMessages(sessionId, messageIds);
  const states = new Map<string, CharacterMood>();
  const bonds = new Map<string, { characterId: string; targetId: string; added: Partial<CharacterBond> }>();
  for (const { character_id, undo } of foundEntries) {
    if (!undo) continue;
    if (!states.has(character_id)) states.set(character_id, undo.state);
    const key = JSON.stringify([character_id, undo.target_id]);
    const before = bonds.get(key)?.added ?? {};
    const added = Object.fromEntries(
      BOND_FIELDS.map((field) => [field, (before[field] ?? 0) + (undo.added[field] ?? 0)]),
    );
    bonds.set(key, { characterId: character_id, targetId: undo.target_id, added });
  }
  return { entries: foundEntries.map(({ id }) => id), states, bonds: [...bonds.values()] };
}

export function negate(added: Partial<CharacterBond>): Partial<CharacterBond> {
  return Object.fromEntries(BOND_FIELDS.map((field) => [field, -(added[field] ?? 0)]));
}

/** Subtracts added changes from a relationship, within its limits. */
export function subtractRelationship(bond: CharacterBond, added: Partial<CharacterBond>): CharacterBond {
  return Object.fromEntries(
    BOND_FIELDS.map((field) => [field, clampTo(bond[field] - (added[field] ?? 0), 100)]),
  ) as unknown as CharacterBond;
}

/** Returns the writes of an undo, except for the state and the relationship that the caller writes. */
export async function undoWrites(
  undo: Undo,
  deps: {
    readonly states: StateStore;
    readonly timeline: StateTimeline;
    readonly session: { readonly id: string; readonly key: string };
    readonly findCharacter: (characterId: string) => Promise<InitialCharacter | undefined>;
  },
  excluded?: { readonly characterId: string; readonly targetId: string },
): Promise<readonly Write[]> {
  const { states, timeline, session, findCharacter } = deps;
  const writes: Write[] = [...timeline.removing(session.id, undo.entries)];
  for (const [characterId, state] of undo.states) {
    const character = await findCharacter(characterId);
    if (!character || characterId === excluded?.characterId) continue;
    writes.push(states.setStateWrite(characterId, session.key, pickMood(state)));
  }
  for (const { characterId, targetId, added } of undo.bonds) {
    const character = await findCharacter(characterId);
    if (!character || (characterId === excluded?.characterId && targetId === excluded.targetId)) continue;
    const bond = await states.relationship(character, targetId);
    writes.push(states.adjustRelationshipWrite(character, { ...bond, ...pickRelationship(bond) }, negate(added)));
  }
  return writes;
}
