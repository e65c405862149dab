import type { Session } from "@parley/core";
import type { SessionDraft, SessionPatch } from "../../schemas/sessions.ts";
import type { SessionDeps } from "../../session-deps.ts";
import { sessionsTexts } from "../../texts.ts";
import { changeCharacters } from "./scene-changes.ts";

/** Throws `bad_request` for the first id that is no character. */
export async function assertCharactersExist(
  deps: SessionDeps,
  ids: readonly (string | null | undefined)[],
  field: "character_id" | "character_ids" = "character_id",
): Promise<void> {
  const named = ids.filter((id) => typeof id === "string");
  if (named.length === 0) return;
  const faces = await deps.characters()?.faces(named);
  const id = named.find((one) => faces?.has(one) !== true);
  if (id !== undefined) throw sessionsTexts.error("bad_request", "no_character", { id }, { field });
}

/** Returns the characters of a new session; `character_id` is the first of `character_ids`. */
export async function readCharacters(
  deps: SessionDeps,
  { character_id, character_ids }: SessionDraft,
): Promise<Pick<Session, "character_id" | "character_ids">> {
  await assertCharactersExist(deps, [character_id]);
  await assertCharactersExist(deps, character_ids ?? [], "character_ids");
  const ids = character_ids ?? (character_id ? [character_id] : []);
  const first = ids[0] ?? null;
  if (character_id !== undefined && character_id !== first)
    throw sessionsTexts.error("bad_request", "not_first", {}, { field: "character_id" });
  return { character_id: first, character_ids: ids };
}

/** Returns the change of a session's characters that a patch asks for; undefined when they stay. */
export async function planCharacters(
  deps: SessionDeps,
  session: Session,
  { character_id, character_ids: ids }: SessionPatch,
): Promise<((old: Session) => Partial<Session>) | undefined> {
  const { character_ids: before = [] } = session;
  const first = ids?.[0] ?? null;
  const isFirst = ids !== undefined && character_id === first;
  if (character_id !== undefined && character_id !== session.character_id && !isFirst)
    throw sessionsTexts.error("bad_request", ids ? "not_first" : "elsewhere", {}, { field: "character_id" });
  if (ids === undefined || JSON.stringify(ids) === JSON.stringify(before)) return undefined;
  const added = ids.filter((id) => !before.includes(id));
  await assertCharactersExist(deps, added, "character_ids");
  return (old) => changeCharacters(old, ids, deps.clock.now());
}
