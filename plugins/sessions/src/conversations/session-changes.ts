import {
  type Caller,
  checkRevision,
  isShared,
  listPresent,
  resourceChanged,
  type Session,
  type Write,
} from "@parley/core";
import { deletedReply } from "@parley/core/http";
import { planProactive } from "../proactive/idle-job.ts";
import type { BindBody, SessionPatch } from "../schemas/sessions.ts";
import {
  assertChatModel,
  assertNotRunning,
  assertNotTemporary,
  now,
  publishEvent,
  type SessionDeps,
} from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import { addScene, changeCharacters, putFirst } from "./characters/scene-changes.ts";
import { assertCharactersExist, planCharacters } from "./characters/session-characters.ts";
import { EMPTY_PROFILE } from "./display-profile.ts";
import type { Greetings } from "./greetings.ts";

const REQUIRED_PROMPT_KEY = "global.safety";

type SessionAction =
  | "created"
  | "updated"
  | "archived"
  | "restored"
  | "deleted"
  | "bound"
  | "published"
  | "unpublished";

/** Publishes what happened to a session, and returns the session. */
export function publishChange(deps: SessionDeps, session: Session, action: SessionAction): Session {
  publishEvent(deps, session.id, "session_updated", { action, session });
  const resource = action === "created" || action === "deleted" ? action : "updated";
  deps.events.publish(resourceChanged("session", session.id, resource, session.revision));
  return session;
}

export function assertPersonaExists(deps: SessionDeps, personaId: string | null | undefined): void {
  if (personaId === null || personaId === undefined || deps.personas()?.has(personaId)) return;
  throw sessionsTexts.error("bad_request", "no_persona", { id: personaId }, { field: "persona_id" });
}

export async function updateSession(
  deps: SessionDeps,
  idOrKey: string,
  patch: SessionPatch,
  { ifMatch, caller }: { readonly ifMatch?: number | undefined; readonly caller?: Caller | undefined },
): Promise<Session> {
  const { sessions } = deps;
  const session = await sessions.get(idOrKey);
  const {
    archived: _archived,
    is_public: _public,
    character_id: _character,
    character_ids: _characters,
    type: _type,
    proactive_chat,
    tts_config,
    ...fields
  } = patch;
  rejectFieldsOfOtherRoutes(session, patch);
  assertKnownPromptKeys(deps, fields.disabled_prompt_keys, session);
  await planProactive(deps, session, proactive_chat, caller);
  if (fields.persona_id !== session.persona_id) assertPersonaExists(deps, fields.persona_id);
  if (fields.model_id !== session.model_id) await assertChatModel(deps, fields.model_id);
  const changeOfCharacters = await planCharacters(deps, session, patch);
  const next = await sessions.change(
    session.id,
    (old) => ({
      ...changeOfCharacters?.(old),
      ...fields,
      proactive_chat: { ...old.proactive_chat, ...proactive_chat },
      tts_config: { ...old.tts_config, ...tts_config },
    }),
    { ifMatch, isNamed: fields.name !== undefined },
  );
  if (fields.name !== undefined && fields.name !== session.name)
    publishEvent(deps, next.id, "session_renamed", { name: next.name });
  return publishChange(deps, next, "updated");
}

/** Throws `bad_request` for a changed field that has a route of its own. */
function rejectFieldsOfOtherRoutes(session: Session, patch: SessionPatch): void {
  if (patch.is_temporary === true && !session.is_temporary)
    throw sessionsTexts.error("bad_request", "elsewhere", {}, { field: "is_temporary" });
  for (const field of ["archived", "is_public", "type"] as const) {
    if (patch[field] !== undefined && patch[field] !== session[field])
      throw sessionsTexts.error("bad_request", "elsewhere", {}, { field });
  }
}

/** Throws `bad_request` for unknown keys. Keys that are disabled in the session stay valid while their plugin is disabled. */
function assertKnownPromptKeys(
  deps: SessionDeps,
  keys: readonly string[] = [],
  { disabled_prompt_keys }: Session,
): void {
  const known = new Set([...deps.promptKeys(), ...disabled_prompt_keys]);
  const wrong = keys.find((key) => key === REQUIRED_PROMPT_KEY || !known.has(key));
  if (wrong !== undefined)
    throw sessionsTexts.error("bad_request", "not_part", { key: wrong }, { field: "disabled_prompt_keys" });
}

export async function removeSession(deps: SessionDeps, idOrKey: string, ifMatch?: number): Promise<object> {
  const session = await deps.sessions.get(idOrKey);
  checkRevision(session, ifMatch);
  const pluginWrites = await deps.lifecycle.removed(session.id);
  await deps.lifecycle.leaving(session.id);
  await deps.sessions.remove(session.id, pluginWrites, ifMatch);
  publishChange(deps, session, "deleted");
  return deletedReply(session.id);
}

export async function setArchived(deps: SessionDeps, idOrKey: string, archived: boolean): Promise<Session> {
  const session = await deps.sessions.get(idOrKey);
  if (session.archived === archived) return session;
  if (archived) assertNotRunning(deps, session);
  const next = await deps.sessions.change(session.id, () => ({ archived, archived_at: archived ? now(deps) : null }));
  return publishChange(deps, next, archived ? "archived" : "restored");
}

export async function takeOver(deps: SessionDeps, idOrKey: string, by: string): Promise<Session> {
  const session = await deps.sessions.get(idOrKey);
  if (session.channel_id === "web" || session.conversation_id === null)
    throw sessionsTexts.error("bad_request", "nobody");
  if (session.taken_over !== null) return session;
  const next = await deps.sessions.change(session.id, () => ({ taken_over: { by, at: now(deps) } }));
  // What the AI is about to say would come between the words of the person.
  await deps.gateway().stop(session.id);
  return publishChange(deps, next, "updated");
}

export async function giveBack(deps: SessionDeps, idOrKey: string): Promise<Session> {
  const session = await deps.sessions.get(idOrKey);
  if (session.taken_over === null) return session;
  return publishChange(deps, await deps.sessions.change(session.id, () => ({ taken_over: null })), "updated");
}

export async function bindCharacter(
  deps: SessionDeps,
  greetings: Greetings,
  idOrKey: string,
  { character_id, add_first_message, ...given }: BindBody,
  by?: string,
): Promise<Session> {
  const { sessions, timeline } = deps;
  const session = await sessions.get(idOrKey);
  await assertCharactersExist(deps, [character_id]);
  const own = character_id === null ? given : { ...EMPTY_PROFILE, system_prompt: "", ...given };
  // The timeline of the previous character does not apply to this one.
  const others = character_id === session.character_id || isShared(session) ? [] : [timeline.clearWrite(session.id)];
  const change = (old: Session) => ({
    ...changeCharacters(old, putFirst(old.character_ids ?? [], character_id), deps.clock.now()),
    ...own,
  });
  const next = await sessions.change(session.id, change, { others });
  if (add_first_message) await greetings.greet(next, by);
  return publishChange(deps, await sessions.get(session.id), "bound");
}

/** Sets which characters are present from the next message on. */
export async function setScene(
  deps: SessionDeps,
  idOrKey: string,
  present: readonly string[],
  ifMatch: number | undefined,
): Promise<Session> {
  const session = await deps.sessions.get(idOrKey);
  const { character_ids = [] } = session;
  const stranger = present.find((id) => !character_ids.includes(id));
  if (stranger !== undefined)
    throw sessionsTexts.error("bad_request", "not_in_conversation", { id: stranger }, { field: "present" });
  const now = listPresent(session);
  if (now.length === present.length && now.every((id) => present.includes(id))) return session;
  const change = (old: Session) => ({ scenes: addScene(old, present, deps.clock.now()) });
  return publishChange(deps, await deps.sessions.change(session.id, change, { ifMatch }), "updated");
}

export async function publishSession(
  deps: SessionDeps,
  idOrKey: string,
  untilMs: number | null,
  writes: readonly Write[],
): Promise<Session> {
  const session = await deps.sessions.get(idOrKey);
  if (untilMs !== null) assertNotTemporary(session);
  await deps.sessions.publish(session.id, untilMs, writes);
  return publishChange(deps, await deps.sessions.get(session.id), untilMs === null ? "unpublished" : "published");
}

/** Names a session that no person has named. */
export async function nameAutomatically(deps: SessionDeps, idOrKey: string, name: string): Promise<void> {
  const { sessions } = deps;
  const session = await sessions.get(idOrKey);
  if (await sessions.isNamed(session.id)) return;
  const next = await sessions.change(session.id, () => ({ name: name.slice(0, 100) }));
  publishEvent(deps, next.id, "session_renamed", { name: next.name });
  publishChange(deps, next, "updated");
}
