import { type Clock, type Database, fixedStatement, type Write } from "@parley/core";
import {
  BOND_FIELDS,
  type CharacterBond,
  type CharacterMood,
  type InitialState,
  START_BOND,
  START_MOOD,
  stickerCategoryOf,
} from "@parley/core/characters";

/** Default values of new scopes and targets. */
export const DEFAULT_SCOPE = "default";

interface StoredInfo {
  readonly persisted: boolean;
  /** Time of the last change; null when nothing is stored. */
  readonly updated_at: string | null;
  /** 0 while nothing is stored. */
  readonly revision: number;
}
/** A character's state in one conversation, for clients. */
export interface StateView extends CharacterMood, StoredInfo {
  readonly character_id: string;
  readonly scope_id: string;
  readonly mood_category: string | null;
  readonly last_active_at: string | null;
}
/** Relationship of a character to one person. */
export interface RelationshipView extends CharacterBond, StoredInfo {
  readonly character_id: string;
  readonly target_id: string;
}

/** A character and the initial values of new states. */
export interface InitialCharacter {
  readonly id: string;
  readonly initial_state: InitialState;
}

/** Required revision of the row, 0 for no row: otherwise the write is a `conflict` (`ifMatch`) or changes nothing (`onlyIf`). */
export interface WriteGuard {
  readonly ifMatch?: number;
  readonly onlyIf?: number;
}

/** States and relationships as rows. */
export interface StateStore {
  /** Returns the stored state, or the one a first turn would start from; `turns` counts the answered turns. */
  state(character: InitialCharacter, scopeId: string): Promise<{ readonly shown: StateView; readonly turns: number }>;
  relationship(character: InitialCharacter, targetId: string): Promise<RelationshipView>;
  /** Returns the write of the whole state; `turns` are added to the count. */
  setStateWrite(
    characterId: string,
    scopeId: string,
    state: CharacterMood,
    more?: WriteGuard & { readonly turns?: number; readonly activeAt?: string | null },
  ): Write;
  setRelationshipWrite(characterId: string, targetId: string, bond: CharacterBond, guard?: WriteGuard): Write;
  /** Returns the write that adds deltas to the stored relationship, so that two conversations with one person both count. */
  adjustRelationshipWrite(character: InitialCharacter, before: RelationshipView, deltas: Partial<CharacterBond>): Write;
  copyScopeWrite(from: string, to: string): Write;
  deleteScopeWrite(scopeId: string): Write;
  deleteCharacterWrites(characterId: string): readonly Write[];
  counts(): Promise<{ readonly scopes: number; readonly targets: number; readonly turns: number }>;
}

interface StateRow extends Omit<CharacterMood, "scene"> {
  readonly scene: string;
  readonly turns: number;
  readonly last_active_at: string | null;
  readonly updated_at: string;
  readonly revision: number;
}
type RelationshipRow = CharacterBond & { readonly updated_at: string; readonly revision: number };

const RELATIONSHIP_COLUMNS = BOND_FIELDS.join(", ");
const READ_STATE_SQL = `select mood, mood_intensity, energy, scene, turns, last_active_at, updated_at, revision
  from character_states where character_id = ? and scope_id = ?`;
const READ_RELATIONSHIP_SQL = `select ${RELATIONSHIP_COLUMNS}, updated_at, revision from character_relationships
  where character_id = ? and target_id = ?`;
const INSERT_STATE_SQL = `insert into character_states
  (character_id, scope_id, mood, mood_intensity, energy, scene, turns, last_active_at, updated_at, revision)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`;
const SET_STATE_SQL = `${INSERT_STATE_SQL}
  on conflict (character_id, scope_id) do update set mood = excluded.mood, mood_intensity = excluded.mood_intensity,
  energy = excluded.energy, scene = excluded.scene, turns = character_states.turns + excluded.turns,
  last_active_at = coalesce(excluded.last_active_at, character_states.last_active_at), updated_at = excluded.updated_at, revision = character_states.revision + 1`;
const INSERT_RELATIONSHIP_SQL = `insert into character_relationships (character_id, target_id, ${RELATIONSHIP_COLUMNS}, updated_at, revision)
  values (?, ?, ${BOND_FIELDS.map(() => "?").join(", ")}, ?, 1)`;
const SET_RELATIONSHIP_SQL = `${INSERT_RELATIONSHIP_SQL} on conflict (character_id, target_id) do update set
  ${BOND_FIELDS.map((field) => `${field} = excluded.${field}`).join(", ")},
  updated_at = excluded.updated_at, revision = character_relationships.revision + 1`;
const toSumSql = (field: string) => `character_relationships.${field} + ?`;
const ADJUST_RELATIONSHIP_SQL = `${INSERT_RELATIONSHIP_SQL} on conflict (character_id, target_id) do update set
  ${BOND_FIELDS.map((field) => `${field} = case when ${toSumSql(field)} > 100 then 100 when ${toSumSql(field)} < 0 then 0 else ${toSumSql(field)} end`).join(", ")},
  updated_at = excluded.updated_at, revision = character_relationships.revision + 1`;

export function createStateStore(database: () => Database, clock: Clock): StateStore {
  const now = () => new Date(clock.now()).toISOString();
  const lookupRow = async <Row>(text: string, ...values: readonly unknown[]) => {
    const [row] = await database().lookup<Row>(fixedStatement(text, values));
    return row;
  };
  const findStateRow = (characterId: string, scopeId: string) =>
    lookupRow<StateRow>(READ_STATE_SQL, characterId, scopeId);
  const findBondRow = (characterId: string, targetId: string) =>
    lookupRow<RelationshipRow>(READ_RELATIONSHIP_SQL, characterId, targetId);
  const write = (text: string, values: readonly unknown[], expect?: number): Write => ({
    query: fixedStatement(text, values),
    ...(expect !== undefined && { expect }),
  });
  const guardedWrite = (
    set: string,
    insert: string,
    table: string,
    values: readonly unknown[],
    { ifMatch, onlyIf }: WriteGuard = {},
  ): Write => {
    const revision = ifMatch ?? onlyIf;
    if (revision === undefined) return write(set, values);
    const expect = ifMatch === undefined ? undefined : 1;
    if (revision === 0) return write(`${insert} on conflict do nothing`, values, expect);
    return write(`${set} where ${table}.revision = ?`, [...values, revision], expect);
  };

  return {
    async state({ id, initial_state }, scopeId) {
      const row = await findStateRow(id, scopeId);
      const start = row ?? (scopeId === DEFAULT_SCOPE ? undefined : await findStateRow(id, DEFAULT_SCOPE));
      const scene = start ? JSON.parse(start.scene) : (initial_state.scene ?? START_MOOD.scene);
      const { mood, mood_intensity, energy } = start ?? { ...START_MOOD, ...initial_state };
      const storedInfo = { last_active_at: row?.last_active_at ?? null, ...toStoredInfo(row) };
      const values = { mood, mood_intensity, energy, scene, mood_category: stickerCategoryOf(mood) };
      return { shown: { character_id: id, scope_id: scopeId, ...values, ...storedInfo }, turns: row?.turns ?? 0 };
    },
    async relationship({ id, initial_state }, targetId) {
      const row = await findBondRow(id, targetId);
      const start = row ?? (targetId === DEFAULT_SCOPE ? undefined : await findBondRow(id, DEFAULT_SCOPE));
      const values = pickRelationship(start ?? { ...START_BOND, ...initial_state });
      return { character_id: id, target_id: targetId, ...values, ...toStoredInfo(row) };
    },
    setStateWrite(
      characterId,
      scopeId,
      { mood, mood_intensity, energy, scene },
      { turns = 0, activeAt, ...guard } = {},
    ) {
      const values = [
        characterId,
        scopeId,
        mood,
        mood_intensity,
        energy,
        JSON.stringify(scene),
        turns,
        activeAt ?? null,
        now(),
      ];
      return guardedWrite(SET_STATE_SQL, INSERT_STATE_SQL, "character_states", values, guard);
    },
    setRelationshipWrite(characterId, targetId, bond, guard) {
      const values = [characterId, targetId, ...BOND_FIELDS.map((field) => bond[field]), now()];
      return guardedWrite(SET_RELATIONSHIP_SQL, INSERT_RELATIONSHIP_SQL, "character_relationships", values, guard);
    },
    adjustRelationshipWrite({ id }, before, deltas) {
      const moves = BOND_FIELDS.map((field) => deltas[field] ?? 0);
      const first = BOND_FIELDS.map((field, index) => Math.min(100, Math.max(0, before[field] + (moves[index] ?? 0))));
      const values = [id, before.target_id, ...first, now(), ...moves.flatMap((by) => [by, by, by])];
      return write(ADJUST_RELATIONSHIP_SQL, values);
    },
    copyScopeWrite: (from, to) =>
      write(
        `insert into character_states
         select character_id, ?, mood, mood_intensity, energy, scene, turns, last_active_at, updated_at, 1
         from character_states where scope_id = ?`,
        [to, from],
      ),
    deleteScopeWrite: (scopeId) => write("delete from character_states where scope_id = ?", [scopeId]),
    deleteCharacterWrites: (characterId) => [
      write("delete from character_states where character_id = ?", [characterId]),
      write("delete from character_relationships where character_id = ?", [characterId]),
    ],
    async counts() {
      const scopes = await lookupRow<{ n: number; turns: number | null }>(
        "select count(*) as n, sum(turns) as turns from character_states",
      );
      const targets = await lookupRow<{ n: number }>("select count(*) as n from character_relationships");
      return { scopes: Number(scopes?.n ?? 0), targets: Number(targets?.n ?? 0), turns: Number(scopes?.turns ?? 0) };
    },
  };
}

function toStoredInfo(row: { readonly updated_at: string; readonly revision: number } | undefined): StoredInfo {
  return { persisted: row !== undefined, updated_at: row?.updated_at ?? null, revision: row?.revision ?? 0 };
}

export function pickRelationship(from: CharacterBond): CharacterBond {
  return Object.fromEntries(BOND_FIELDS.map((field) => [field, from[field]])) as unknown as CharacterBond;
}

export function pickMood({ mood, mood_intensity, energy, scene }: CharacterMood): CharacterMood {
  return { mood, mood_intensity, energy, scene };
}
