import {
  type Caller,
  checkRevision,
  type InboundMessage,
  isGroupSession,
  newId,
  type OwnSession,
  resourceChanged,
  type Session,
  type Sessions,
  type SessionType,
  type Write,
} from "@parley/core";
import { deletedReply, type List } from "@parley/core/http";
import type { BindBody, ForkBody, SessionDraft, SessionPatch, SessionQuery } from "../schemas/sessions.ts";
import {
  assertChatModel,
  assertNotRunning,
  assertNotTemporary,
  now,
  publishEvent,
  type SessionDeps,
} from "../session-deps.ts";
import { newSession } from "../store/rows.ts";
import { sessionsTexts } from "../texts.ts";
import { planProactive } from "../turns/proactive-chat.ts";
import { EMPTY_PROFILE } from "./display-profile.ts";
import { createGreetings } from "./greetings.ts";

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

/** Operations on whole sessions. */
export interface SessionService {
  list(query: SessionQuery): Promise<List<object>>;
  /** Creates a session. `by` is the account that opens it, which the character greets. */
  create(draft: SessionDraft, by?: string): Promise<Session>;
  openOwn(own: OwnSession): Promise<Session>;
  /** Changes a session; without a caller, on behalf of the service. */
  update(idOrKey: string, patch: SessionPatch, ifMatch?: number, caller?: Caller): Promise<Session>;
  remove(idOrKey: string, ifMatch?: number): Promise<object>;
  archive(idOrKey: string): Promise<Session>;
  /** Takes the conversation over: messages of people are stored and not answered. The first operator to take it over is recorded. */
  takeOver(idOrKey: string, by: string): Promise<Session>;
  giveBack(idOrKey: string): Promise<Session>;
  restore(idOrKey: string): Promise<Session>;
  fork(idOrKey: string, body: ForkBody): Promise<Session>;
  bind(idOrKey: string, body: BindBody, by?: string): Promise<Session>;
  /** Returns the greetings that its character could use in it: the first message, then the alternatives. */
  greetings(idOrKey: string, by?: string): Promise<readonly string[]>;
  openFor(message: InboundMessage): Promise<Session>;
  nameAutomatically(idOrKey: string, name: string): Promise<void>;
  published: Sessions["published"];
}

export function createSessionService(deps: SessionDeps): SessionService {
  const { sessions, messages, events } = deps;
  const greetings = createGreetings(deps);
  const publishChange = (session: Session, action: SessionAction) => {
    publishEvent(deps, session.id, "session_updated", { action, session });
    const resource = action === "created" || action === "deleted" ? action : "updated";
    events.publish(resourceChanged("session", session.id, resource, session.revision));
    return session;
  };
  const assertCharacterExists = async (characterId: string | null | undefined) => {
    if (characterId === null || characterId === undefined) return;
    const isKnown = (await deps.characters()?.faces([characterId]))?.has(characterId);
    if (isKnown) return;
    throw sessionsTexts.error("bad_request", "no_character", { id: characterId }, { field: "character_id" });
  };
  /** Keys that are disabled in the session stay valid while their plugin is disabled. */
  const assertKnownPromptKeys = (keys: readonly string[] = [], { disabled_prompt_keys }: Session) => {
    const known = new Set([...deps.promptKeys(), ...disabled_prompt_keys]);
    const wrong = keys.find((key) => key === REQUIRED_PROMPT_KEY || !known.has(key));
    if (wrong !== undefined)
      throw sessionsTexts.error("bad_request", "not_part", { key: wrong }, { field: "disabled_prompt_keys" });
  };
  const setArchived = async (idOrKey: string, archived: boolean) => {
    const session = await sessions.get(idOrKey);
    if (session.archived === archived) return session;
    if (archived) assertNotRunning(deps, session);
    const next = await sessions.change(session.id, () => ({ archived, archived_at: archived ? now(deps) : null }));
    return publishChange(next, archived ? "archived" : "restored");
  };

  return {
    async list(query) {
      const { items, ...page } = await sessions.list(query);
      return {
        ...page,
        items: items.map(
          ({ system_prompt: _prompt, scenario: _scenario, first_message: _first, metadata: _meta, ...shown }) => shown,
        ),
      };
    },
    async create({ type: _type, ...draft }, by) {
      await assertCharacterExists(draft.character_id);
      await assertChatModel(deps, draft.model_id);
      const made = newSession(newId("sess", deps.clock.now()), now(deps), draft);
      await sessions.insert(made, draft.name !== undefined);
      const session = publishChange(await sessions.get(made.id), "created");
      await greetings.greet(session, by);
      return sessions.get(session.id);
    },
    async openOwn({ id, type, name }) {
      const known = await sessions.find(id);
      if (known) return known;
      await sessions.insert(newSession(id, now(deps), { type, name }), true);
      return publishChange(await sessions.get(id), "created");
    },
    async update(idOrKey, patch, ifMatch, caller) {
      const session = await sessions.get(idOrKey);
      const { archived, is_public, character_id, type, proactive_chat, tts_config, ...fields } = patch;
      if (fields.is_temporary === true && !session.is_temporary)
        throw sessionsTexts.error("bad_request", "elsewhere", {}, { field: "is_temporary" });
      for (const [key, value] of Object.entries({ archived, is_public, character_id, type })) {
        if (value !== undefined && value !== session[key as keyof Session]) {
          throw sessionsTexts.error("bad_request", "elsewhere", {}, { field: key });
        }
      }
      assertKnownPromptKeys(fields.disabled_prompt_keys, session);
      await planProactive(deps, session, proactive_chat, caller);
      if (fields.model_id !== session.model_id) await assertChatModel(deps, fields.model_id);
      const next = await sessions.change(
        session.id,
        (old) => ({
          ...fields,
          proactive_chat: { ...old.proactive_chat, ...proactive_chat },
          tts_config: { ...old.tts_config, ...tts_config },
        }),
        { ifMatch, isNamed: fields.name !== undefined },
      );
      if (fields.name !== undefined && fields.name !== session.name)
        publishEvent(deps, next.id, "session_renamed", { name: next.name });
      return publishChange(next, "updated");
    },
    async remove(idOrKey, ifMatch) {
      const session = await sessions.get(idOrKey);
      checkRevision(session, ifMatch);
      const pluginWrites = await deps.lifecycle.removed(session.id);
      await deps.lifecycle.leaving(session.id);
      await sessions.remove(session.id, pluginWrites, ifMatch);
      publishChange(session, "deleted");
      return deletedReply(session.id);
    },
    archive: (idOrKey) => setArchived(idOrKey, true),
    restore: (idOrKey) => setArchived(idOrKey, false),
    async takeOver(idOrKey, by) {
      const session = await sessions.get(idOrKey);
      if (session.channel_id === "web" || session.conversation_id === null)
        throw sessionsTexts.error("bad_request", "nobody");
      if (session.taken_over !== null) return session;
      return publishChange(await sessions.change(session.id, () => ({ taken_over: { by, at: now(deps) } })), "updated");
    },
    async giveBack(idOrKey) {
      const session = await sessions.get(idOrKey);
      if (session.taken_over === null) return session;
      return publishChange(await sessions.change(session.id, () => ({ taken_over: null })), "updated");
    },
    async fork(idOrKey, { message_id, name, include_archive }) {
      const source = await sessions.get(idOrKey);
      const upTo =
        message_id === undefined ? await messages.last(source.id, "live") : await messages.find(source.id, message_id);
      const at = now(deps);
      const id = newId("sess", deps.clock.now());
      const {
        id: _id,
        key: _key,
        metadata,
        created_at: _created,
        updated_at: _updated,
        revision: _revision,
        ...fields
      } = source;
      const session = newSession(id, at, {
        ...fields,
        name: name ?? `${source.name.slice(0, 92)} - Fork`,
        type: "web",
        channel_id: "web",
        conversation_id: null,
        user_id: null,
        is_public: false,
        taken_over: null,
        archived: false,
        archived_at: null,
        metadata,
        forked_from: { session_id: source.id, message_id: upTo?.id ?? null, created_at: at },
      });
      const included = upTo ? await messages.liveUpTo(source.id, upTo.seq) : [];
      const old = include_archive ? await messages.listArchived(source.id) : [];
      const fresh = new Map([...old, ...included].map((message) => [message.id, newId("msg", deps.clock.now())]));
      const copy = (message: (typeof included)[number]) => ({
        ...message,
        id: fresh.get(message.id) ?? "",
        session_id: id,
        reply_to: message.reply_to === null ? null : (fresh.get(message.reply_to) ?? null),
        temp_id: null,
        trace_id: null,
        revision: 1,
      });
      const others: readonly Write[] = [
        ...messages.insertWrites(old.map(copy), "archive"),
        ...messages.insertWrites(included.map(copy), "live"),
        ...messages.recountWrites(id),
        ...(await deps.lifecycle.copied({ from: source.id, to: id, messages: fresh })),
        ...(await deps.timeline.copyWrites(source.id, id, fresh)),
      ];
      const { content } = await sessions.customPrompt(source.id);
      await sessions.insert(session, true, others, content);
      return publishChange(await sessions.get(id), "created");
    },
    async bind(idOrKey, { character_id, add_first_message, ...given }, by) {
      const session = await sessions.get(idOrKey);
      await assertCharacterExists(character_id);
      const own = character_id === null ? given : { ...EMPTY_PROFILE, system_prompt: "", ...given };
      // The timeline of the previous character does not apply to this one.
      const others = character_id === session.character_id ? [] : [deps.timeline.clearWrite(session.id)];
      const next = await sessions.change(session.id, () => ({ character_id, ...own }), { others });
      if (add_first_message) await greetings.greet(next, by);
      return publishChange(await sessions.get(session.id), "bound");
    },
    greetings: async (idOrKey, by) => greetings.list(await sessions.get(idOrKey), by),
    async openFor(message) {
      const found = await sessions.find(message.sessionId);
      if (found?.archived && message.channelId !== "web") return setArchived(found.id, false);
      if (found && isFirstOfGroup(found, message))
        return publishChange(await sessions.change(found.id, () => toPlace(message)), "updated");
      if (found || message.channelId === "web") return found ?? sessions.get(message.sessionId);
      const session = newSession(message.sessionId, now(deps), {
        name: (message.conversation.title ?? (message.sender.name || message.conversation.id)).slice(0, 100),
        ...toPlace(message),
        channel_id: message.channelId,
        conversation_id: message.conversation.id,
      });
      await sessions.insert(session, true);
      return publishChange(await sessions.get(session.id), "created");
    },
    async published(idOrKey, untilMs, writes) {
      const session = await sessions.get(idOrKey);
      if (untilMs !== null) assertNotTemporary(session);
      const { id } = session;
      await sessions.publish(id, untilMs, writes);
      return publishChange(await sessions.get(id), untilMs === null ? "unpublished" : "published");
    },
    async nameAutomatically(idOrKey, name) {
      const session = await sessions.get(idOrKey);
      if (await sessions.isNamed(session.id)) return;
      const next = await sessions.change(session.id, () => ({ name: name.slice(0, 100) }));
      publishEvent(deps, next.id, "session_renamed", { name: next.name });
      publishChange(next, "updated");
    },
  };
}

/** Returns true for a group message whose session was opened by an event that does not distinguish groups from people. */
function isFirstOfGroup(session: Session, { channelId, kind, conversation }: InboundMessage): boolean {
  return channelId !== "web" && kind === "message" && conversation.isGroup && !isGroupSession(session);
}

/** Returns the fields that distinguish a group from a person. */
function toPlace(message: InboundMessage): Pick<Session, "type" | "user_id"> {
  return { type: toSessionType(message), user_id: message.conversation.isGroup ? null : message.sender.id };
}

function toSessionType({ channelId, conversation }: InboundMessage): SessionType {
  if (channelId !== "imA" && channelId !== "imAbot") return "channel";
  return `${channelId}_${conversation.isGroup ? "group" : "private"}`;
}
