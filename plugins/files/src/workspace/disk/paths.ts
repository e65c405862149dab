import { notFound, relativeParts, type WorkspaceArea } from "@parley/core";
import { filesTexts } from "../../texts.ts";
import { type Entry, type Folder, findNameOnDisk, openEntry, openPath } from "./folders.ts";
import { toFolderName } from "./names.ts";

/** An entry with its folder, both open; the caller must close both. */
export interface LocatedEntry {
  readonly folder: Folder;
  readonly entry: Entry;
  readonly name: string;
  readonly parts: readonly string[];
}

/** Opens folders and entries of workspaces on disk by area and path. */
export interface WorkspacePaths {
  /** Opens a folder; resolves to undefined when it is missing. */
  openFolder(area: WorkspaceArea, path: readonly string[]): Promise<Folder | undefined>;
  /** Opens a folder and creates missing parts; rejects with `conflict` when something else has the name. */
  openOrCreateFolder(area: WorkspaceArea, path: readonly string[]): Promise<Folder>;
  /** Opens an entry; rejects with `not_found` when it is missing. */
  locate(area: WorkspaceArea, path: string): Promise<LocatedEntry>;
}

export function createWorkspacePaths(root: () => string): WorkspacePaths {
  const openArea = (area: WorkspaceArea, path: readonly string[], isMade: boolean) => {
    const own = area.scope === "shared" ? ["shared"] : ["sessions", toFolderName(area.sessionId)];
    return openPath(root(), [...own, ...path], isMade);
  };
  const folderAt: WorkspacePaths["openFolder"] = async (area, path) => openArea(area, path, false);
  return {
    openFolder: folderAt,
    async openOrCreateFolder(area, path) {
      const folder = await openArea(area, path, true);
      if (!folder) throw filesTexts.error("conflict", "no_folder", { path: path.join("/") }, { field: "path" });
      return folder;
    },
    async locate(area, path) {
      const asked = relativeParts(path);
      const folder = await folderAt(area, asked.slice(0, -1));
      const name = folder && (await findNameOnDisk(folder, asked.at(-1) ?? ""));
      const entry = folder && name !== undefined ? await openEntry(folder, name) : undefined;
      if (!folder || !entry || name === undefined) {
        await folder?.[Symbol.asyncDispose]();
        throw notFound("file", path);
      }
      return { folder, entry, name, parts: [...asked.slice(0, -1), name] };
    },
  };
}
