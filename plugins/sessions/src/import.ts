import { setImmediate as nextTurn } from "node:timers/promises";
import Joi, { type Schema } from "@hapi/joi";
import {
  AppError,
  type CharacterMood,
  type InitialState,
  itemFailure,
  likenessOf,
  type Message,
  messageText,
  type NewTimelineEntry,
  newId,
  problemsIn,
  readState,
  refusalOf,
  resourceChanged,
  type Session,
  START_MOOD,
  type Write,
} from "@parley/core";
import { now, type SessionParts, screened } from "./parts.ts";
import { newMessage, newSession } from "./rows.ts";
import { sessionFailure } from "./said-failures.ts";
import { attachment } from "./schemas/fields.ts";
import { sessionDraft } from "./schemas/sessions.ts";

const MAX_SESSIONS = 500;
/** Messages that are taken without a pause. */
const STEP = 200;

/** Sessions into the service; a long one is taken in step by step, others come between. */
export interface Import {
  take(given: Readonly<Record<string, unknown>>): Promise<object>;
}

interface Incoming {
  readonly fields: Partial<Session>;
  readonly sourceId: string | null;
  readonly messages: readonly Partial<Message>[];
  readonly archived: readonly Partial<Message>[];
  readonly customPrompt: string;
  /** How its character stood in it. */
  readonly state: CharacterMood | undefined;
  readonly timeline: readonly NewTimelineEntry[];
  /** What other plugins kept of it. */
  readonly plugins: Readonly<Record<string, unknown>>;
}

export function createImport(parts: SessionParts): Import {
  const { sessions, messages, events } = parts;
  const takeOne = async ({
    fields,
    sourceId,
    messages: talk,
    archived,
    customPrompt,
    state,
    timeline,
    plugins,
  }: Incoming) => {
    const id = newId("sess", parts.clock.now());
    const characterId = fields.character_id ?? null;
    const face = characterId === null ? undefined : (await parts.characters()?.faces([characterId]))?.get(characterId);
    const session = newSession(id, now(parts), {
      ...fields,
      character_id: face ? characterId : null,
      taken_over: null,
      imported_from: sourceId,
      imported_at: now(parts),
    });
    let dropped = 0;
    let seq = 0;
    const ids = new Map<string, string>();
    const read = async (given: readonly Partial<Message>[]) => {
      const kept: Message[] = [];
      for (const [at, one] of given.entries()) {
        if (at % STEP === STEP - 1) await nextTurn();
        const target = one.role === "assistant" ? "ai" : "user";
        const seen = await screened(parts, session, target, one.content ?? "", (one.attachments ?? []).length > 0);
        if (seen.blocked) {
          dropped += 1;
          continue;
        }
        const fresh = newId("msg", parts.clock.now());
        if (one.id !== undefined) ids.set(one.id, fresh);
        seq += 10;
        const reply_to = one.reply_to ? (ids.get(one.reply_to) ?? null) : null;
        const timestamp = one.timestamp ?? now(parts);
        const content = seen.text;
        kept.push(
          newMessage({
            ...one,
            id: fresh,
            session_id: id,
            seq,
            content,
            timestamp,
            reply_to,
            source: "import",
            revision: 1,
          }),
        );
      }
      return kept;
    };
    const writes: Write[] = [];
    for (const [place, kept] of [
      ["archive", await read(archived)],
      ["live", await read(talk)],
    ] as const) {
      for (let at = 0; at < kept.length; at += STEP) {
        writes.push(...messages.inserts(kept.slice(at, at + STEP), place));
        await nextTurn();
      }
    }
    const theirs = await parts.belongings.imported(id, plugins);
    writes.push(...parts.timeline.importing(session, timeline, ids));
    if (state) writes.push(...((await parts.characters()?.restoring(session, { state })) ?? []));
    await sessions.insert(session, true, [...writes, ...messages.recount(id), ...theirs.writes], customPrompt);
    events.publish(resourceChanged("session", id, "imported"));
    const left_out = theirs.unknown.length > 0 ? { left_out: theirs.unknown } : {};
    return { id, name: session.name, source_id: sourceId, dropped, ...left_out };
  };

  return {
    async take(given) {
      const list = sessionsIn(given);
      const items: object[] = [];
      const errors: object[] = [];
      let first: AppError | undefined;
      let filtered_messages = 0;
      for (const [index, one] of list.entries()) {
        try {
          const { dropped, ...item } = await takeOne(await readSession(one));
          items.push({ index, ...item });
          filtered_messages += dropped;
        } catch (error) {
          if (!AppError.is(error)) throw error;
          first ??= error;
          errors.push({ index, ...itemFailure(error) });
        }
      }
      // Nothing was read: that is a mistake of whoever sends it, and what it looks like may say which.
      if (items.length === 0) throw noneRead(given, list, first);
      return { imported: items.length, failed: errors.length, items, errors, filtered_messages };
    },
  };
}

function noneRead(given: unknown, list: readonly unknown[], first: AppError | undefined): AppError {
  const foreign = [given, list].find((one) => likenessOf(one) !== undefined && !isPackage(one));
  return foreign === undefined ? (first ?? noExport(given)) : noExport(foreign);
}

function isPackage(given: unknown): boolean {
  return Array.isArray((Object(given) as { readonly sessions?: unknown }).sessions);
}

function noExport(given: unknown): AppError {
  const likeness = likenessOf(given);
  if (!likeness) return sessionFailure("bad_request", "no_export");
  return sessionFailure("bad_request", "no_export_but", { likeness });
}

/** A package, `{sessions}`, `{session}` or one bare session. */
function sessionsIn(given: Readonly<Record<string, unknown>>): readonly unknown[] {
  const list = Array.isArray(given.sessions)
    ? given.sessions
    : given.session
      ? [given.session]
      : Array.isArray(given.messages)
        ? [given]
        : undefined;
  if (!list) throw noExport(given);
  if (list.length === 0) throw sessionFailure("bad_request", "no_sessions", {}, { field: "sessions" });
  if (list.length > MAX_SESSIONS)
    throw sessionFailure("bad_request", "at_most", { most: MAX_SESSIONS }, { field: "sessions" });
  if (given.version !== undefined && given.version !== 1)
    throw sessionFailure("bad_request", "newer", {}, { field: "version" });
  return list;
}

const messageSchema = Joi.object({
  id: Joi.string().max(64),
  role: Joi.string().valid("user", "assistant", "system").default("user"),
  kind: Joi.string().valid("normal", "summary", "archive_divider", "notice", "command", "tool").default("normal"),
  content: messageText().default(""),
  attachments: Joi.array().items(attachment.unknown()).max(10).default([]),
  sender: Joi.string().allow("").max(100).default(""),
  sender_id: Joi.string().max(128).allow(null),
  timestamp: Joi.string().isoDate(),
  reply_to: Joi.string().max(64).allow(null),
  hidden: Joi.boolean(),
  model: Joi.string().max(200).allow(null),
  usage: Joi.object().unknown().allow(null),
  thinking: Joi.string().allow("", null),
  metadata: Joi.object().unknown(),
});
/** Clamped and read leniently, as everywhere; what is no state leaves none. */
const stateShape = Joi.object()
  .unknown()
  .custom((given: object) => ({ ...START_MOOD, ...pickKnown(readState(given).values) }));
/** What came with a session: the values that a state has, inside their ranges; the rest is left out. */
const usableState = Joi.object()
  .unknown()
  .custom((given: object) => readState(given).values);

const sessionSchema = Joi.object({
  id: Joi.string().max(200),
  // What is in them is looked at step by step.
  messages: Joi.array().default([]),
  archived_messages: Joi.array().default([]),
  custom_prompt: Joi.string().allow("", null).max(20_000),
  state: stateShape.allow(null),
  timeline: Joi.array()
    .items(
      Joi.object({
        character_id: Joi.string().max(64).required(),
        message_id: Joi.string().max(64).allow(null).default(null),
        message_index: Joi.number().integer().min(0).default(0),
        timestamp: Joi.string().isoDate().required(),
        source: Joi.string().valid("auto", "manual").default("auto"),
        state: usableState.default({}),
        relationship: usableState.default({}),
        user_message: Joi.string().allow("").max(500).default(""),
        assistant_message: Joi.string().allow("").max(500).default(""),
      }),
    )
    .max(200)
    .default([]),
  plugins: Joi.object().pattern(Joi.string(), Joi.any()).default({}),
}).concat(sessionDraft.fork("type", () => Joi.any()));

async function readSession(given: unknown): Promise<Incoming> {
  const {
    id,
    messages,
    archived_messages,
    custom_prompt,
    state,
    timeline,
    plugins,
    type: _type,
    ...fields
  } = checked(sessionSchema, given);
  return {
    fields,
    sourceId: id ?? null,
    messages: await readMessages(messages, "messages"),
    archived: await readMessages(archived_messages, "archived_messages"),
    customPrompt: custom_prompt ?? "",
    state: state ?? undefined,
    timeline,
    plugins,
  };
}

function pickKnown({ mood, mood_intensity, energy, scene }: InitialState): Partial<CharacterMood> {
  const given = { mood, mood_intensity, energy, scene };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function readMessages(given: readonly unknown[], key: string): Promise<readonly Partial<Message>[]> {
  const read: Partial<Message>[] = [];
  for (const [at, one] of given.entries()) {
    read.push(withContent(checked(messageSchema, one, `${key}.${at}`), one, `${key}.${at}`));
    if (at % STEP === STEP - 1) await nextTurn();
  }
  return read;
}

/** Other programs call the text of a message otherwise: read as ours it would be empty. */
function withContent(message: Partial<Message>, given: unknown, place: string): Partial<Message> {
  const { attachments = [], kind = "normal" } = message;
  if ("content" in Object(given) || attachments.length > 0 || kind !== "normal") return message;
  throw sessionFailure("bad_request", "no_content", {}, { field: place });
}

function checked(schema: Schema, given: unknown, place?: string) {
  const { value, error } = schema.validate(given, { stripUnknown: true, errors: { label: false } });
  if (!error) return value;
  throw refusalOf(problemsIn(error, place), "body");
}
