import { isShared, listPresent, type Scene, type Session } from "@parley/core";

/** Largest number of stored scenes; the oldest are joined. */
export const MAX_SCENES = 200;
/** Display fields that belong to the first character. */
const EMPTY_SPEAKER = { sender_name: "", sender_avatar: "", sender_portrait: "" } as const;

type SceneSession = Pick<
  Session,
  | "character_id"
  | "character_ids"
  | "scenes"
  | "created_at"
  | "last_message_at"
  | "message_count"
  | "archived_message_count"
>;

/** Returns the fields of a session with other characters. Those that join begin a new scene, so they know nothing of the earlier ones. */
export function changeCharacters(session: SceneSession, ids: readonly string[], nowMs: number): Partial<Session> {
  const { character_ids: before = [], character_id } = session;
  const first = ids[0] ?? null;
  const changed = { character_id: first, character_ids: ids, ...(first !== character_id && EMPTY_SPEAKER) };
  const isSame = ids.length === before.length && ids.every((id) => before.includes(id));
  if (isSame || (ids.length < 2 && !isShared(session))) return changed;
  const left = listPresent(session);
  const present = ids.filter((id) => left.includes(id) || !before.includes(id));
  const isTalkedIn = session.message_count + session.archived_message_count > 0;
  if (!isTalkedIn && !isShared(session)) return changed;
  return { ...changed, scenes: addScene(session, present.length > 0 ? present : ids, nowMs) };
}

/** Returns the scenes of a session in which others are present from now on. */
export function addScene(session: SceneSession, present: readonly string[], nowMs: number): readonly Scene[] {
  const { scenes = [], character_ids = [], created_at, last_message_at } = session;
  // A message of the same millisecond belongs to the scene before.
  const lastMs = last_message_at === null ? 0 : Date.parse(last_message_at) + 1;
  const scene: Scene = { at: new Date(Math.max(nowMs, lastMs)).toISOString(), present };
  const earlier = scenes.length > 0 ? scenes : [{ at: created_at, present: character_ids }];
  const last = earlier.at(-1);
  const isUnused = last !== undefined && scenes.length > 1 && (last_message_at === null || last_message_at < last.at);
  return joinOldest([...(isUnused ? earlier.slice(0, -1) : earlier), scene]);
}

/** Joins the oldest scenes beyond the limit: only who was present in both is present in the joined one. */
function joinOldest(scenes: readonly Scene[]): readonly Scene[] {
  const [first, second, ...rest] = scenes;
  if (scenes.length <= MAX_SCENES || !first || !second) return scenes;
  return joinOldest([{ at: first.at, present: first.present.filter((id) => second.present.includes(id)) }, ...rest]);
}

/** Returns the characters after one took the first place: it moves there, or replaces the first one. */
export function putFirst(ids: readonly string[], id: string | null): readonly string[] {
  if (id === null) return [];
  return [id, ...(ids.includes(id) ? ids.filter((one) => one !== id) : ids.slice(1))];
}
