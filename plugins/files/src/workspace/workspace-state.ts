import type { Clock, Files, WorkspaceDoer, WorkspaceItem } from "@parley/core";
import type { WorkspacePaths } from "./disk/paths.ts";
import type { Quota, WorkspaceLimits } from "./disk/quota.ts";
import type { Trash } from "./trash.ts";

export const TEMP_FOLDER = "_meta";

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

/** The folders of all workspaces, and the work on them. */
export interface WorkspacesState {
  readonly deps: WorkspaceDeps;
  readonly limits: WorkspaceLimits;
  readonly paths: WorkspacePaths;
  readonly quota: Quota;
  readonly trash: Trash;
  /** Runs operations that change names one after the other, so that nothing changes between check and change. */
  readonly runInOrder: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** The real path of the root. Only above it links are followed. */
  root: string;
}
