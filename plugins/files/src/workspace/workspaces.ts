import { mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type AppError,
  type Clock,
  type Files,
  newId,
  notFound,
  relativeParts,
  type WorkspaceArea,
  type WorkspaceDoer,
  type WorkspaceItem,
  type Workspaces,
  type WorkspaceWrite,
} from "@parley/core";
import { toDiskError, writeContent } from "../store/write-file.ts";
import { filesTexts } from "../texts.ts";
import { type Folder, findNameOnDisk, openEntry, openFolder } from "./disk/folders.ts";
import { checkRevision, type FolderSize, measureEntry, readItem, toItem } from "./disk/items.ts";
import { runMonitored } from "./disk/monitored-work.ts";
import { findFreeName, isSameArea, isSameOrBelow, resolveDestination, toFolderName } from "./disk/names.ts";
import { createWorkspacePaths } from "./disk/paths.ts";
import { createQuota, WORKSPACE_LIMITS, type WorkspaceLimits } from "./disk/quota.ts";
import { createReader } from "./reader.ts";
import { createTrash, type Trash } from "./trash.ts";

/** Maximum number of changes reported for one program. */
const MAX_REPORTED_CHANGES = 200;
const TEMP_FOLDER = "_meta";

export type WorkspaceAction = "upload" | "move" | "delete" | "edit";

export interface WorkspaceDeps {
  /** Root folder of the workspaces, which may be a link that the operator created. */
  readonly root: string;
  readonly maxFileBytes: () => number;
  readonly clock: Clock;
  readonly files: () => Pick<Files, "put">;
  /** Called after every change. */
  readonly onChange: (item: WorkspaceItem, action: WorkspaceAction, by?: WorkspaceDoer) => void;
  readonly limits?: WorkspaceLimits;
  /** Runs work that only one process may do at a time; absent when there is a single process. */
  readonly runExclusively?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Content that was received and has no name yet. */
export interface ReceivedFile extends AsyncDisposable {
  readonly path: string;
  readonly size: number;
}

export interface WorkspaceStore extends Workspaces {
  readonly trash: Pick<Trash, "list" | "purge" | "removeExpired">;
  /** Creates the folders and removes files of interrupted writes. */
  start(): Promise<void>;
  /** Receives content. `place` gives it a name; disposal discards it. */
  receive(content: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<ReceivedFile>;
  place(area: WorkspaceArea, path: string, received: ReceivedFile, options?: WorkspaceWrite): Promise<WorkspaceItem>;
  /** Restores an item to its old place, under another name if taken; `check` throws when its session is gone. */
  restore(trashId: string, check: (sessionId: string) => Promise<void>): Promise<WorkspaceItem>;
  /** Runs a program in the workspace itself; `path` is absolute. It is aborted when the workspace is full; its changes are reported when it ends. */
  work<Result>(
    area: WorkspaceArea,
    options: { readonly signal: AbortSignal; readonly by?: WorkspaceDoer | undefined },
    run: (path: string, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  /** Removes the workspace of a session that no longer exists. */
  removeSession(sessionId: string): Promise<void>;
  /** Returns the folder names of sessions: their ids, or digests where an id cannot be a name. */
  sessionFolders(): Promise<readonly string[]>;
}

export function createWorkspaceStore(deps: WorkspaceDeps): WorkspaceStore {
  const { clock, onChange, maxFileBytes, limits = WORKSPACE_LIMITS } = deps;
  // The real path of the root. Only above it links are followed.
  let root = deps.root;
  const trash = createTrash(join(deps.root, TEMP_FOLDER, "trash"), clock);
  const exclusively = createSerialQueue(deps.runExclusively);

  const places = createWorkspacePaths(() => root);
  const { openFolder: folderAt, openOrCreateFolder, locate } = places;
  const { checkRoom, add: counted, invalidate: forgotten } = createQuota(limits, clock, (area) => folderAt(area, []));

  const discard = async (
    area: WorkspaceArea,
    folder: Folder,
    item: WorkspaceItem,
    name: string,
  ): Promise<FolderSize> => {
    const measure = await measureEntry(folder, name, item);
    const { path, type, scope, session_id } = item;
    await trash.put(folder, name, { name: item.name, path, type, size: measure.bytes, scope, session_id });
    counted(area, { files: -measure.files, folders: -measure.folders, bytes: -measure.bytes });
    return measure;
  };

  const receive: WorkspaceStore["receive"] = async (content, signal) => {
    const path = join(root, TEMP_FOLDER, "parts", newId("part"));
    const remove = () => rm(path, { force: true });
    try {
      const handle = await open(path, "wx", 0o600);
      const { size } = await writeContent(handle, content, maxFileBytes(), signal).finally(() => handle.close());
      return { path, size, [Symbol.asyncDispose]: remove };
    } catch (error) {
      await remove();
      throw toDiskError(error);
    }
  };

  const place: WorkspaceStore["place"] = (area, path, received, { clash = "rename", ifMatch, by } = {}) =>
    exclusively(async () => {
      const asked = relativeParts(path);
      const [above, wanted] = [asked.slice(0, -1), asked.at(-1) ?? ""];
      await checkRoom(area, { bytes: received.size });
      await using folder = await openOrCreateFolder(area, above);
      const there = await findNameOnDisk(folder, wanted);
      await using old = there === undefined ? undefined : await openEntry(folder, there);
      checkRevision(ifMatch, old);
      const isReplaced = there !== undefined && (clash === "replace" || ifMatch !== undefined);
      if (isReplaced && !old?.stats.isFile()) throw createAlreadyExistsError(path);
      if (there !== undefined && clash === "refuse") throw createAlreadyExistsError(path);
      if (!isReplaced) await checkRoom(area, { files: 1, bytes: received.size });
      const name = isReplaced ? there : there === undefined ? wanted : await findFreeName(folder, wanted);
      await rename(received.path, join(folder.path, name));
      counted(area, { files: isReplaced ? 0 : 1, bytes: received.size - Number(isReplaced ? old?.stats.size : 0) });
      return notify(await readItem(area, folder, [...above, name]), path, isReplaced ? "edit" : "upload", by);
    });

  const notify = (item: WorkspaceItem | undefined, path: string, action: WorkspaceAction, by?: WorkspaceDoer) => {
    if (!item) throw notFound("file", path);
    onChange(item, action, by);
    return item;
  };

  return {
    ...createReader({ paths: places, files: deps.files }),
    trash,
    receive,
    place,
    async start() {
      for (const name of ["shared", "sessions", join(TEMP_FOLDER, "parts")]) {
        await mkdir(join(deps.root, name), { recursive: true, mode: 0o700 });
      }
      root = await realpath(deps.root);
      await trash.start();
      const unfinished = join(root, TEMP_FOLDER, "parts");
      for (const name of await readdir(unfinished)) await rm(join(unfinished, name), { force: true });
    },

    async write(area, path, content, options = {}) {
      relativeParts(path);
      await checkRoom(area, {});
      await using received = await receive(content, options.signal);
      return await place(area, path, received, options);
    },

    makeFolder: (area, path) =>
      exclusively(async () => {
        const asked = relativeParts(path);
        const [above, name] = [asked.slice(0, -1), asked.at(-1) ?? ""];
        await checkRoom(area, { folders: asked.length });
        await using folder = await openOrCreateFolder(area, above);
        if ((await findNameOnDisk(folder, name)) !== undefined) throw createAlreadyExistsError(path);
        await mkdir(join(folder.path, name), { mode: 0o700 });
        forgotten(area);
        return notify(await readItem(area, folder, asked), path, "upload");
      }),

    move: (area, path, how) =>
      exclusively(async () => {
        const { folder: from, entry, name, parts: source } = await locate(area, path);
        await using _from = from;
        await using _entry = entry;
        checkRevision(how.ifMatch, entry);
        const { to, above, wanted } = resolveDestination(how, source);
        const isSame = isSameArea(area, to);
        if (isSame && entry.stats.isDirectory() && isSameOrBelow(above, source)) {
          throw filesTexts.error("conflict", "into_itself", {}, { field: "target" });
        }
        await using target = above.length === 0 ? await openOrCreateFolder(to, []) : await folderAt(to, above);
        if (!target) throw notFound("folder", above.join("/"));
        const there = await findNameOnDisk(target, wanted);
        await using old = there === undefined ? undefined : await openEntry(target, there);
        const item = await toItem(area, source, entry);
        const isItself = old !== undefined && old.stats.ino === entry.stats.ino && old.stats.dev === entry.stats.dev;
        if (isItself && there === wanted) return item;
        const measure = await measureEntry(from, name, item);
        if (above.length + Math.max(1, measure.depth) > limits.depth) {
          throw filesTexts.error("bad_request", "too_deep", {}, { field: "target" });
        }
        if (!isSame) await checkRoom(to, measure);
        if (there !== undefined && !isItself) {
          if (!how.overwrite || !old || old.stats.isDirectory() !== entry.stats.isDirectory()) {
            throw createAlreadyExistsError([...above, wanted].join("/"));
          }
          await discard(to, target, await toItem(to, [...above, there], old), there);
        }
        await rename(join(from.path, name), join(target.path, wanted));
        if (!isSame) {
          counted(area, { files: -measure.files, folders: -measure.folders, bytes: -measure.bytes });
          counted(to, measure);
        }
        return notify(await readItem(to, target, [...above, wanted]), path, "move");
      }),

    remove: (area, path, { recursive = false, ifMatch, by } = {}) =>
      exclusively(async () => {
        const { folder, entry, name, parts: found } = await locate(area, path);
        await using _folder = folder;
        await using _entry = entry;
        checkRevision(ifMatch, entry);
        const item = await toItem(area, found, entry);
        if (entry.stats.isDirectory() && !recursive) {
          await using inner = await openFolder(join(folder.path, name));
          if (inner && (await readdir(inner.path)).length > 0) {
            throw filesTexts.error("conflict", "not_empty", { path }, { field: "path" });
          }
        }
        const { files, folders } = await discard(area, folder, item, name);
        onChange(item, "delete", by);
        return files + folders;
      }),

    restore: (trashId, check) =>
      exclusively(() =>
        trash.restore(trashId, async (from, { path, scope, session_id, size }) => {
          const area: WorkspaceArea =
            session_id === null ? { scope: "shared" } : { scope: "private", sessionId: session_id };
          if (area.scope !== scope) throw notFound("deleted file", trashId);
          if (session_id !== null) await check(session_id);
          await checkRoom(area, { bytes: size, files: 1 });
          const asked = relativeParts(path);
          const above = asked.slice(0, -1);
          await using folder = await openOrCreateFolder(area, above);
          const wanted = asked.at(-1) ?? "";
          const isTaken = (await findNameOnDisk(folder, wanted)) !== undefined;
          const name = isTaken ? await findFreeName(folder, wanted) : wanted;
          await rename(from, join(folder.path, name));
          forgotten(area);
          return notify(await readItem(area, folder, [...above, name]), path, "upload");
        }),
      ),

    async work(area, { signal, by }, run) {
      await using folder = await openOrCreateFolder(area, []);
      await checkRoom(area, {});
      try {
        const path = await realpath(folder.path);
        const { result, written, isNew } = await runMonitored(folder, limits, signal, (ends) => run(path, ends));
        for (const one of written.slice(0, MAX_REPORTED_CHANGES)) {
          const item = await this.find(area, one);
          if (item) onChange(item, isNew(one) ? "upload" : "edit", by);
        }
        return result;
      } finally {
        forgotten(area);
      }
    },

    removeSession: (sessionId) =>
      exclusively(async () => {
        forgotten({ scope: "private", sessionId });
        await rm(join(root, "sessions", toFolderName(sessionId)), { recursive: true, force: true });
      }),

    sessionFolders: () => readdir(join(root, "sessions")),
  };
}

function createAlreadyExistsError(path: string): AppError {
  return filesTexts.error("conflict", "exists", { path });
}

/** Creates a queue for operations that change names, so that nothing changes between check and change. */
function createSerialQueue(alone: NonNullable<WorkspaceDeps["runExclusively"]> = (work) => work()) {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(run: () => Promise<Result>): Promise<Result> => {
    const here = () => alone(run);
    const next = last.then(here, here);
    last = next.catch(() => undefined);
    return next;
  };
}
