import {
  AppError,
  derivedId,
  type Files,
  notFound,
  relativeParts,
  type WorkspaceItem,
  type Workspaces,
  workspaceFileOf,
  workspaceFileUrl,
} from "@parley/core";
import { toPage } from "@parley/core/http";
import { filesTexts } from "../texts.ts";
import { toNameKey } from "./disk/folders.ts";
import { listEntries, readItem, sortEntries, toItem } from "./disk/items.ts";
import { toOpenFile } from "./disk/open-file.ts";
import type { WorkspacePaths } from "./disk/paths.ts";

const CONCURRENCY = 16;

export interface ReaderDeps {
  readonly paths: WorkspacePaths;
  readonly files: () => Pick<Files, "put">;
}

/** Creates the read operations of workspaces. */
export function createReader({
  paths: { openFolder, locate },
  files,
}: ReaderDeps): Pick<Workspaces, "list" | "find" | "open" | "copyOf"> {
  return {
    async list(area, { path = "", recursive = false, q = "", ...asked }) {
      const above = path === "" ? [] : relativeParts(path);
      await using folder = await openFolder(area, above);
      if (!folder && above.length > 0) throw notFound("folder", path);
      const found = folder ? await listEntries(folder, above, recursive) : [];
      const key = toNameKey(q);
      const matching = sortEntries(
        key === "" ? found : found.filter(({ parts }) => toNameKey(parts.at(-1) ?? "").includes(key)),
      );
      const { items: shown, ...page } = toPage(matching, asked);
      const items: (WorkspaceItem | undefined)[] = [];
      for (let at = 0; at < shown.length; at += CONCURRENCY) {
        const some = shown.slice(at, at + CONCURRENCY).map(async ({ parts }) => {
          if (folder && parts.length === above.length + 1) return readItem(area, folder, parts);
          await using inner = await openFolder(area, parts.slice(0, -1));
          return inner && (await readItem(area, inner, parts));
        });
        items.push(...(await Promise.all(some)));
      }
      return { items: items.filter((item) => item !== undefined), ...page };
    },

    async find(area, path) {
      try {
        const { folder, entry, parts: found } = await locate(area, path);
        await using _folder = folder;
        await using _entry = entry;
        return await toItem(area, found, entry);
      } catch (error) {
        if (AppError.is(error) && error.code === "not_found") return undefined;
        throw error;
      }
    },

    async open(area, path) {
      const { folder, entry, parts: found } = await locate(area, path);
      await using _folder = folder;
      try {
        if (entry.stats.isDirectory()) throw filesTexts.error("bad_request", "is_folder", { path }, { field: "path" });
        const item = await toItem(area, found, entry);
        return toOpenFile(item, workspaceFileUrl(area, item.path), entry.handle);
      } catch (error) {
        await entry[Symbol.asyncDispose]();
        throw error;
      }
    },

    async copyOf(url, sessionId) {
      const { area, path } = workspaceFileOf(url) ?? {};
      if (!area || path === undefined || (area.scope === "private" && area.sessionId !== sessionId)) {
        throw filesTexts.error("bad_request", "not_of_session", { url });
      }
      const found = await locate(area, path).catch((error) => {
        throw AppError.is(error) ? filesTexts.error("bad_request", "no_file", { url }, { cause: error }) : error;
      });
      await using _folder = found.folder;
      await using entry = found.entry;
      const { type, name, etag } = await toItem(area, found.parts, entry);
      if (type !== "file") throw filesTexts.error("bad_request", "is_folder", { path: url });
      const content = entry.handle.createReadStream({ start: 0, autoClose: false });
      return await files().put(content, { name, id: derivedId("file", url, etag) });
    },
  };
}
