import {
  deleted,
  type InboundMessage,
  type List,
  newId,
  type OwnSession,
  resourceChanged,
  type Session,
  type Sessions,
  type SessionType,
  type Write,
} from "@parley/core";
import { FOLLOWING } from "./face.ts";
import { createGreetings } from "./greetings.ts";
import { checkModel, now, refuseRunning, refuseTemporary, type SessionParts, tell } from "./parts.ts";
import { newSession } from "./rows.ts";
import { sessionFailure } from "./said-failures.ts";
import type { BindBody, ForkBody, SessionDraft, SessionPatch, SessionQuery } from "./schemas/sessions.ts";

const UNTOUCHABLE = "global.safety";

type Action = "created" | "updated" | "archived" | "restored" | "deleted" | "bound" | "published" | "unpublished";

/** What people do with sessions as a whole. */
export interface SessionRows {
  list(query: SessionQuery): Promise<List<object>>;
  /** `by`: the account that opens it, whom its character greets. */
  create(draft: SessionDraft, by?: string): Promise<Session>;
  openOwn(own: OwnSession): Promise<Session>;
  update(idOrKey: string, patch: SessionPatch, ifMatch?: number): Promise<Session>;
  remove(idOrKey: string): Promise<object>;
  archive(idOrKey: string): Promise<Session>;
  /** From now on what people say there is kept and not answered; the first one who takes it over is told of. */
  takeOver(idOrKey: string, by: string): Promise<Session>;
  giveBack(idOrKey: string): Promise<Session>;
  restore(idOrKey: string): Promise<Session>;
  fork(idOrKey: string, body: ForkBody): Promise<Session>;
  bind(idOrKey: string, body: BindBody, by?: string): Promise<Session>;
  /** What its character could begin with, as it would be said here: the first message, and the others. */
  greetings(idOrKey: string, by?: string): Promise<readonly string[]>;
  openFor(message: InboundMessage): Promise<Session>;
  nameAutomatically(idOrKey: string, name: string): Promise<void>;
  published: Sessions["published"];
}

export function createSessionRows(parts: SessionParts): SessionRows {
  const { sessions, messages, events } = parts;
  const greetings = createGreetings(parts);
  const changed = (session: Session, action: Action) => {
    tell(parts, session.id, "session_updated", { action, session });
    const resource = action === "created" || action === "deleted" ? action : "updated";
    events.publish(resourceChanged("session", session.id, resource, session.revision));
    return session;
  };
  const checkCharacter = async (characterId: string | null | undefined) => {
    if (characterId === null || characterId === undefined) return;
    const isKnown = (await parts.characters()?.faces([characterId]))?.has(characterId);
    if (isKnown) return;
    throw sessionFailure("bad_request", "no_character", { id: characterId }, { field: "character_id" });
  };
  /** What was switched off stays so, also while its plugin is. */
  const refuseUnknownKeys = (keys: readonly string[] = [], { disabled_prompt_keys }: Session) => {
    const known = new Set([...parts.promptKeys(), ...disabled_prompt_keys]);
    const wrong = keys.find((key) => key === UNTOUCHABLE || !known.has(key));
    if (wrong !== undefined)
      throw sessionFailure("bad_request", "not_part", { key: wrong }, { field: "disabled_prompt_keys" });
  };
  const archiveState = async (idOrKey: string, archived: boolean) => {
    const session = await sessions.get(idOrKey);
    if (session.archived === archived) return session;
    if (archived) refuseRunning(parts, session);
    const next = await sessions.change(session.id, () => ({ archived, archived_at: archived ? now(parts) : null }));
    return changed(next, archived ? "archived" : "restored");
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
      await checkCharacter(draft.character_id);
      await checkModel(parts, draft.model_id);
      const made = newSession(newId("sess", parts.clock.now()), now(parts), draft);
      await sessions.insert(made, draft.name !== undefined);
      const session = changed(await sessions.get(made.id), "created");
      await greetings.greet(session, by);
      return sessions.get(session.id);
    },
    async openOwn({ id, type, name }) {
      const known = await sessions.find(id);
      if (known) return known;
      await sessions.insert(newSession(id, now(parts), { type, name }), true);
      return changed(await sessions.get(id), "created");
    },
    async update(idOrKey, patch, ifMatch) {
      const session = await sessions.get(idOrKey);
      const { archived, is_public, character_id, type, proactive_chat, tts_config, ...fields } = patch;
      if (fields.is_temporary === true && !session.is_temporary)
        throw sessionFailure("bad_request", "elsewhere", {}, { field: "is_temporary" });
      for (const [key, value] of Object.entries({ archived, is_public, character_id, type })) {
        if (value !== undefined && value !== session[key as keyof Session]) {
          throw sessionFailure("bad_request", "elsewhere", {}, { field: key });
        }
      }
      refuseUnknownKeys(fields.disabled_prompt_keys, session);
      if (fields.model_id !== session.model_id) await checkModel(parts, fields.model_id);
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
        tell(parts, next.id, "session_renamed", { name: next.name });
      return changed(next, "updated");
    },
    async remove(idOrKey) {
      const session = await sessions.get(idOrKey);
      const theirs = await parts.belongings.removed(session.id);
      await parts.belongings.leaving(session.id);
      await sessions.remove(session.id, theirs);
      changed(session, "deleted");
      return deleted(session.id);
    },
    archive: (idOrKey) => archiveState(idOrKey, true),
    restore: (idOrKey) => archiveState(idOrKey, false),
    async takeOver(idOrKey, by) {
      const session = await sessions.get(idOrKey);
      if (session.channel_id === "web" || session.conversation_id === null)
        throw sessionFailure("bad_request", "nobody");
      if (session.taken_over !== null) return session;
      const taken_over = { by, at: now(parts) };
      return changed(await sessions.change(session.id, () => ({ taken_over })), "updated");
    },
    async giveBack(idOrKey) {
      const session = await sessions.get(idOrKey);
      if (session.taken_over === null) return session;
      return changed(await sessions.change(session.id, () => ({ taken_over: null })), "updated");
    },
    async fork(idOrKey, { message_id, name, include_archive }) {
      const source = await sessions.get(idOrKey);
      const upTo =
        message_id === undefined ? await messages.last(source.id, "live") : await messages.find(source.id, message_id);
      const at = now(parts);
      const id = newId("sess", parts.clock.now());
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
      const kept = upTo ? await messages.liveUpTo(source.id, upTo.seq) : [];
      const old = include_archive ? await messages.archived(source.id) : [];
      const fresh = new Map([...old, ...kept].map((message) => [message.id, newId("msg", parts.clock.now())]));
      const copy = (message: (typeof kept)[number]) => ({
        ...message,
        id: fresh.get(message.id) ?? "",
        session_id: id,
        reply_to: message.reply_to === null ? null : (fresh.get(message.reply_to) ?? null),
        temp_id: null,
        trace_id: null,
        revision: 1,
      });
      const others: readonly Write[] = [
        ...messages.inserts(old.map(copy), "archive"),
        ...messages.inserts(kept.map(copy), "live"),
        ...messages.recount(id),
        ...(await parts.belongings.copied({ from: source.id, to: id, messages: fresh })),
        ...(await parts.timeline.copying(source.id, id, fresh)),
      ];
      const { content } = await sessions.customPrompt(source.id);
      await sessions.insert(session, true, others, content);
      return changed(await sessions.get(id), "created");
    },
    async bind(idOrKey, { character_id, add_first_message, ...given }, by) {
      const session = await sessions.get(idOrKey);
      await checkCharacter(character_id);
      const own = character_id === null ? given : { ...FOLLOWING, system_prompt: "", ...given };
      // How another one stood is no past of this one.
      const others = character_id === session.character_id ? [] : [parts.timeline.clearing(session.id)];
      const next = await sessions.change(session.id, () => ({ character_id, ...own }), { others });
      if (add_first_message) await greetings.greet(next, by);
      return changed(await sessions.get(session.id), "bound");
    },
    greetings: async (idOrKey, by) => greetings.list(await sessions.get(idOrKey), by),
    async openFor(message) {
      const found = await sessions.find(message.sessionId);
      if (found?.archived && message.channelId !== "web") return archiveState(found.id, false);
      if (found) return found;
      if (message.channelId === "web") return sessions.get(message.sessionId);
      const session = newSession(message.sessionId, now(parts), {
        name: (message.conversation.title ?? (message.sender.name || message.conversation.id)).slice(0, 100),
        type: typeOf(message),
        channel_id: message.channelId,
        conversation_id: message.conversation.id,
        user_id: message.conversation.isGroup ? null : message.sender.id,
      });
      await sessions.insert(session, true);
      return changed(await sessions.get(session.id), "created");
    },
    async published(idOrKey, untilMs, writes) {
      const session = await sessions.get(idOrKey);
      if (untilMs !== null) refuseTemporary(session);
      const { id } = session;
      await sessions.publish(id, untilMs, writes);
      return changed(await sessions.get(id), untilMs === null ? "unpublished" : "published");
    },
    async nameAutomatically(idOrKey, name) {
      const session = await sessions.get(idOrKey);
      if (await sessions.isNamed(session.id)) return;
      const next = await sessions.change(session.id, () => ({ name: name.slice(0, 100) }));
      tell(parts, next.id, "session_renamed", { name: next.name });
      changed(next, "updated");
    },
  };
}

function typeOf({ channelId, conversation }: InboundMessage): SessionType {
  if (channelId !== "imA" && channelId !== "imAbot") return "channel";
  return `${channelId}_${conversation.isGroup ? "group" : "private"}`;
}
