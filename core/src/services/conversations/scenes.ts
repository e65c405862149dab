import type { Message, Scene, Session } from "./sessions.ts";

type SceneFields = Pick<Session, "character_ids" | "scenes">;

/** Largest number of characters of a conversation. */
export const MAX_SESSION_CHARACTERS = 8;

/** Returns true when several characters share the conversation, or have shared it. */
export function isShared({ character_ids = [], scenes = [] }: SceneFields): boolean {
  return character_ids.length > 1 || scenes.length > 0;
}

/** Returns the ids of the characters that are present now, in their order; all of them before the first change. */
export function listPresent({ character_ids = [], scenes = [] }: SceneFields): readonly string[] {
  const present = scenes.at(-1)?.present ?? character_ids;
  return character_ids.filter((id) => present.includes(id));
}

/** Returns true when a character may know a message: it wrote it, was present then, or for a summary at all that it replaces. */
export function isKnownTo(session: SceneFields, characterId: string | null, message: Message): boolean {
  if (characterId === null || !isShared(session) || message.character_id === characterId) return true;
  const { kind, metadata, timestamp } = message;
  if (kind !== "summary") return isPresent(findScene(session, timestamp), characterId);
  if (Array.isArray(metadata.known_to)) return metadata.known_to.includes(characterId);
  // Written before several characters shared the conversation, or by an earlier version.
  return (session.scenes ?? []).filter(({ at }) => at <= timestamp).every((scene) => isPresent(scene, characterId));
}

function findScene({ scenes = [] }: SceneFields, at: string): Scene | undefined {
  return scenes.findLast((scene) => scene.at <= at);
}

/** True without a scene, because all characters are present before the first change. */
function isPresent(scene: Scene | undefined, characterId: string): boolean {
  return scene === undefined || scene.present.includes(characterId);
}
