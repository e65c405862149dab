import type { Readable } from "node:stream";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List, Page } from "../../http/list.ts";
import type { StoredFile } from "./files.ts";

/** Workspace: the private one of a session, by its id, or the shared one. */
export type WorkspaceArea =
  | { readonly scope: "private"; readonly sessionId: string }
  | { readonly scope: "shared"; readonly sessionId?: undefined };

/** A file or folder of a workspace. Field names as on the wire. */
export interface WorkspaceItem {
  readonly name: string;
  /** Path from the root of the workspace, with `/`. */
  readonly path: string;
  readonly type: "file" | "directory";
  /** Size in bytes; 0 for a folder. */
  readonly size: number;
  /** Content type by content and name. */
  readonly mime_type: string;
  readonly modified_at: string;
  readonly scope: "private" | "shared";
  readonly session_id: string | null;
  /** Value of the headers `ETag` and `If-Match`. */
  readonly etag: string;
}

/** An open workspace file; independent of later changes to its name. */
export interface OpenWorkspaceFile extends AsyncDisposable {
  readonly item: WorkspaceItem;
  /** URL as attachments carry it. */
  readonly url: string;
  /** Streams the whole file, or the bytes from `start` to `end`, both included. Callable once: it closes the file at its end. */
  stream(range?: { readonly start: number; readonly end: number }): Readable;
  /** Returns at most `most` of the first bytes. */
  head(most: number): Promise<Uint8Array>;
}

/** Filter for the files of a workspace. */
export interface WorkspaceQuery extends Page {
  /** Path of a folder; "" for the root. */
  readonly path?: string;
  /** True includes the content of all folders below. */
  readonly recursive?: boolean;
  /** Text contained in the name, ignoring case. */
  readonly q?: string;
}

/** Trace and session of an answer that changes files; its people see the changes together. */
export interface WorkspaceDoer {
  readonly traceId: string;
  readonly sessionId: string;
}

/** Options of writing a file. */
export interface WorkspaceWrite {
  /** Action when the name is taken: choose another name (`name_1.ext`, the default), replace, or reject with `conflict`. */
  readonly clash?: "rename" | "replace" | "refuse";
  /** Number in the etag of the replaced file; `conflict` when it has changed. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal;
  readonly by?: WorkspaceDoer | undefined;
}

/** Target of a move. */
export interface WorkspaceMove {
  readonly to: WorkspaceArea;
  /** Path of an existing folder; "" for the root. */
  readonly target: string;
  readonly newName?: string | undefined;
  /** True moves an existing target to the trash. */
  readonly overwrite?: boolean;
  readonly ifMatch?: number | undefined;
}

/**
 * Files that people and tools edit, by relative path. Links are neither followed nor created; names that differ only in case or Unicode
 * form are equal. Rejects with `bad_request` for invalid paths, `not_found`, and `conflict` above the workspace's capacity.
 */
export interface Workspaces {
  list(area: WorkspaceArea, query: WorkspaceQuery): Promise<List<WorkspaceItem>>;
  find(area: WorkspaceArea, path: string): Promise<WorkspaceItem | undefined>;
  /** Opens a file; `bad_request` for a folder. The caller must close it, by its stream or by disposal. */
  open(area: WorkspaceArea, path: string): Promise<OpenWorkspaceFile>;
  /** Writes a file, creating the folders of its path. Resolves once it is durable; a failure leaves nothing. */
  write(
    area: WorkspaceArea,
    path: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    options?: WorkspaceWrite,
  ): Promise<WorkspaceItem>;
  /**
   * Copies the file at a URL into the stored files, for messages: the copy is independent of the original and made
   * once per content. Rejects with `bad_request` for a file of another session, or a missing one.
   */
  copyOf(url: string, sessionId: string): Promise<StoredFile>;
  /** Creates a folder and its parents; rejects with `conflict` when the name is taken. */
  makeFolder(area: WorkspaceArea, path: string): Promise<WorkspaceItem>;
  move(area: WorkspaceArea, path: string, move: WorkspaceMove): Promise<WorkspaceItem>;
  /** Moves files to the trash for a week; returns the count of files and folders. A non-empty folder requires `recursive`. */
  remove(
    area: WorkspaceArea,
    path: string,
    options?: {
      readonly recursive?: boolean;
      readonly ifMatch?: number | undefined;
      readonly by?: WorkspaceDoer | undefined;
    },
  ): Promise<number>;
}
export const Workspaces: ServiceKey<Workspaces> = serviceKey("workspaces");

/** Returns the URL of a workspace file. */
export function workspaceFileUrl({ scope, sessionId }: WorkspaceArea, path: string): string {
  const folder =
    scope === "shared" ? "/api/workspace/shared" : `/api/sessions/${encodeURIComponent(sessionId)}/workspace`;
  return `${folder}/files/${encodeURIComponent(path)}`;
}

const PRIVATE_URL = /^\/api\/sessions\/([^/?#]+)\/workspace\/files\/([^/?#]+)$/;
const SHARED_URL = /^\/api\/workspace\/shared\/files\/([^/?#]+)$/;

/** Returns area and path of a `workspaceFileUrl`; undefined for every other URL. */
export function workspaceFileOf(url: string): { readonly area: WorkspaceArea; readonly path: string } | undefined {
  const [, sessionId, own] = PRIVATE_URL.exec(url) ?? [];
  const [, shared] = SHARED_URL.exec(url) ?? [];
  try {
    if (sessionId !== undefined && own !== undefined) {
      return { area: { scope: "private", sessionId: decodeURIComponent(sessionId) }, path: decodeURIComponent(own) };
    }
    return shared === undefined ? undefined : { area: { scope: "shared" }, path: decodeURIComponent(shared) };
  } catch {
    return undefined;
  }
}
