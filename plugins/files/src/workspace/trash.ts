import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Joi from "@hapi/joi";
import { type Clock, newId, notFound } from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { MEBIBYTE } from "../store/write-file.ts";
import type { Folder } from "./disk/folders.ts";

const RETENTION_MS = 7 * 86_400_000;
/** Maximum size of the trash; when it is exceeded, the oldest items are deleted. */
const MAX_BYTES = 2_048 * MEBIBYTE;
const METADATA_FILE = "about.json";
const CONTENT_NAME = "content";
/** Matches the id of an item, which contains its size so that sums need no reads. */
const TRASH_ID = /^trash_[0-9a-z]{20}-(\d{1,16})$/;

/** An item that was deleted from a workspace. Its fields have the names of the API. */
export interface TrashItem {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly type: "file" | "directory";
  /** Total size of the item in bytes. */
  readonly size: number;
  readonly scope: "private" | "shared";
  readonly session_id: string | null;
  readonly deleted_at: string;
  readonly expires_at: string;
}

export type DiscardedItem = Pick<TrashItem, "name" | "path" | "type" | "size" | "scope" | "session_id">;

/** Holds the items that were deleted in the last seven days. */
export interface Trash {
  start(): Promise<void>;
  put(folder: Folder, name: string, what: DiscardedItem): Promise<void>;
  /** Lists the items, newest first. */
  list(page: Page): Promise<List<TrashItem>>;
  /** Moves an item out of the trash; `place` gets its path on disk. */
  restore<Result>(id: string, place: (from: string, what: TrashItem) => Promise<Result>): Promise<Result>;
  /** Deletes an item permanently. */
  purge(id: string): Promise<void>;
  /** Deletes items older than a week and returns their number. */
  removeExpired(): Promise<number>;
}

const metadataSchema = Joi.object<Omit<TrashItem, "id">>({
  name: Joi.string().required(),
  path: Joi.string().required(),
  type: Joi.valid("file", "directory").required(),
  size: Joi.number().required(),
  scope: Joi.valid("private", "shared").required(),
  session_id: Joi.string().allow(null).required(),
  deleted_at: Joi.string().isoDate().required(),
  expires_at: Joi.string().isoDate().required(),
});

export function createTrash(root: string, clock: Clock): Trash {
  const ids = async () => (await readdir(root)).filter((name) => TRASH_ID.test(name)).sort();
  const readMetadata = async (id: string): Promise<TrashItem | undefined> => {
    try {
      const { value, error } = metadataSchema.validate(
        JSON.parse(await readFile(join(root, id, METADATA_FILE), "utf8")),
      );
      return error ? undefined : { id, ...value };
    } catch (error) {
      // The process ended while this item was moved, so there is no content.
      if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
  const getMetadata = async (id: string): Promise<TrashItem> => {
    const found = TRASH_ID.test(id) ? await readMetadata(id) : undefined;
    if (!found) throw notFound("deleted file", id);
    return found;
  };
  const purge = (id: string) => rm(join(root, id), { recursive: true, force: true });
  const makeRoom = async () => {
    let left = MAX_BYTES;
    for (const id of (await ids()).reverse()) {
      left -= Number(TRASH_ID.exec(id)?.[1]);
      if (left < 0) await purge(id);
    }
  };
  return {
    async start() {
      await mkdir(root, { recursive: true, mode: 0o700 });
    },
    async put(folder, name, what) {
      const now = clock.now();
      const id = `${newId("trash", now)}-${what.size}`;
      const times = { deleted_at: toIsoTime(now), expires_at: toIsoTime(now + RETENTION_MS) };
      await mkdir(join(root, id), { mode: 0o700 });
      try {
        await writeFile(join(root, id, METADATA_FILE), JSON.stringify({ ...what, ...times }), { mode: 0o600 });
        await rename(join(folder.path, name), join(root, id, CONTENT_NAME));
      } catch (error) {
        await purge(id);
        throw error;
      }
      await makeRoom();
    },
    async list(asked) {
      const { items, ...page } = toPage((await ids()).reverse(), asked);
      const found = await Promise.all(items.map(readMetadata));
      return { items: found.filter((one) => one !== undefined), ...page };
    },
    async restore(id, place) {
      const what = await getMetadata(id);
      const result = await place(join(root, id, CONTENT_NAME), what);
      await purge(id);
      return result;
    },
    purge: async (id) => purge((await getMetadata(id)).id),
    async removeExpired() {
      let removed = 0;
      for (const id of await ids()) {
        const what = await readMetadata(id);
        if (what && Date.parse(what.expires_at) > clock.now()) continue;
        await purge(id);
        removed += 1;
      }
      return removed;
    },
  };
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
