import Joi from "@hapi/joi";
import { AppError, type Message, newId, type RawReply, rawReply, resourceChanged, type Session } from "@parley/core";
import { now, type SessionParts, screened } from "./parts.ts";
import { newMessage, newSession } from "./rows.ts";
import { attachment, type ExportAllQuery, type ExportQuery, sessionDraft } from "./schema.ts";

const TYPE = "svc_session_export";
const MAX_SESSIONS = 500;

/** Sessions out of the service and into it (contract sessions §7). */
export interface Transfer {
  exportOne(idOrKey: string, query: ExportQuery): Promise<object | RawReply>;
  exportAll(query: ExportAllQuery): Promise<object | RawReply>;
  import(given: Readonly<Record<string, unknown>>): Promise<object>;
}

interface Incoming {
  readonly fields: Partial<Session>;
  readonly sourceId: string | null;
  readonly messages: readonly Partial<Message>[];
  readonly archived: readonly Partial<Message>[];
  readonly customPrompt: string;
}

export function createTransfer(parts: SessionParts): Transfer {
  const { sessions, messages, events } = parts;
  const whole = async (id: string, withArchive: boolean) => {
    const session = await sessions.get(id);
    const { running: _running, ...fields } = session;
    return {
      ...fields,
      messages: await messages.liveFrom(session.id, 0),
      archived_messages: withArchive ? await messages.archived(session.id) : [],
      favorites: [],
      timeline: [],
      custom_prompt: (await sessions.customPrompt(session.id)).content,
      state: null,
      relationship: null,
    };
  };
  const packageOf = (found: readonly object[]) => ({
    version: 1,
    type: TYPE,
    exported_at: now(parts),
    total: found.length,
    sessions: found,
  });
  const take = async ({ fields, sourceId, messages: talk, archived, customPrompt }: Incoming) => {
    const id = newId("sess", parts.clock.now());
    const characterId = fields.character_id ?? null;
    const face = characterId === null ? undefined : await parts.characters()?.find(characterId);
    const session = newSession(id, now(parts), {
      ...fields,
      character_id: face ? characterId : null,
      imported_from: sourceId,
      imported_at: now(parts),
    });
    let dropped = 0;
    let seq = 0;
    const ids = new Map<string, string>();
    const read = async (given: readonly Partial<Message>[]) => {
      const kept: Message[] = [];
      for (const one of given) {
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
    const old = await read(archived);
    const live = await read(talk);
    const others = [...messages.inserts(old, "archive"), ...messages.inserts(live, "live"), ...messages.recount(id)];
    await sessions.insert(session, true, others);
    if (customPrompt !== "") await sessions.setCustomPrompt(id, customPrompt);
    events.publish(resourceChanged("session", id, "imported"));
    return { id, name: session.name, source_id: sourceId, dropped };
  };

  return {
    async exportOne(idOrKey, { format, include_archive, download }) {
      const session = await sessions.get(idOrKey);
      const content = await whole(session.id, include_archive);
      if (format === "markdown") return markdownReply(session, content.messages);
      return packaged(packageOf([content]), download, session.name);
    },
    async exportAll({ ids, archived, include_archive, download }) {
      const wanted = ids
        ? ids
            .split(",")
            .map((id) => id.trim())
            .filter(Boolean)
        : await sessions.ids(archived);
      if (ids && wanted.length > MAX_SESSIONS) throw new AppError("bad_request", `ids: at most ${MAX_SESSIONS}`);
      const missing: string[] = [];
      const found: object[] = [];
      for (const id of wanted) {
        const session = await sessions.find(id);
        if (session) found.push(await whole(session.id, include_archive));
        else missing.push(id);
      }
      return packaged({ ...packageOf(found), missing }, download, "sessions");
    },
    async import(given) {
      const list = sessionsIn(given);
      const items: object[] = [];
      const errors: object[] = [];
      let filtered_messages = 0;
      for (const [index, one] of list.entries()) {
        try {
          const { dropped, ...item } = await take(readSession(one));
          items.push({ index, ...item });
          filtered_messages += dropped;
        } catch (error) {
          if (!AppError.is(error)) throw error;
          errors.push({ index, error: error.message });
        }
      }
      return { imported: items.length, failed: errors.length, items, errors, filtered_messages };
    },
  };
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
  if (!list) throw new AppError("bad_request", "body: is no export of sessions");
  if (list.length === 0) throw new AppError("bad_request", "sessions: are none");
  if (list.length > MAX_SESSIONS) throw new AppError("bad_request", `sessions: at most ${MAX_SESSIONS}`);
  if (given.version !== undefined && given.version !== 1)
    throw new AppError("bad_request", "version: is from a newer service");
  return list;
}

const messageSchema = Joi.object({
  id: Joi.string().max(64),
  role: Joi.string().valid("user", "assistant", "system").default("user"),
  kind: Joi.string().valid("normal", "summary", "archive_divider", "notice", "command", "tool").default("normal"),
  content: Joi.string().allow("").max(32_000).default(""),
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
const sessionSchema = Joi.object({
  id: Joi.string().max(200),
  messages: Joi.array().items(messageSchema).default([]),
  archived_messages: Joi.array().items(messageSchema).default([]),
  custom_prompt: Joi.string().allow("", null).max(20_000),
}).concat(sessionDraft.fork("type", () => Joi.any()));

function readSession(given: unknown): Incoming {
  const { value, error } = sessionSchema.validate(given, { stripUnknown: true, errors: { label: false } });
  if (error) throw new AppError("bad_request", `${error.details[0]?.path.join(".")}: ${error.message}`);
  const { id, messages, archived_messages, custom_prompt, type: _type, ...fields } = value;
  return { fields, sourceId: id ?? null, messages, archived: archived_messages, customPrompt: custom_prompt ?? "" };
}

function packaged(content: object, download: boolean, name: string): object | RawReply {
  if (!download) return content;
  return rawReply({
    body: JSON.stringify(content),
    type: "application/json",
    headers: { "content-disposition": disposition(`${name}.json`) },
  });
}

function markdownReply(session: Session, messages: readonly Message[]): RawReply {
  const lines = messages
    .filter(({ hidden, role }) => !hidden && role !== "system")
    .map(({ role, sender, timestamp, content }) => `**${sender || role}** · ${timestamp}\n\n${content}\n`);
  return rawReply({
    body: `# ${session.name}\n\n${lines.join("\n---\n\n")}`,
    type: "text/markdown; charset=utf-8",
    headers: { "content-disposition": disposition(`${session.name}.md`) },
  });
}

// Names are people's: nothing of them may reach the header as it is.
function disposition(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, "_").slice(0, 100);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.slice(0, 100)).replaceAll(/['()*]/g, "_")}`;
}
