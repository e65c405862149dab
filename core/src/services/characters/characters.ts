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

/** A character as it is kept. */
export type Character = Common & CharacterFields;

/** What a session shows of a character that is bound to it, and what it keeps when the character goes; `system_prompt` is its whole prompt. */
export type CharacterFace = Pick<
  Character,
  "id" | "name" | "avatar" | "portrait" | "scenario" | "first_message" | "system_prompt" | "world_book_ids"
>;

/** How a character stood in a conversation at one moment. */
export interface CharacterSnapshot {
  readonly state: CharacterMood;
  readonly relationship: CharacterBond;
}

/** Characters: the records, and how they stand in conversations. */
export interface Characters {
  find(id: string): Promise<Character | undefined>;
  /** `not_found` when there is none. */
  get(id: string): Promise<Character>;
  /** Those of exactly this name, the oldest first. */
  named(name: string): Promise<readonly Character[]>;
  /** By `q`, `tag`, `favorite`; the last changed first. */
  page(query: ResourceQuery): Promise<List<Character>>;
  /** What sessions show of them; ids that are nobody's are not in it. Kept in memory. */
  faces(ids: Iterable<string>): Promise<ReadonlyMap<string, CharacterFace>>;
  /** `bad_request` names the field that is wrong. Unknown keys are kept in `card_extra`. */
  create(draft: CharacterDraft): Promise<Character>;
  /** The same as statements, for a larger transaction; `created` is called after they are stored. */
  creating(draft: CharacterDraft): Promise<PreparedChange<CharacterFields> & { created(): void }>;
  update(id: string, patch: Partial<CharacterFields>, ifMatch?: number): Promise<Character>;
  /** The mood that the answer of a turn is given in, after what the turn moves; undefined: nobody's. */
  moodOf(turn: Turn): string | undefined;
  /** What is around the character when a turn begins; empty: nothing is known, or nobody speaks. */
  sceneOf(turn: Turn): CharacterMood["scene"];
  /** How the character of a session stands in it; the relationship is that to its counterpart. */
  snapshotOf(session: Session): Promise<CharacterSnapshot | undefined>;
  /** What gives a session that comes in the state it had. */
  restoring(session: Session, snapshot: Partial<CharacterSnapshot>): Promise<readonly Write[]>;
  /** What takes back how these messages of a session moved its characters. */
  withoutMessages(session: Session, messageIds: readonly string[]): Promise<readonly Write[]>;
}
export const Characters: ServiceKey<Characters> = serviceKey("characters");

/** Where a character may be copied from. */
export interface CharacterPresets {
  find(id: string): Promise<CharacterDraft | undefined>;
}
export const CharacterPresets: ServiceKey<CharacterPresets> = serviceKey("character-presets");
