import { setImmediate as nextTurn } from "node:timers/promises";
import Joi, { type Schema } from "@hapi/joi";
import {
  AppError,
  type Message,
  messageText,
  type NewTimelineEntry,
  newId,
  resourceChanged,
  type Session,
  toFieldProblems,
  toValidationError,
  type Write,
} from "@parley/core";
import { isVisible } from "@parley/core/channels";
import { type CharacterMood, type InitialState, readState, START_MOOD } from "@parley/core/characters";
import { detectFormat, importEach } from "@parley/core/transfer";
import { MAX_SCENES } from "../conversations/characters/scene-changes.ts";
import { attachment } from "../schemas/fields.ts";
import { sessionDraft } from "../schemas/sessions.ts";
import { applyFilter, now, type SessionDeps } from "../session-deps.ts";
import { newMessage, newSession } from "../store/rows.ts";
import { sessionsTexts } from "../texts.ts";
import { PACKAGE_TYPE } from "./export.ts";

const MAX_SESSIONS = 500;
/** Number of messages imported before other work may continue. */
const CHUNK_SIZE = 200;

/** Imports sessions; long ones in steps, so that other work continues. */
export interface SessionImporter {
  importSessions(input: Readonly<Record<string, unknown>>): Promise<object>;
}

interface ParsedSession {
  readonly fields: Partial<Session>;
  readonly sourceId: string | null;
  readonly messages: readonly Partial<Message>[];
  readonly archived: readonly Partial<Message>[];
  readonly customPrompt: string;
  /** State of the character in the session. */
  readonly state: CharacterMood | undefined;
  readonly timeline: readonly NewTimelineEntry[];
  /** Data of other plugins about the session. */
  readonly plugins: Readonly<Record<string, unknown>>;
}

export function createSessionImporter(deps: SessionDeps): SessionImporter {
  const { sessions, messages, events } = deps;
  const importOne = async ({
    fields,
    sourceId,
    messages: liveMessages,
    archived,
    customPrompt,
    state,
    timeline,
    plugins,
  }: ParsedSession) => {
    const id = newId("sess", deps.clock.now());
    const knownIds = await findKnownCharacters(deps, [fields, ...archived, ...liveMessages]);
    const character_ids = toCharacterIds(fields).filter((one) => knownIds.has(one));
    const session = newSession(id, now(deps), {
      ...fields,
      character_id: character_ids[0] ?? null,
      character_ids,
      taken_over: null,
      imported_from: sourceId,
      imported_at: now(deps),
    });
    let dropped = 0;
    let seq = 0;
    const newIdByOldId = new Map<string, string>();
    const read = async (input: readonly Partial<Message>[]) => {
      const parsed: Message[] = [];
      for (const [at, one] of input.entries()) {
        if (at % CHUNK_SIZE === CHUNK_SIZE - 1) await nextTurn();
        const target = one.role === "assistant" ? "ai" : "user";
        const filterResult = await applyFilter(
          deps,
          session,
          target,
          one.content ?? "",
          (one.attachments ?? []).length > 0,
        );
        if (filterResult.blocked) {
          dropped += 1;
          continue;
        }
        const newMessageId = newId("msg", deps.clock.now());
        if (one.id !== undefined) newIdByOldId.set(one.id, newMessageId);
        seq += 10;
        const reply_to = one.reply_to ? (newIdByOldId.get(one.reply_to) ?? null) : null;
        const timestamp = one.timestamp ?? now(deps);
        const content = filterResult.text;
        parsed.push(
          newMessage({
            ...one,
            character_id: knownIds.has(one.character_id ?? "") ? (one.character_id ?? null) : null,
            id: newMessageId,
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
      return parsed;
    };
    const writes: Write[] = [];
    const archive = await read(archived);
    const live = await read(liveMessages);
    if (archive.length + live.length === 0 && dropped > 0)
      throw sessionsTexts.error("bad_request", "all_withheld", { count: dropped });
    for (const [place, placeMessages] of [
      ["archive", archive],
      ["live", live],
    ] as const) {
      for (let at = 0; at < placeMessages.length; at += CHUNK_SIZE) {
        writes.push(...messages.insertWrites(placeMessages.slice(at, at + CHUNK_SIZE), place));
        await nextTurn();
      }
    }
    const pluginData = await deps.lifecycle.imported(id, plugins);
    writes.push(...deps.timeline.importWrites(session, timeline, newIdByOldId));
    if (state) writes.push(...((await deps.characters()?.restoring(session, { state })) ?? []));
    await sessions.insert(
      session,
      true,
      [...writes, ...messages.recountWrites(id), ...pluginData.writes],
      customPrompt,
    );
    events.publish(resourceChanged("session", id, "imported"));
    const left_out = pluginData.unknown.length > 0 ? { left_out: pluginData.unknown } : {};
    return { id, name: session.name, source_id: sourceId, dropped, ...left_out };
  };

  return {
    async importSessions(given) {
      const list = extractSessions(given);
      let filtered_messages = 0;
      try {
        const outcome = await importEach(list, {
          async importOne(one) {
            if (isOfAnotherProgram(one)) throw notAnExportError(one);
            const { dropped, ...item } = await importOne(await parseSession(one, given.type === PACKAGE_TYPE));
            filtered_messages += dropped;
            return item;
          },
        });
        return { ...outcome, filtered_messages };
      } catch (error) {
        if (!AppError.is(error)) throw error;
        throw toImportError(given, list, error);
      }
    },
  };
}

function toCharacterIds({ character_id, character_ids }: Partial<Session>): readonly string[] {
  return character_ids ?? (character_id ? [character_id] : []);
}

/** Returns the characters of this service that a session and its messages name. */
async function findKnownCharacters(
  { characters }: SessionDeps,
  named: readonly Pick<Partial<Session>, "character_id" | "character_ids">[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(named.flatMap(toCharacterIds));
  return new Set((await characters()?.faces(ids))?.keys());
}

/** Prefers the program that wrote the file over the reasons of its items. */
function toImportError(input: unknown, list: readonly unknown[], reasons: AppError): AppError {
  const foreign = [input, list].find((one) => detectFormat(one) !== undefined && !hasSessions(one));
  return foreign === undefined ? reasons : notAnExportError(foreign);
}

/** True for a conversation of another program, whose format is known and whose messages have no `role`. */
function isOfAnotherProgram(input: unknown): boolean {
  const { messages } = Object(input) as { readonly messages?: unknown };
  const hasRoles = Array.isArray(messages) && messages.some((message) => Object(message).role !== undefined);
  return !hasRoles && detectFormat(input) !== undefined;
}

function hasSessions(input: unknown): boolean {
  return Array.isArray((Object(input) as { readonly sessions?: unknown }).sessions);
}

function notAnExportError(input: unknown): AppError {
  const likeness = detectFormat(input);
  if (!likeness) return sessionsTexts.error("bad_request", "no_export");
  return sessionsTexts.error("bad_request", "no_export_but", { likeness });
}

/** Returns the sessions of a package, `{sessions}`, `{session}`, a bare session or a list, which arrives as `{items}`. */
function extractSessions(input: Readonly<Record<string, unknown>>): readonly unknown[] {
  const sessions = input.sessions ?? input.items;
  const list = Array.isArray(sessions)
    ? sessions
    : input.session
      ? [input.session]
      : Array.isArray(input.messages)
        ? [input]
        : undefined;
  if (!list) throw notAnExportError(input);
  if (list.length === 0) throw sessionsTexts.error("bad_request", "no_sessions", {}, { field: "sessions" });
  if (list.length > MAX_SESSIONS)
    throw sessionsTexts.error("bad_request", "at_most", { most: MAX_SESSIONS }, { field: "sessions" });
  if (input.version !== undefined && input.version !== 1)
    throw sessionsTexts.error("bad_request", "newer", {}, { field: "version" });
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
  character_id: Joi.string().max(64).allow(null),
  timestamp: Joi.string().isoDate(),
  reply_to: Joi.string().max(64).allow(null),
  hidden: Joi.boolean(),
  model: Joi.string().max(200).allow(null),
  usage: Joi.object().unknown().allow(null),
  thinking: Joi.string().allow("", null),
  metadata: Joi.object().unknown(),
});
/** Lenient schema: values are clamped, and an invalid state is dropped. */
const stateSchema = Joi.object()
  .unknown()
  .custom((given: object) => ({ ...START_MOOD, ...pickMoodFields(readState(given).values) }));
/** Schema of a state in a timeline entry: values are clamped, and unknown ones dropped. */
const timelineStateSchema = Joi.object()
  .unknown()
  .custom((given: object) => readState(given).values);

const sessionSchema = Joi.object({
  id: Joi.string().max(200),
  // Messages are validated later, in steps.
  messages: Joi.array().default([]),
  archived_messages: Joi.array().default([]),
  custom_prompt: Joi.string().allow("", null).max(20_000),
  state: stateSchema.allow(null),
  timeline: Joi.array()
    .items(
      Joi.object({
        character_id: Joi.string().max(64).required(),
        message_id: Joi.string().max(64).allow(null).default(null),
        message_index: Joi.number().integer().min(0).default(0),
        timestamp: Joi.string().isoDate().required(),
        source: Joi.string().valid("auto", "manual").default("auto"),
        state: timelineStateSchema.default({}),
        relationship: timelineStateSchema.default({}),
        user_message: Joi.string().allow("").max(500).default(""),
        assistant_message: Joi.string().allow("").max(500).default(""),
      }),
    )
    .max(200)
    .default([]),
  scenes: Joi.array()
    .items(
      Joi.object({
        at: Joi.string().isoDate().required(),
        present: Joi.array().items(Joi.string().max(64)).required(),
      }),
    )
    .max(MAX_SCENES),
  plugins: Joi.object().pattern(Joi.string(), Joi.any()).default({}),
}).concat(sessionDraft.fork("type", () => Joi.any()));

async function parseSession(input: unknown, isOwnExport: boolean): Promise<ParsedSession> {
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
  } = validate(sessionSchema, input);
  const live = await parseMessages(messages, "messages");
  const archived = await parseMessages(archived_messages, "archived_messages");
  // An empty conversation is valid in an export of our own.
  const mayBeEmpty = isOwnExport && Array.isArray(Object(input).messages);
  if (!mayBeEmpty && ![...live, ...archived].some(hasContent))
    throw sessionsTexts.error("bad_request", "no_messages_read");
  return {
    fields,
    sourceId: id ?? null,
    messages: live,
    archived,
    customPrompt: custom_prompt ?? "",
    state: state ?? undefined,
    timeline,
    plugins,
  };
}

function pickMoodFields({ mood, mood_intensity, energy, scene }: InitialState): Partial<CharacterMood> {
  const fields = { mood, mood_intensity, energy, scene };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function parseMessages(input: readonly unknown[], key: string): Promise<readonly Partial<Message>[]> {
  const read: Partial<Message>[] = [];
  for (const [at, one] of input.entries()) {
    read.push(requireContent(validate(messageSchema, one, `${key}.${at}`), one, `${key}.${at}`));
    if (at % CHUNK_SIZE === CHUNK_SIZE - 1) await nextTurn();
  }
  return read;
}

function hasContent({ content = "", attachments = [] }: Partial<Message>): boolean {
  return isVisible(content) || attachments.length > 0;
}

/** Rejects a message without `content`, because files of other programs would be imported without texts. */
function requireContent(message: Partial<Message>, input: unknown, field: string): Partial<Message> {
  const { attachments = [], kind = "normal" } = message;
  if ("content" in Object(input) || attachments.length > 0 || kind !== "normal") return message;
  throw sessionsTexts.error("bad_request", "no_content", {}, { field });
}

function validate(schema: Schema, input: unknown, place?: string) {
  const { value, error } = schema.validate(input, { stripUnknown: true, errors: { label: false } });
  if (!error) return value;
  throw toValidationError(toFieldProblems(error, place), "body");
}
