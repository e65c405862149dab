import { randomBytes } from "node:crypto";
import type { AppError, Clock, Database, Files, RecordPart, Sessions, Write } from "@parley/core";
import { hashPassword } from "@parley/core/secrets";
import type { Preview, ShareDraft, ShareOptions } from "./schema.ts";
import { createSnapshot, listFiles } from "./snapshot.ts";
import type { PublicationRow, SharingTables } from "./tables.ts";
import { sharingTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
const RANDOM_BYTES = 16;
const FLUSH_MS = 2_000;
const MAX_PENDING_PUBLICATIONS = 1_000;
const MAX_PREVIEW_MESSAGES = 20;

/** A publication as stored. */
export interface StoredPublication {
  readonly sessionId: string;
  readonly publicId: string;
  readonly options: ShareOptions;
  readonly passwordHash: string | null;
  readonly views: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly expiresMs: number;
}

export interface Publications extends AsyncDisposable {
  /** Publishes the current state of the session; a published one keeps its id. */
  publish(idOrKey: string, draft: ShareDraft): Promise<StoredPublication>;
  /** Returns what would be published, up to its first 20 messages; stores nothing. */
  preview(idOrKey: string, options: ShareOptions): Promise<Preview>;
  /** Ends the publication; its link stops working at once. */
  unpublish(idOrKey: string): Promise<void>;
  /** Returns undefined when the session is not public. */
  findBySession(idOrKey: string): Promise<StoredPublication | undefined>;
  /** Returns undefined for an unknown, expired or withdrawn publication. */
  find(publicId: string): Promise<StoredPublication | undefined>;
  /** Returns the snapshot as JSON text, even if it has expired; throws `not_found` for an unknown id. */
  readSnapshot(publicId: string): Promise<string>;
  /** Counts a view. Views are stored together, a short time later. */
  countView(publicId: string): void;
  readonly sessionPart: RecordPart;
}

export interface PublicationsDeps {
  readonly database: () => Database;
  readonly sessions: () => Sessions;
  readonly files: () => Files | undefined;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const COLUMNS = [
  "session_id",
  "public_id",
  "options",
  "password_hash",
  "view_count",
  "created_at",
  "updated_at",
  "expires_at",
] as const;

export function createPublications(deps: PublicationsDeps): Publications {
  const { database, sessions, files, clock } = deps;
  const tables = () => database().tables<SharingTables>();
  const views = createViewCounter(deps);
  const findOne = async (column: "session_id" | "public_id", value: string) => {
    const query = tables().selectFrom("publications").select(COLUMNS).where(column, "=", value);
    const row = await query.where("expires_at", ">", clock.now()).executeTakeFirst();
    return row && toStoredPublication(row, views.waiting(row.public_id));
  };
  const toRemoval = (sessionId: string): Write => ({
    query: tables().deleteFrom("publications").where("session_id", "=", sessionId),
  });
  return {
    async publish(idOrKey, { password, ...options }) {
      const session = await sessions().get(idOrKey);
      const before = await findOne("session_id", session.id);
      const snapshot = await createSnapshot(sessions(), session, options);
      const nowMs = clock.now();
      const passwordHash = password === undefined ? (before?.passwordHash ?? null) : password;
      const row = {
        session_id: session.id,
        public_id: before?.publicId ?? createPublicId(),
        options: JSON.stringify(options),
        snapshot: JSON.stringify(snapshot),
        password_hash: password ? await hashPassword(password) : passwordHash,
        view_count: before?.views ?? 0,
        created_at: before?.createdMs ?? nowMs,
        updated_at: nowMs,
        expires_at: nowMs + options.expires_days * DAY_MS,
      };
      const insert = { query: tables().insertInto("publications").values(row) };
      const keeps = files()?.keeps(listFiles(snapshot), session.id) ?? [];
      await sessions().published(session.id, row.expires_at, [toRemoval(session.id), insert, ...keeps]);
      views.forget(row.public_id);
      return toStoredPublication(row, 0);
    },
    async preview(idOrKey, options) {
      const { messages, ...shown } = await createSnapshot(sessions(), await sessions().get(idOrKey), options);
      return { ...shown, messages: messages.slice(0, MAX_PREVIEW_MESSAGES), message_count: messages.length };
    },
    async unpublish(idOrKey) {
      const session = await sessions().get(idOrKey);
      if (await findOne("session_id", session.id))
        await sessions().published(session.id, null, [toRemoval(session.id)]);
    },
    findBySession: async (idOrKey) => findOne("session_id", (await sessions().get(idOrKey)).id),
    find: async (publicId) => (isPublicId(publicId) ? findOne("public_id", publicId) : undefined),
    async readSnapshot(publicId) {
      const query = tables().selectFrom("publications").select("snapshot").where("public_id", "=", publicId);
      const row = await query.executeTakeFirst();
      if (!row) throw createNotPublicError();
      return row.snapshot;
    },
    countView: views.count,
    sessionPart: { id: "sharing.publication", of: "session", removed: async (id) => [toRemoval(id)] },
    [Symbol.asyncDispose]: views.flush,
  };
}

/** Creates the error for missing and removed publications, which is the same. */
export function createNotPublicError(): AppError {
  return sharingTexts.error("not_found", "nothing_here");
}

/** Creates an id of 128 random bits, which cannot be guessed. */
function createPublicId(): string {
  return `pub_${randomBytes(RANDOM_BYTES).toString("base64url")}`;
}

function isPublicId(text: string): boolean {
  return /^pub_[\w-]{22}$/.test(text);
}

function toStoredPublication(row: Omit<PublicationRow, "snapshot">, waiting: number): StoredPublication {
  return {
    sessionId: row.session_id,
    publicId: row.public_id,
    options: JSON.parse(row.options),
    passwordHash: row.password_hash,
    views: row.view_count + waiting,
    createdMs: Number(row.created_at),
    updatedMs: Number(row.updated_at),
    expiresMs: Number(row.expires_at),
  };
}

/** Counts readers in memory, so that frequent requests cause no writes. */
function createViewCounter({ database, onError }: Pick<PublicationsDeps, "database" | "onError">) {
  const counted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const writes = [...counted].map(([publicId, views]) => ({
      query: database()
        .tables<SharingTables>()
        .updateTable("publications")
        .set((set) => ({ view_count: set("view_count", "+", views) }))
        .where("public_id", "=", publicId),
    }));
    counted.clear();
    if (writes.length > 0) await database().write(writes);
  };
  return {
    flush,
    waiting: (publicId: string) => counted.get(publicId) ?? 0,
    forget: (publicId: string) => void counted.delete(publicId),
    count(publicId: string) {
      if (counted.size >= MAX_PENDING_PUBLICATIONS && !counted.has(publicId)) return;
      counted.set(publicId, (counted.get(publicId) ?? 0) + 1);
      timer ??= setTimeout(() => flush().catch(onError), FLUSH_MS).unref();
    },
  };
}
