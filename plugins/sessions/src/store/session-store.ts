import {
  AppError,
  type Channels,
  type Characters,
  type Clock,
  checkRevision,
  type Database,
  fixedStatement,
  type Gateway,
  type MessageCount,
  type MessageRole,
  notFound,
  removeRevision,
  type Session,
  type Write,
} from "@parley/core";
import { canonicalSessionId } from "@parley/core/channels";
import type { List } from "@parley/core/http";
import type { Kysely } from "kysely";
import { applyChannelDefaults, stripChannelDefaults } from "../conversations/channel-defaults.ts";
import { applyCharacterProfile, applySpeaker, stripCharacterProfile } from "../conversations/display-profile.ts";
import type { SessionQuery } from "../schemas/sessions.ts";
import { fromSessionRow, toSessionRow } from "./rows.ts";
import { hasCharacter, querySessionPage, type SessionPage } from "./session-page-query.ts";
import type { SessionTable, SessionTables } from "./tables.ts";

export type SessionList = List<Session> & Pick<SessionPage, "next_cursor">;

export interface SessionStore {
  find(idOrKey: string): Promise<Session | undefined>;
  /** Returns a session; rejects with `not_found` for an unknown id. */
  get(idOrKey: string): Promise<Session>;
  list(query: SessionQuery): Promise<SessionList>;
  /** Returns the ids of archived, other or all sessions except temporary ones, oldest first. */
  listIds(archived: SessionQuery["archived"]): Promise<readonly string[]>;
  /** Returns up to `most` ids of temporary sessions without a message since `at`, except those in `but`. */
  findExpiredTemporary(at: string, most: number, but?: readonly string[]): Promise<readonly string[]>;
  /** Stores a new session; an existing session is not changed. */
  insert(session: Session, isNamed: boolean, others?: readonly Write[], customPrompt?: string): Promise<void>;
  /** Reads, changes and stores a session; rejects with `conflict` for another revision than expected. */
  change(id: string, change: (session: Session) => Partial<Session>, options?: ChangeOptions): Promise<Session>;
  /** Returns the ids of the sessions in which the character is the only one, or one of several. */
  findByCharacter(characterId: string): Promise<readonly string[]>;
  /** Returns the session as one of its characters speaks in it; unchanged when the character is gone. */
  asSpeaker(session: Session, characterId: string): Promise<Session>;
  /** Returns the write that replaces a session by one without a character, as it is then displayed; `conflict` when it was changed. */
  unbindWrite(session: Session, next: Session): Write;
  isNamed(id: string): Promise<boolean>;
  /** Deletes a session in one transaction with `others`. */
  remove(id: string, others?: readonly Write[], ifMatch?: number): Promise<void>;
  customPrompt(id: string): Promise<{ readonly content: string; readonly updated_at: string | null }>;
  /** Returns the custom prompt as it was when the session was read. */
  cachedCustomPrompt(session: Session): Promise<string>;
  setCustomPrompt(id: string, content: string | null): Promise<void>;
  /** Stores until when the session is public, in one transaction with `others`. */
  publish(id: string, untilMs: number | null, others: readonly Write[]): Promise<void>;
  countMessages(since: string): Promise<readonly MessageCount[]>;
  countActive(since: string): Promise<number>;
}

const EMPTY_SESSION_COLUMNS = {
  last_id: null,
  last_role: null,
  last_sender: null,
  last_preview: null,
  last_message_at: null,
  custom_prompt: null,
  custom_prompt_at: null,
  public_until: null,
};
const BY_ID_SQL = "select * from sessions where id = ?";

export interface ChangeOptions {
  readonly ifMatch?: number | undefined;
  /** True when a person chose the name. */
  readonly isNamed?: boolean;
  readonly others?: readonly Write[];
}

async function toSpeakerSession(
  session: Session,
  characterId: string,
  characters: Pick<Characters, "faces"> | undefined,
): Promise<Session> {
  if (session.character_id === characterId) return session;
  const first = session.character_id ?? "";
  const faces = await characters?.faces([characterId, first]);
  const speaker = faces?.get(characterId);
  return speaker ? applySpeaker(session, faces?.get(first), speaker) : session;
}

export function createSessionStore(
  database: () => Database,
  gateway: () => Gateway | undefined,
  clock: Clock,
  characters: () => Pick<Characters, "faces"> | undefined,
  channels: () => Pick<Channels, "get"> | undefined,
): SessionStore {
  const tables = (): Kysely<SessionTables> => database().tables<SessionTables>();
  const now = () => new Date(clock.now()).toISOString();
  const promptBySession = new WeakMap<Session, string>();
  const toStoredSession = (row: SessionTable) =>
    fromSessionRow(row, gateway()?.running(row.id) !== undefined, clock.now());
  const findCharacterFace = async ({ character_id }: { readonly character_id: string | null }) =>
    character_id === null ? undefined : (await characters()?.faces([character_id]))?.get(character_id);
  const toSession = async (row: SessionTable) => {
    const withDefaults = await applyChannelDefaults(toStoredSession(row), { channels, characters });
    const session = applyCharacterProfile(withDefaults, await findCharacterFace(withDefaults));
    promptBySession.set(session, row.custom_prompt ?? "");
    return session;
  };
  const findRow = async (id: string) => {
    const [row] = await database().lookup<SessionTable>(fixedStatement(BY_ID_SQL, [id]));
    return row;
  };
  const find = async (idOrKey: string) => {
    const row = await findRow(canonicalSessionId(idOrKey));
    return row && toSession(row);
  };
  const get = async (idOrKey: string) => {
    const session = await find(idOrKey);
    if (!session) throw notFound("session", idOrKey);
    return session;
  };

  return {
    find,
    get,
    async list(query) {
      const { items, ...page } = await querySessionPage(tables(), query);
      return { ...page, items: await Promise.all(items.map(toSession)) };
    },
    async listIds(archived) {
      const all = tables().selectFrom("sessions").where("is_temporary", "=", 0);
      let rows = all.select("id").orderBy("created_at").orderBy("id");
      if (archived !== "all") rows = rows.where("archived", "=", Number(archived === "true"));
      return (await rows.execute()).map(({ id }) => id);
    },
    async findExpiredTemporary(at, most, but = []) {
      const rows = await tables()
        .selectFrom("sessions")
        .select("id")
        .where("is_temporary", "=", 1)
        .where("created_at", "<", at)
        .where((row) => row.or([row("last_message_at", "is", null), row("last_message_at", "<", at)]))
        .$if(but.length > 0, (rest) => rest.where("id", "not in", but))
        .orderBy("created_at")
        .limit(most)
        .execute();
      return rows.map(({ id }) => id);
    },
    async insert(session, isNamed, others = [], customPrompt = "") {
      const row = {
        ...toSessionRow(stripCharacterProfile(session, await findCharacterFace(session))),
        is_named: Number(isNamed),
        message_count: 0,
        visible_count: 0,
        archived_count: 0,
        ...EMPTY_SESSION_COLUMNS,
        ...(customPrompt !== "" && { custom_prompt: customPrompt, custom_prompt_at: now() }),
      };
      await database().write([
        {
          query: tables()
            .insertInto("sessions")
            .values(row)
            .onConflict((conflict) => conflict.column("id").doNothing()),
        },
        ...others,
      ]);
    },
    async change(id, change, { ifMatch, isNamed, others = [] } = {}) {
      for (;;) {
        const old = await get(id);
        checkRevision(old, ifMatch);
        const stored = await findRow(old.id);
        if (stored?.revision !== old.revision) continue;
        const patch = change(old);
        const face = await findCharacterFace({ character_id: old.character_id, ...patch });
        const next: Session = {
          ...toStoredSession(stored),
          ...stripCharacterProfile(patch, face),
          updated_at: now(),
          revision: old.revision + 1,
        };
        const { id: _id, ...row } = toSessionRow(next);
        const query = tables()
          .updateTable("sessions")
          .set({ ...row, ...(isNamed && { is_named: 1 }) })
          .where("id", "=", old.id)
          .where("revision", "=", old.revision);
        try {
          await database().write([{ query, expect: 1 }, ...others]);
          return await get(old.id);
        } catch (error) {
          // The session changed at the same time, so the change is applied again to its current version.
          const isRace = AppError.is(error) && error.code === "conflict" && (await get(id)).revision !== old.revision;
          if (!isRace) throw error;
        }
      }
    },
    async findByCharacter(characterId) {
      const rows = await tables().selectFrom("sessions").select("id").where(hasCharacter(characterId)).execute();
      return rows.map(({ id }) => id);
    },
    asSpeaker: (session, characterId) => toSpeakerSession(session, characterId, characters()),
    unbindWrite(session, next) {
      const own = stripChannelDefaults(next);
      const { id: _id, ...row } = toSessionRow({ ...own, updated_at: now(), revision: session.revision + 1 });
      const query = tables()
        .updateTable("sessions")
        .set(row)
        .where("id", "=", session.id)
        .where("revision", "=", session.revision);
      return { query, expect: 1 };
    },
    isNamed: async (id) => (await findRow(id))?.is_named === 1,
    async remove(id, others = [], ifMatch) {
      const of = (table: Exclude<keyof SessionTables, "sessions" | "message_counts" | "broadcasts">) => ({
        query: tables().deleteFrom(table).where("session_id", "=", id),
      });
      const session = { ...removeRevision(tables().deleteFrom("sessions").where("id", "=", id), ifMatch), expect: 1 };
      const childTables = [
        "messages",
        "message_branches",
        "message_favorites",
        "runtime_timeline",
        "broadcast_recipients",
      ] as const;
      await database().write([session, ...childTables.map(of), ...others]);
    },
    async customPrompt(id) {
      const row = await findRow(id);
      return { content: row?.custom_prompt ?? "", updated_at: row?.custom_prompt_at ?? null };
    },
    cachedCustomPrompt: async (session) =>
      promptBySession.get(session) ?? (await findRow(session.id))?.custom_prompt ?? "",
    async setCustomPrompt(id, content) {
      const set = { custom_prompt: content, custom_prompt_at: content === null ? null : now() };
      await database().write([{ query: tables().updateTable("sessions").set(set).where("id", "=", id), expect: 1 }]);
    },
    async publish(id, public_until, others) {
      const query = tables().updateTable("sessions").set({ public_until }).where("id", "=", id);
      await database().write([{ query, expect: 1 }, ...others]);
    },
    async countMessages(since) {
      const rows = await tables().selectFrom("message_counts").selectAll().where("hour", ">=", since).execute();
      return rows.map((row) => ({ ...row, role: row.role as MessageRole }));
    },
    async countActive(since) {
      const row = await tables()
        .selectFrom("sessions")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("last_message_at", ">=", since)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
  };
}
