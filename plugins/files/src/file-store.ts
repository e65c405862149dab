import { constants, createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type Clock,
  clampPage,
  contains,
  type Database,
  type FileDraft,
  type Files,
  isStoredUrl,
  type List,
  newId,
  notFound,
  type OpenFile,
  type Page,
  type Settings,
  type StoredFile,
  safeJoin,
  type Write,
} from "@parley/core";
import { contentTypeOf, namedByType } from "./content-type.ts";
import { cleanName, safeNameFor } from "./file-names.ts";
import { usedBy } from "./session-files.ts";
import { MAX_UPLOAD_MB } from "./settings.ts";
import type { SignedLinks } from "./signed-links.ts";
import type { FileRow, FileTables } from "./tables.ts";
import { diskProblem, MEBIBYTE, writeTo } from "./write-file.ts";

const STATIC = "/static/files/";
/** Between a file and its row lie moments: one that is older will get none. */
const ROWLESS_MS = 3_600_000;
const UNUSED_MS = 30 * 86_400_000;
/** A row's time of use is written at most so often. */
const USED_EVERY_MS = 86_400_000;
const STEP = 500;
/** Holds what is being written; no stored file can have this name. */
const UNFINISHED = "_meta";

export interface FileStoreParts {
  readonly folder: string;
  readonly database: () => Database;
  readonly settings: Pick<Settings, "get">;
  readonly clock: Clock;
  readonly links: SignedLinks;
  /** `https://host` without a slash at the end. */
  readonly origin: () => string;
}

export interface FileQuery extends Page {
  /** The beginning of the content type. */
  readonly kind?: "image" | "audio" | "video";
  readonly q?: string;
}

export interface ListedFile {
  readonly file_id: string;
  readonly filename: string;
  readonly url: string;
  readonly size: number;
  readonly mime_type: string;
  readonly created_at: string;
}

export interface FileStore extends Files {
  /** The newest first. */
  list(query: FileQuery): Promise<List<ListedFile>>;
  /** Addresses of the files of a session. */
  urlsOf(sessionId: string): Promise<readonly string[]>;
  /** Removes one that nothing carries yet. */
  discard(id: string): Promise<void>;
  /** Removes what a broken write left. */
  start(): Promise<void>;
  /** Removes files that a crash left without a row; gives how many. */
  sweep(): Promise<number>;
  /** Removes what nobody used for 30 days; gives how many. */
  prune(): Promise<number>;
}

export function createFileStore(parts: FileStoreParts): FileStore {
  const { folder, database, settings, clock, links, origin } = parts;
  const unfinished = join(folder, UNFINISHED);
  const tables = () => database().tables<FileTables>();
  const rowOf = async (idOrUrl: string): Promise<FileRow | undefined> => {
    const name = isStoredUrl(idOrUrl) ? safeNameIn(idOrUrl) : idOrUrl;
    return tables()
      .selectFrom("files")
      .selectAll()
      .where((row) => row.or([row("safe_name", "=", name), row("id", "=", name)]))
      .executeTakeFirst();
  };
  const used = async ({ id, used_ms }: FileRow) => {
    const now = clock.now();
    if (now - Number(used_ms) < USED_EVERY_MS) return;
    await database().write([{ query: tables().updateTable("files").set({ used_ms: now }).where("id", "=", id) }]);
  };
  const keeps = (urls: readonly string[], sessionId = ""): readonly Write[] => {
    const names = urls.filter(isStoredUrl).map(safeNameIn);
    if (names.length === 0) return [];
    const kept = tables().updateTable("files").set({ kept: 1 }).where("safe_name", "in", names).where("kept", "=", 0);
    const there = tables().selectFrom("files").select("safe_name").where("safe_name", "in", names);
    return [{ query: kept }, { query: usedBy(tables(), there, sessionId) }];
  };
  const write = async (
    content: Uint8Array | AsyncIterable<Uint8Array>,
    draft: FileDraft,
    signal: AbortSignal | undefined,
  ): Promise<FileRow> => {
    const most = Math.min(draft.maxBytes ?? Number.MAX_SAFE_INTEGER, settings.get(MAX_UPLOAD_MB) * MEBIBYTE);
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const path = safeJoin(unfinished, newId("part"));
    try {
      const handle = await open(path, "wx", 0o600);
      const { size, sha256, head } = await writeTo(handle, content, most, signal).finally(() => handle.close());
      const mime_type = contentTypeOf(head, draft.name);
      const safe_name = draft.safeName ?? safeNameFor(namedByType(draft.name, mime_type));
      await rename(path, safeJoin(folder, safe_name));
      const now = clock.now();
      const name = namedByType(cleanName(draft.name), mime_type);
      const id = draft.id ?? newId("file", now);
      return { id, safe_name, name, mime_type, size, sha256, kept: 0, used_ms: now, created_ms: now };
    } catch (error) {
      await rm(path, { force: true });
      throw diskProblem(error);
    }
  };

  return {
    async put(content, draft, signal) {
      const known = draft.id === undefined ? undefined : await rowOf(draft.id);
      if (known) return storedOf(known);
      const row = await write(content, draft, signal);
      try {
        await database().write([{ query: tables().insertInto("files").values(row), expect: 1 }]);
      } catch (error) {
        // Somebody else stored it under the same derived id in the meantime.
        const first = draft.id === undefined ? undefined : await rowOf(draft.id);
        if (first?.safe_name !== row.safe_name) await rm(safeJoin(folder, row.safe_name), { force: true });
        if (first) return storedOf(first);
        throw error;
      }
      return storedOf(row);
    },
    async find(idOrUrl) {
      const row = await rowOf(idOrUrl);
      return row && storedOf(row);
    },
    async open(idOrUrl) {
      const row = await rowOf(idOrUrl);
      if (!row) throw notFound("file", isStoredUrl(idOrUrl) ? safeNameIn(idOrUrl) : idOrUrl);
      await used(row);
      return opened(row, safeJoin(folder, row.safe_name));
    },
    async keep(urls, sessionId) {
      const writes = keeps(urls, sessionId);
      if (writes.length > 0) await database().write(writes);
    },
    keeps,
    async list({ kind, q, ...asked }) {
      const page = clampPage(asked);
      let rows = tables().selectFrom("files");
      if (kind !== undefined) rows = rows.where(contains("mime_type", `${kind}/`));
      if (q) rows = rows.where(contains("name", q));
      const [found, total] = await Promise.all([
        rows
          .selectAll()
          .orderBy("created_ms", "desc")
          .orderBy("id", "desc")
          .limit(page.limit)
          .offset(page.offset)
          .execute(),
        rows.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirst(),
      ]);
      return { items: found.map(listedOf), total: Number(total?.count ?? 0), ...page };
    },
    async urlsOf(sessionId) {
      const uses = tables().selectFrom("file_uses").select("safe_name").where("session_id", "=", sessionId);
      return (await uses.orderBy("safe_name").execute()).map(({ safe_name }) => urlOf(safe_name));
    },
    async remove(idOrUrl) {
      const row = await rowOf(idOrUrl);
      if (!row) return false;
      const uses = tables().deleteFrom("file_uses").where("safe_name", "=", row.safe_name);
      await database().write([{ query: tables().deleteFrom("files").where("id", "=", row.id) }, { query: uses }]);
      await rm(safeJoin(folder, row.safe_name), { force: true });
      return true;
    },
    async named(prefix) {
      const rows = await tables()
        .selectFrom("files")
        .selectAll()
        .where(contains("safe_name", prefix))
        .orderBy("safe_name")
        .execute();
      return rows
        .filter(({ safe_name }) => safe_name.startsWith(prefix))
        .map((row) => ({ ...storedOf(row), storedAt: Number(row.created_ms) }));
    },
    link: (url, seconds) => `${origin()}${url}${links.sign(url, seconds)}`,
    async discard(id) {
      const row = await rowOf(id);
      if (!row || row.kept === 1) return;
      await rm(safeJoin(folder, row.safe_name), { force: true });
      await database().write([{ query: tables().deleteFrom("files").where("id", "=", id) }]);
    },
    async start() {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      for (const name of await readdir(unfinished)) {
        if (name.startsWith("part_")) await rm(join(unfinished, name), { force: true });
      }
    },
    async sweep() {
      let removed = 0;
      const names = (await readdir(folder)).filter((name) => name !== UNFINISHED);
      for (let at = 0; at < names.length; at += STEP) {
        const some = names.slice(at, at + STEP);
        const rows = await tables().selectFrom("files").select("safe_name").where("safe_name", "in", some).execute();
        const known = new Set(rows.map(({ safe_name }) => safe_name));
        for (const name of some) {
          if (known.has(name)) continue;
          const found = await lstat(join(folder, name));
          if (!found.isFile() || clock.now() - found.mtimeMs < ROWLESS_MS) continue;
          await rm(join(folder, name), { force: true });
          removed += 1;
        }
      }
      return removed;
    },
    async prune() {
      let removed = 0;
      for (;;) {
        const rows = await tables()
          .selectFrom("files")
          .select(["id", "safe_name"])
          .where("kept", "=", 0)
          .where("used_ms", "<", clock.now() - UNUSED_MS)
          .limit(STEP)
          .execute();
        if (rows.length === 0) return removed;
        for (const { safe_name } of rows) await rm(safeJoin(folder, safe_name), { force: true });
        const ids = rows.map(({ id }) => id);
        await database().write([{ query: tables().deleteFrom("files").where("id", "in", ids) }]);
        removed += rows.length;
      }
    },
  };
}

async function opened(row: FileRow, path: string): Promise<OpenFile> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size !== Number(row.size)) throw notFound("file", row.safe_name);
  return {
    ...storedOf(row),
    // A link that somebody put in its place is not followed.
    stream: (range) =>
      createReadStream(path, { ...range, flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as never }),
    bytes: () => readFile(path, { flag: (constants.O_RDONLY | constants.O_NOFOLLOW) as never }),
  };
}

function storedOf({ id, name, safe_name, mime_type, size, sha256 }: FileRow): StoredFile {
  return {
    id,
    name,
    safeName: safe_name,
    url: urlOf(safe_name),
    mimeType: mime_type,
    size: Number(size),
    sha256,
  };
}

function listedOf({ id, name, safe_name, mime_type, size, created_ms }: FileRow): ListedFile {
  const created_at = new Date(Number(created_ms)).toISOString();
  return { file_id: id, filename: name, url: urlOf(safe_name), size: Number(size), mime_type, created_at };
}

function urlOf(safeName: string): string {
  return `${STATIC}${encodeURIComponent(safeName)}`;
}

function safeNameIn(url: string): string {
  try {
    return decodeURIComponent(url.slice(STATIC.length).split("?", 1)[0] ?? "");
  } catch {
    return "";
  }
}
