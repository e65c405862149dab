import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import {
  type AppError,
  notFound,
  relativeParts,
  type WorkspaceArea,
  type WorkspaceDoer,
  type WorkspaceItem,
  type WorkspaceMove,
  type Workspaces,
  type WorkspaceWrite,
} from "@parley/core";
import { filesTexts } from "../texts.ts";
import { type Folder, findNameOnDisk, openEntry, openFolder } from "./disk/folders.ts";
import { checkRevision, type FolderSize, measureEntry, readItem, toItem } from "./disk/items.ts";
import { findFreeName, isSameArea, isSameOrBelow, resolveDestination } from "./disk/names.ts";
import type { ReceivedFile, WorkspaceAction, WorkspaceDeps, WorkspacesState } from "./workspace-state.ts";

interface PlaceOptions {
  readonly area: WorkspaceArea;
  readonly path: string;
  readonly received: ReceivedFile;
  readonly options: WorkspaceWrite | undefined;
}

/** Moves a received file into a workspace. */
export async function placeFile(
  { quota, paths, deps }: WorkspacesState,
  { area, path, received, options: { clash = "rename", ifMatch, by } = {} }: PlaceOptions,
): Promise<WorkspaceItem> {
  const { above, name: wanted } = splitPath(path);
  await quota.checkRoom(area, { bytes: received.size });
  await using folder = await paths.openOrCreateFolder(area, above);
  const existingName = await findNameOnDisk(folder, wanted);
  await using old = existingName === undefined ? undefined : await openEntry(folder, existingName);
  checkRevision(ifMatch, old);
  const isReplaced = existingName !== undefined && (clash === "replace" || ifMatch !== undefined);
  if (isReplaced && !old?.stats.isFile()) throw createAlreadyExistsError(path);
  if (existingName !== undefined && clash === "refuse") throw createAlreadyExistsError(path);
  if (!isReplaced) await quota.checkRoom(area, { files: 1, bytes: received.size });
  const name = isReplaced ? existingName : existingName === undefined ? wanted : await findFreeName(folder, wanted);
  await rename(received.path, join(folder.path, name));
  quota.add(area, { files: isReplaced ? 0 : 1, bytes: received.size - Number(isReplaced ? old?.stats.size : 0) });
  return reportItem(deps, await readItem(area, folder, [...above, name]), path, isReplaced ? "edit" : "upload", by);
}

function splitPath(path: string): { readonly above: readonly string[]; readonly name: string } {
  const asked = relativeParts(path);
  return { above: asked.slice(0, -1), name: asked.at(-1) ?? "" };
}

/** Reports a changed item and returns it; throws `not_found` when it is gone again. */
function reportItem(
  { onChange }: WorkspaceDeps,
  item: WorkspaceItem | undefined,
  path: string,
  action: WorkspaceAction,
  by?: WorkspaceDoer,
): WorkspaceItem {
  if (!item) throw notFound("file", path);
  onChange(item, action, by);
  return item;
}

export async function makeFolder(
  { quota, paths, deps }: WorkspacesState,
  area: WorkspaceArea,
  path: string,
): Promise<WorkspaceItem> {
  const { above, name } = splitPath(path);
  await quota.checkRoom(area, { folders: above.length + 1 });
  await using folder = await paths.openOrCreateFolder(area, above);
  if ((await findNameOnDisk(folder, name)) !== undefined) throw createAlreadyExistsError(path);
  await mkdir(join(folder.path, name), { mode: 0o700 });
  quota.invalidate(area);
  return reportItem(deps, await readItem(area, folder, [...above, name]), path, "upload");
}

export async function moveEntry(
  state: WorkspacesState,
  area: WorkspaceArea,
  path: string,
  how: WorkspaceMove,
): Promise<WorkspaceItem> {
  const { quota, paths, limits, deps } = state;
  const { folder: from, entry, name, parts: source } = await paths.locate(area, path);
  await using _from = from;
  await using _entry = entry;
  checkRevision(how.ifMatch, entry);
  const { to, above, wanted } = resolveDestination(how, source);
  const isSame = isSameArea(area, to);
  if (isSame && entry.stats.isDirectory() && isSameOrBelow(above, source)) {
    throw filesTexts.error("conflict", "into_itself", {}, { field: "target" });
  }
  await using target = above.length === 0 ? await paths.openOrCreateFolder(to, []) : await paths.openFolder(to, above);
  if (!target) throw notFound("folder", above.join("/"));
  const existingName = await findNameOnDisk(target, wanted);
  await using old = existingName === undefined ? undefined : await openEntry(target, existingName);
  const item = await toItem(area, source, entry);
  const isItself = old !== undefined && old.stats.ino === entry.stats.ino && old.stats.dev === entry.stats.dev;
  if (isItself && existingName === wanted) return item;
  const measure = await measureEntry(from, name, item);
  if (above.length + Math.max(1, measure.depth) > limits.depth) {
    throw filesTexts.error("bad_request", "too_deep", {}, { field: "target" });
  }
  if (!isSame) await quota.checkRoom(to, measure);
  if (existingName !== undefined && !isItself) {
    const isReplaceable = how.overwrite && old?.stats.isDirectory() === entry.stats.isDirectory();
    if (!old || !isReplaceable) throw createAlreadyExistsError([...above, wanted].join("/"));
    await discard(state, to, target, await toItem(to, [...above, existingName], old), existingName);
  }
  await rename(join(from.path, name), join(target.path, wanted));
  if (!isSame) {
    quota.add(area, negate(measure));
    quota.add(to, measure);
  }
  return reportItem(deps, await readItem(to, target, [...above, wanted]), path, "move");
}

export async function removeEntry(
  state: WorkspacesState,
  area: WorkspaceArea,
  path: string,
  { recursive = false, ifMatch, by }: NonNullable<Parameters<Workspaces["remove"]>[2]> = {},
): Promise<number> {
  const { folder, entry, name, parts } = await state.paths.locate(area, path);
  await using _folder = folder;
  await using _entry = entry;
  checkRevision(ifMatch, entry);
  const item = await toItem(area, parts, entry);
  if (entry.stats.isDirectory() && !recursive) {
    await using inner = await openFolder(join(folder.path, name));
    if (inner && (await readdir(inner.path)).length > 0) {
      throw filesTexts.error("conflict", "not_empty", { path }, { field: "path" });
    }
  }
  const { files, folders } = await discard(state, area, folder, item, name);
  state.deps.onChange(item, "delete", by);
  return files + folders;
}

/** Moves an entry to the trash; returns what it contained. */
async function discard(
  { trash, quota }: WorkspacesState,
  area: WorkspaceArea,
  folder: Folder,
  item: WorkspaceItem,
  name: string,
): Promise<FolderSize> {
  const measure = await measureEntry(folder, name, item);
  const { path, type, scope, session_id } = item;
  await trash.put(folder, name, { name: item.name, path, type, size: measure.bytes, scope, session_id });
  quota.add(area, negate(measure));
  return measure;
}

function negate({ files, folders, bytes }: FolderSize) {
  return { files: -files, folders: -folders, bytes: -bytes };
}

export function restoreItem(
  { trash, quota, paths, deps }: WorkspacesState,
  trashId: string,
  check: (sessionId: string) => Promise<void>,
): Promise<WorkspaceItem> {
  return trash.restore(trashId, async (from, { path, scope, session_id, size }) => {
    const area: WorkspaceArea = session_id === null ? { scope: "shared" } : { scope: "private", sessionId: session_id };
    if (area.scope !== scope) throw notFound("deleted file", trashId);
    if (session_id !== null) await check(session_id);
    await quota.checkRoom(area, { bytes: size, files: 1 });
    const { above, name: wanted } = splitPath(path);
    await using folder = await paths.openOrCreateFolder(area, above);
    const isTaken = (await findNameOnDisk(folder, wanted)) !== undefined;
    const name = isTaken ? await findFreeName(folder, wanted) : wanted;
    await rename(from, join(folder.path, name));
    quota.invalidate(area);
    return reportItem(deps, await readItem(area, folder, [...above, name]), path, "upload");
  });
}

function createAlreadyExistsError(path: string): AppError {
  return filesTexts.error("conflict", "exists", { path });
}
