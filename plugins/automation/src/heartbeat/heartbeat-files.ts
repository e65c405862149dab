import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { checkRevision, contentRevision, entityTag, safeJoin } from "@parley/core";
import { automationTexts } from "../texts.ts";
import { CONTENT_FILE } from "./heartbeat-schema.ts";

export interface HeartbeatContent {
  readonly file: string;
  readonly content: string;
  readonly exists: boolean;
  /** Revision of the content, for `If-Match`. */
  readonly etag: string;
}

/** Reads and writes the texts of the heartbeat, which are files that people may also edit. */
export interface HeartbeatFiles {
  read(file: string): Promise<HeartbeatContent>;
  /** Removes temporary files of interrupted writes, when they are a minute old. */
  clean(): Promise<void>;
  /** Replaces the file as a whole; rejects with `conflict` when `ifMatch` does not name the current content. */
  write(
    file: string,
    content: string,
    ifMatch: number | undefined,
  ): Promise<{ file: string; size: number; etag: string }>;
}

/** Matches the names of temporary files that exist while a file is written. */
const TEMPORARY = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ABANDONED_AFTER_MS = 60_000;

export function createHeartbeatFiles(folder: string): HeartbeatFiles {
  let last: Promise<unknown> = Promise.resolve();
  const pathOf = (file: string) => {
    if (!CONTENT_FILE.test(file)) throw automationTexts.error("bad_request", "file_name", {}, { field: "file" });
    return safeJoin(folder, file);
  };
  const read = async (file: string): Promise<HeartbeatContent> => {
    try {
      const content = await readFile(pathOf(file), "utf8");
      return { file, content, exists: true, etag: entityTag(contentRevision(content)) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return { file, content: "", exists: false, etag: entityTag(contentRevision("")) };
    }
  };
  const clean = async () => {
    for (const name of existsSync(folder) ? await readdir(folder) : []) {
      const path = join(folder, name);
      const isAbandoned = TEMPORARY.test(name) && Date.now() - (await stat(path)).mtimeMs > ABANDONED_AFTER_MS;
      if (isAbandoned) await rm(path, { force: true });
    }
  };
  const replace = async (file: string, content: string, ifMatch: number | undefined) => {
    const path = pathOf(file);
    checkRevision({ revision: contentRevision((await read(file)).content) }, ifMatch);
    await mkdir(folder, { recursive: true });
    const temporary = `${path}.${randomUUID()}`;
    try {
      await using handle = await open(temporary, "wx");
      await handle.writeFile(content);
      await handle.sync();
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return { file, size: Buffer.byteLength(content), etag: entityTag(contentRevision(content)) };
  };
  return {
    read,
    clean,
    write(file, content, ifMatch) {
      // Writes are sequential, so that the content that is compared is also the one that is replaced.
      const result = last.then(() => replace(file, content, ifMatch));
      last = result.catch(() => undefined);
      return result;
    },
  };
}
