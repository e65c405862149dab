import type { CharacterDraft, CharacterFields } from "../../characters/character-fields.ts";
import type { CharacterBond, CharacterMood } from "../../characters/initial-state.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List } from "../../http/list.ts";
import type { Turn } from "../../points/turn/turn-stage.ts";
import type { Common } from "../../records.ts";
import type { ResourceQuery } from "../../resource/resource.ts";
import type { Session } from "../conversations/sessions.ts";
import type { Write } from "../storage/database.ts";
import type { PreparedChange } from "../storage/record-store.ts";

/** A stored character. */
export type Character = Common & CharacterFields;

/** Data of a bound character in a session, which stays when the character is deleted; `system_prompt` is its whole prompt. */
export type CharacterFace = Pick<
  Character,
  "id" | "name" | "avatar" | "portrait" | "scenario" | "first_message" | "system_prompt" | "world_book_ids"
> & {
  /** Other name from its card. */
  readonly nickname?: string;
};

/** Mood and relationship of a character in a conversation at one moment. */
export interface CharacterSnapshot {
  readonly state: CharacterMood;
  readonly relationship: CharacterBond;
}

/** Characters and their state in conversations. */
export interface Characters {
  find(id: string): Promise<Character | undefined>;
  /** Returns a character; `not_found` when there is none. */
  get(id: string): Promise<Character>;
  /** Returns the characters with exactly this name, oldest first. */
  named(name: string): Promise<readonly Character[]>;
  /** Returns a page filtered by `q`, `tag`, `favorite`; last changed first. */
  page(query: ResourceQuery): Promise<List<Character>>;
  /** Returns the display profiles of characters for sessions, cached in memory; unknown ids are missing. */
  faces(ids: Iterable<string>): Promise<ReadonlyMap<string, CharacterFace>>;
  /** Creates a character; unknown keys are stored in `card_extra`. Rejects with `bad_request` naming the invalid field. */
  create(draft: CharacterDraft): Promise<Character>;
  /** Prepares the creation as statements, for a larger transaction; call `created` after the commit. */
  creating(draft: CharacterDraft): Promise<PreparedChange<CharacterFields> & { created(): void }>;
  update(id: string, patch: Partial<CharacterFields>, ifMatch?: number): Promise<Character>;
  /** Returns the mood of the turn's answer, after the turn's own changes; undefined when there is no character. */
  moodOf(turn: Turn): string | undefined;
  /** Returns the character's surroundings at the start of a turn; empty when unknown or without a character. */
  sceneOf(turn: Turn): CharacterMood["scene"];
  /** Returns the state of the session's character; the relationship is the one to its counterpart. */
  snapshotOf(session: Session): Promise<CharacterSnapshot | undefined>;
  /** Returns the writes that restore the state of an imported session. */
  restoring(session: Session, snapshot: Partial<CharacterSnapshot>): Promise<readonly Write[]>;
  /** Returns the writes that revert the changes these messages made to a session's characters. */
  withoutMessages(session: Session, messageIds: readonly string[]): Promise<readonly Write[]>;
}
export const Characters: ServiceKey<Characters> = serviceKey("characters");

/** Source of presets that a character can be copied from. */
export interface CharacterPresets {
  find(id: string): Promise<CharacterDraft | undefined>;
}
export const CharacterPresets: ServiceKey<CharacterPresets> = serviceKey("character-presets");
