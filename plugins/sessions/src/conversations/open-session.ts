import {
  type InboundMessage,
  isGroupSession,
  type Message,
  newId,
  type OwnSession,
  type Session,
  type SessionType,
  type Write,
} from "@parley/core";
import type { ForkBody, SessionDraft } from "../schemas/sessions.ts";
import { assertChatModel, now, type SessionDeps } from "../session-deps.ts";
import { newSession } from "../store/rows.ts";
import { readCharacters } from "./characters/session-characters.ts";
import type { Greetings } from "./greetings.ts";
import { assertPersonaExists, publishChange, setArchived } from "./session-changes.ts";

export async function createSession(
  deps: SessionDeps,
  greetings: Greetings,
  { type: _type, ...draft }: SessionDraft,
  by?: string,
): Promise<Session> {
  const { sessions } = deps;
  const characters = await readCharacters(deps, draft);
  await assertChatModel(deps, draft.model_id);
  assertPersonaExists(deps, draft.persona_id);
  const made = newSession(newId("sess", deps.clock.now()), now(deps), { ...draft, ...characters });
  await sessions.insert(made, draft.name !== undefined);
  const session = publishChange(deps, await sessions.get(made.id), "created");
  await greetings.greet(session, by);
  return sessions.get(session.id);
}

export async function openOwnSession(
  deps: SessionDeps,
  { id, character_id = null, ...fields }: OwnSession,
): Promise<Session> {
  const { sessions } = deps;
  const known = await sessions.find(id);
  if (known) return known.archived ? setArchived(deps, id, false) : known;
  const characters = await readCharacters(deps, { character_id });
  try {
    await sessions.insert(newSession(id, now(deps), { ...fields, ...characters }), true);
  } catch (error) {
    // Another request may have created it in the meantime.
    const created = await sessions.find(id);
    if (created) return created;
    throw error;
  }
  return publishChange(deps, await sessions.get(id), "created");
}

/** Returns the session of a message, as `speakerId` speaks in it; creates it for the first message of a channel's conversation. */
export async function openSessionFor(
  deps: SessionDeps,
  message: InboundMessage,
  speakerId: string | undefined,
): Promise<Session> {
  const session = await openSession(deps, message);
  return speakerId === undefined ? session : deps.sessions.asSpeaker(session, speakerId);
}

async function openSession(deps: SessionDeps, message: InboundMessage): Promise<Session> {
  const { sessions } = deps;
  const found = await sessions.find(message.sessionId);
  if (found?.archived && message.channelId !== "web") return setArchived(deps, found.id, false);
  if (found && isFirstOfGroup(found, message))
    return publishChange(deps, await sessions.change(found.id, () => toConversationFields(message)), "updated");
  if (found || message.channelId === "web") return found ?? sessions.get(message.sessionId);
  const session = newSession(message.sessionId, now(deps), {
    name: (message.conversation.title ?? (message.sender.name || message.conversation.id)).slice(0, 100),
    ...toConversationFields(message),
    channel_id: message.channelId,
    conversation_id: message.conversation.id,
  });
  await sessions.insert(session, true);
  return publishChange(deps, await sessions.get(session.id), "created");
}

/** Copies a conversation up to a message, the last one by default, as a new web session. */
export async function forkSession(deps: SessionDeps, idOrKey: string, body: ForkBody): Promise<Session> {
  const { sessions, messages, clock } = deps;
  const { message_id } = body;
  const source = await sessions.get(idOrKey);
  const upTo =
    message_id === undefined ? await messages.last(source.id, "live") : await messages.find(source.id, message_id);
  const session = toFork(deps, source, body.name, upTo?.id ?? null);
  const live = upTo ? await messages.liveUpTo(source.id, upTo.seq) : [];
  const archived = body.include_archive ? await messages.listArchived(source.id) : [];
  const newIds = new Map([...archived, ...live].map(({ id }) => [id, newId("msg", clock.now())]));
  const copy = (message: Message) => toCopiedMessage(message, session.id, newIds);
  const writes: readonly Write[] = [
    ...messages.insertWrites(archived.map(copy), "archive"),
    ...messages.insertWrites(live.map(copy), "live"),
    ...messages.recountWrites(session.id),
    ...(await deps.lifecycle.copied({ from: source.id, to: session.id, messages: newIds })),
    ...(await deps.timeline.copyWrites(source.id, session.id, newIds)),
  ];
  const { content } = await sessions.customPrompt(source.id);
  await sessions.insert(session, true, writes, content);
  return publishChange(deps, await sessions.get(session.id), "created");
}

function toFork(deps: SessionDeps, source: Session, name: string | undefined, messageId: string | null) {
  const at = now(deps);
  const { id: _id, key: _key, created_at: _created, updated_at: _updated, revision: _revision, ...fields } = source;
  return newSession(newId("sess", deps.clock.now()), at, {
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
    forked_from: { session_id: source.id, message_id: messageId, created_at: at },
  });
}

function toCopiedMessage<Copied extends Message>(
  message: Copied,
  sessionId: string,
  newIds: ReadonlyMap<string, string>,
): Copied {
  return {
    ...message,
    id: newIds.get(message.id) ?? "",
    session_id: sessionId,
    reply_to: message.reply_to === null ? null : (newIds.get(message.reply_to) ?? null),
    temp_id: null,
    trace_id: null,
    revision: 1,
  };
}

/** Returns true for a group message whose session was opened by an event that does not distinguish groups from people. */
function isFirstOfGroup(session: Session, { channelId, kind, conversation }: InboundMessage): boolean {
  return channelId !== "web" && kind === "message" && conversation.isGroup && !isGroupSession(session);
}

/** Returns the fields that distinguish a group from a person. */
function toConversationFields(message: InboundMessage): Pick<Session, "type" | "user_id"> {
  return { type: toSessionType(message), user_id: message.conversation.isGroup ? null : message.sender.id };
}

function toSessionType({ channelId, conversation }: InboundMessage): SessionType {
  if (channelId !== "imA" && channelId !== "imAbot") return "channel";
  return `${channelId}_${conversation.isGroup ? "group" : "private"}`;
}
