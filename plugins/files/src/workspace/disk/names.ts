import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { extname } from "node:path";
import { relativeParts, type WorkspaceArea, type WorkspaceMove } from "@parley/core";
import { filesTexts } from "../../texts.ts";
import { type Folder, toNameKey } from "./folders.ts";

/** Returns the folder name of a session: its id, or a digest if the id is unsafe or differs only in case. */
export function toFolderName(sessionId: string): string {
  return /^[a-z0-9][a-z0-9_-]{0,99}$/.test(sessionId) ? sessionId : `_${hash("sha256", sessionId, "hex")}`;
}

/** Returns the target folder and name of a move; throws `bad_request` for an invalid name. */
export function resolveDestination({ to, target, newName }: WorkspaceMove, source: readonly string[]) {
  const above = target === "" ? [] : relativeParts(target);
  const wanted = newName ?? source.at(-1) ?? "";
  if (wanted.includes("/")) throw filesTexts.error("bad_request", "name_only", {}, { field: "new_name" });
  const parts = relativeParts([...above, wanted].join("/"));
  return { to, above, wanted: parts.at(-1) ?? "" };
}

export function isSameArea(one: WorkspaceArea, other: WorkspaceArea): boolean {
  return one.scope === other.scope && one.sessionId === other.sessionId;
}

/** True when a path is the folder itself or below it. */
export function isSameOrBelow(path: readonly string[], folder: readonly string[]): boolean {
  return folder.every((part, at) => toNameKey(part) === toNameKey(path[at] ?? ""));
}

/** Returns the first free name of `name_1.ext`, `name_2.ext` and so on. */
export async function findFreeName(folder: Folder, name: string): Promise<string> {
  const taken = new Set((await readdir(folder.path)).map(toNameKey));
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let number = 1; ; number += 1) {
    const suffix = `_${number}${ending}`;
    let short = stem;
    while (short.length + suffix.length > 200 || Buffer.byteLength(short + suffix) > 255) short = short.slice(0, -1);
    const free = `${short.toWellFormed()}${suffix}`;
    if (!taken.has(toNameKey(free))) return free;
  }
}
