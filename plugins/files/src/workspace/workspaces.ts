import { mkdir, open, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  newId,
  relativeParts,
  type WorkspaceArea,
  type WorkspaceDoer,
  type WorkspaceItem,
  type Workspaces,
  type WorkspaceWrite,
} from "@parley/core";
import { createSerialQueue } from "@parley/core/async";
import { toDiskError, writeContent } from "../store/write-file.ts";
import { runMonitored } from "./disk/monitored-work.ts";
import { toFolderName } from "./disk/names.ts";
import { createWorkspacePaths } from "./disk/paths.ts";
import { createQuota, WORKSPACE_LIMITS } from "./disk/quota.ts";
import { createReader } from "./reader.ts";
import { createTrash, type Trash } from "./trash.ts";
import { makeFolder, moveEntry, placeFile, removeEntry, restoreItem } from "./workspace-changes.ts";
import { type ReceivedFile, TEMP_FOLDER, type WorkspaceDeps, type WorkspacesState } from "./workspace-state.ts";

/** Maximum number of changes reported for one program. */
const MAX_REPORTED_CHANGES = 200;

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
  runProgram<Result>(
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
  const { clock, limits = WORKSPACE_LIMITS } = deps;
  const queue = createSerialQueue();
  const paths = createWorkspacePaths(() => state.root);
  const state: WorkspacesState = {
    deps,
    limits,
    paths,
    quota: createQuota(limits, clock, (area) => paths.openFolder(area, [])),
    trash: createTrash(join(deps.root, TEMP_FOLDER, "trash"), clock),
    runInOrder: (run) => queue(() => (deps.runExclusively ? deps.runExclusively(run) : run())),
    root: deps.root,
  };
  const { runInOrder, trash } = state;
  const reader = createReader({ paths, files: deps.files });
  return {
    ...reader,
    trash,
    receive: (content, signal) => receiveFile(state, content, signal),
    place: (area, path, received, options) => runInOrder(() => placeFile(state, { area, path, received, options })),
    start: () => prepareFolders(state),
    async write(area, path, content, options = {}) {
      relativeParts(path);
      await state.quota.checkRoom(area, {});
      await using received = await receiveFile(state, content, options.signal);
      return await runInOrder(() => placeFile(state, { area, path, received, options }));
    },
    makeFolder: (area, path) => runInOrder(() => makeFolder(state, area, path)),
    move: (area, path, how) => runInOrder(() => moveEntry(state, area, path, how)),
    remove: (area, path, options) => runInOrder(() => removeEntry(state, area, path, options)),
    restore: (trashId, check) => runInOrder(() => restoreItem(state, trashId, check)),
    runProgram: (area, options, run) => runProgram(state, reader, { area, ...options }, run),
    removeSession: (sessionId) => runInOrder(() => removeSessionFolder(state, sessionId)),
    sessionFolders: () => readdir(join(state.root, "sessions")),
  };
}

async function prepareFolders(state: WorkspacesState): Promise<void> {
  const { root } = state.deps;
  for (const name of ["shared", "sessions", join(TEMP_FOLDER, "parts")]) {
    await mkdir(join(root, name), { recursive: true, mode: 0o700 });
  }
  state.root = await realpath(root);
  await state.trash.start();
  const unfinished = join(state.root, TEMP_FOLDER, "parts");
  for (const name of await readdir(unfinished)) await rm(join(unfinished, name), { force: true });
}

async function receiveFile(
  { root, deps }: WorkspacesState,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<ReceivedFile> {
  const path = join(root, TEMP_FOLDER, "parts", newId("part"));
  const remove = () => rm(path, { force: true });
  try {
    const handle = await open(path, "wx", 0o600);
    const { size } = await writeContent(handle, content, deps.maxFileBytes(), signal).finally(() => handle.close());
    return { path, size, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw toDiskError(error);
  }
}

interface ProgramOptions {
  readonly area: WorkspaceArea;
  readonly signal: AbortSignal;
  readonly by?: WorkspaceDoer | undefined;
}

async function runProgram<Result>(
  { paths, quota, limits, deps }: WorkspacesState,
  reader: Pick<Workspaces, "find">,
  { area, signal, by }: ProgramOptions,
  run: (path: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  await using folder = await paths.openOrCreateFolder(area, []);
  await quota.checkRoom(area, {});
  try {
    const path = await realpath(folder.path);
    const { result, written, isNew } = await runMonitored(folder, limits, signal, (ends) => run(path, ends));
    for (const one of written.slice(0, MAX_REPORTED_CHANGES)) {
      const item = await reader.find(area, one);
      if (item) deps.onChange(item, isNew(one) ? "upload" : "edit", by);
    }
    return result;
  } finally {
    quota.invalidate(area);
  }
}

async function removeSessionFolder({ root, quota }: WorkspacesState, sessionId: string): Promise<void> {
  quota.invalidate({ scope: "private", sessionId });
  await rm(join(root, "sessions", toFolderName(sessionId)), { recursive: true, force: true });
}
