import { notFound, relativeParts, type WorkspaceArea } from "@parley/core";
import { fileFailure } from "../said-failures.ts";
import { descend, type Entry, type Folder, openEntry, realName } from "./folders.ts";
import { folderName } from "./names.ts";

/** An entry that is there, with the folder it is in; both are closed by whoever asks. */
export interface Located {
  readonly folder: Folder;
  readonly entry: Entry;
  /** As it is on disk. */
  readonly name: string;
  readonly parts: readonly string[];
}

/** Where workspaces lie on disk: the way from an area and a path to what is open. */
export interface Places {
  /** Undefined where there is none. */
  folderAt(area: WorkspaceArea, path: readonly string[]): Promise<Folder | undefined>;
  /** Makes what is not there; `conflict` where something else has the name. */
  folderMade(area: WorkspaceArea, path: readonly string[]): Promise<Folder>;
  /** `not_found` where there is nothing. */
  located(area: WorkspaceArea, path: string): Promise<Located>;
}

export function createPlaces(root: () => string): Places {
  const reached = (area: WorkspaceArea, path: readonly string[], isMade: boolean) => {
    const own = area.scope === "shared" ? ["shared"] : ["sessions", folderName(area.sessionId)];
    return descend(root(), [...own, ...path], isMade);
  };
  const folderAt: Places["folderAt"] = async (area, path) => reached(area, path, false);
  return {
    folderAt,
    async folderMade(area, path) {
      const folder = await reached(area, path, true);
      if (!folder) throw fileFailure("conflict", "no_folder", { path: path.join("/") }, { field: "path" });
      return folder;
    },
    async located(area, path) {
      const asked = relativeParts(path);
      const folder = await folderAt(area, asked.slice(0, -1));
      const name = folder && (await realName(folder, asked.at(-1) ?? ""));
      const entry = folder && name !== undefined ? await openEntry(folder, name) : undefined;
      if (!folder || !entry || name === undefined) {
        await folder?.[Symbol.asyncDispose]();
        throw notFound("file", path);
      }
      return { folder, entry, name, parts: [...asked.slice(0, -1), name] };
    },
  };
}
