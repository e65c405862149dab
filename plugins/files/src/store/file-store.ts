import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type BlobStore,
  type Clock,
  contains,
  type Database,
  type FileDraft,
  type Files,
  isStoredUrl,
  newId,
  notFound,
  type OpenFile,
  type Settings,
  type StoredFile,
  safeJoin,
  type Write,
} from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import { TEMP_FOLDER } from "../blobs/disk.ts";
import { MAX_UPLOAD_MB } from "../settings.ts";
import { detectContentType, withExtension } from "./content-type.ts";
import { createSafeName, sanitizeFileName } from "./file-names.ts";
import { createFileUpkeep, type FileUpkeep } from "./file-upkeep.ts";
import { addUsesQuery } from "./file-uses.ts";
import type { SignedLinks } from "./signed-links.ts";
import type { FileRow, FileTables } from "./tables.ts";
import { MEBIBYTE, toDiskError, writeContent } from "./write-file.ts";

const STATIC_PATH = "/static/files/";
/** Interval at which the time of use is written again. */
const TOUCH_INTERVAL_MS = 86_400_000;

export interface FileStoreDeps {
  /** Folder for incoming files until they are stored. */
  readonly folder: string;
  readonly blobs: () => BlobStore;
  readonly database: () => Database;
  readonly settings: Pick<Settings, "get">;
  readonly clock: Clock;
  readonly links: SignedLinks;
  /** Returns true when other nodes may write into the folder; false by default. */
  readonly isShared?: () => boolean;
  /** Returns the public origin, such as `https://host`, without a slash at the end. */
  readonly origin: () => string;
}

export interface FileQuery extends Page {
  /** Selects files by the beginning of their content type. */
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

export interface FileStore extends Files, Omit<FileUpkeep, "deleteBlob"> {
  /** Lists the files, newest first. */
  list(query: FileQuery): Promise<List<ListedFile>>;
  /** Returns the addresses of a session's files. */
  listUrls(sessionId: string): Promise<readonly string[]>;
  /** Removes a file that no message contains yet. */
  discard(id: string): Promise<void>;
}

export function createFileStore(deps: FileStoreDeps): FileStore {
  const { folder, blobs, database, settings, clock, links, origin, isShared = () => false } = deps;
  const tempFolder = join(folder, TEMP_FOLDER);
  const tables = () => database().tables<FileTables>();
  const findRow = async (idOrUrl: string): Promise<FileRow | undefined> => {
    const name = isStoredUrl(idOrUrl) ? readSafeName(idOrUrl) : idOrUrl;
    return tables()
      .selectFrom("files")
      .selectAll()
      .where((row) => row.or([row("safe_name", "=", name), row("id", "=", name)]))
      .executeTakeFirst();
  };
  const touch = async ({ id, used_ms }: FileRow) => {
    const now = clock.now();
    if (now - Number(used_ms) < TOUCH_INTERVAL_MS) return;
    await database().write([{ query: tables().updateTable("files").set({ used_ms: now }).where("id", "=", id) }]);
  };
  const keeps = (urls: readonly string[], sessionId = ""): readonly Write[] => {
    const names = urls.filter(isStoredUrl).map(readSafeName);
    if (names.length === 0) return [];
    const retainFiles = tables()
      .updateTable("files")
      .set({ kept: 1 })
      .where("safe_name", "in", names)
      .where("kept", "=", 0);
    const there = tables().selectFrom("files").select("safe_name").where("safe_name", "in", names);
    return [{ query: retainFiles }, { query: addUsesQuery(tables(), there, sessionId) }];
  };
  const write = async (
    content: Uint8Array | AsyncIterable<Uint8Array>,
    draft: FileDraft,
    signal: AbortSignal | undefined,
  ): Promise<FileRow> => {
    const most = Math.min(draft.maxBytes ?? Number.MAX_SAFE_INTEGER, settings.get(MAX_UPLOAD_MB) * MEBIBYTE);
    await mkdir(tempFolder, { recursive: true, mode: 0o700 });
    const path = safeJoin(tempFolder, newId("part"));
    try {
      const handle = await open(path, "wx", 0o600);
      const { size, sha256, head } = await writeContent(handle, content, most, signal).finally(() => handle.close());
      const mime_type = detectContentType(head, draft.name);
      const safe_name = draft.safeName ?? createSafeName(withExtension(draft.name, mime_type));
      await blobs().put(safe_name, { path, size, sha256, mimeType: mime_type }, signal);
      const now = clock.now();
      const name = withExtension(sanitizeFileName(draft.name), mime_type);
      const id = draft.id ?? newId("file", now);
      return { id, safe_name, name, mime_type, size, sha256, kept: 0, used_ms: now, created_ms: now };
    } catch (error) {
      throw toDiskError(error);
    } finally {
      await rm(path, { force: true });
    }
  };
  const { deleteBlob, ...upkeep } = createFileUpkeep({ blobs, database, clock, tempFolder, isShared });

  return {
    async put(content, draft, signal) {
      const known = draft.id === undefined ? undefined : await findRow(draft.id);
      if (known) return toStoredFile(known);
      const row = await write(content, draft, signal);
      try {
        await database().write([{ query: tables().insertInto("files").values(row), expect: 1 }]);
      } catch (error) {
        // Another caller may have stored a file with the same derived id in the meantime.
        const first = draft.id === undefined ? undefined : await findRow(draft.id);
        if (first?.safe_name !== row.safe_name) await deleteBlob(row.safe_name);
        if (first) return toStoredFile(first);
        throw error;
      }
      return toStoredFile(row);
    },
    async find(idOrUrl) {
      const row = await findRow(idOrUrl);
      return row && toStoredFile(row);
    },
    async open(idOrUrl) {
      const row = await findRow(idOrUrl);
      if (!row) throw notFound("file", isStoredUrl(idOrUrl) ? readSafeName(idOrUrl) : idOrUrl);
      await touch(row);
      return openBlob(row, blobs());
    },
    async keep(urls, sessionId) {
      const writes = keeps(urls, sessionId);
      if (writes.length > 0) await database().write(writes);
    },
    keeps,
    async list({ kind, q, ...asked }) {
      let rows = tables().selectFrom("files");
      if (kind !== undefined) rows = rows.where(contains("mime_type", `${kind}/`));
      if (q) rows = rows.where(contains("name", q));
      const page = await readPage(rows, asked, (all) =>
        all.selectAll().orderBy("created_ms", "desc").orderBy("id", "desc"),
      );
      return mapItems(page, toListedFile);
    },
    async listUrls(sessionId) {
      const uses = tables().selectFrom("file_uses").select("safe_name").where("session_id", "=", sessionId);
      return (await uses.orderBy("safe_name").execute()).map(({ safe_name }) => toUrl(safe_name));
    },
    async remove(idOrUrl) {
      const row = await findRow(idOrUrl);
      if (!row) return false;
      const uses = tables().deleteFrom("file_uses").where("safe_name", "=", row.safe_name);
      await database().write([{ query: tables().deleteFrom("files").where("id", "=", row.id) }, { query: uses }]);
      await deleteBlob(row.safe_name);
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
        .map((row) => ({ ...toStoredFile(row), storedAt: Number(row.created_ms) }));
    },
    link: (url, seconds) => `${origin()}${url}${links.sign(url, seconds)}`,
    async discard(id) {
      const row = await findRow(id);
      if (!row) return;
      const gone = tables().deleteFrom("files").where("id", "=", id).where("kept", "=", 0);
      const [removed] = await database().write([{ query: gone }]);
      if (removed?.changes === 1) await deleteBlob(row.safe_name);
    },
    ...upkeep,
  };
}

async function openBlob(row: FileRow, blobs: BlobStore): Promise<OpenFile> {
  const { safe_name } = row;
  const found = await blobs.find(safe_name);
  if (found?.size !== Number(row.size)) throw notFound("file", safe_name);
  return {
    ...toStoredFile(row),
    stream: (range) => blobs.read(safe_name, range),
    bytes: async () => Buffer.concat(await blobs.read(safe_name).toArray()),
  };
}

function toStoredFile({ id, name, safe_name, mime_type, size, sha256 }: FileRow): StoredFile {
  return {
    id,
    name,
    safeName: safe_name,
    url: toUrl(safe_name),
    mimeType: mime_type,
    size: Number(size),
    sha256,
  };
}

function toListedFile({ id, name, safe_name, mime_type, size, created_ms }: FileRow): ListedFile {
  const created_at = new Date(Number(created_ms)).toISOString();
  return { file_id: id, filename: name, url: toUrl(safe_name), size: Number(size), mime_type, created_at };
}

function toUrl(safeName: string): string {
  return `${STATIC_PATH}${encodeURIComponent(safeName)}`;
}

function readSafeName(url: string): string {
  try {
    return decodeURIComponent(url.slice(STATIC_PATH.length).split("?", 1)[0] ?? "");
  } catch {
    return "";
  }
}
