import type { Readable } from "node:stream";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List, Page } from "../../http/list.ts";
import type { StoredFile } from "./files.ts";

/** Whose files: those of one session, by its id, or those that all share. */
export type WorkspaceArea =
  | { readonly scope: "private"; readonly sessionId: string }
  | { readonly scope: "shared"; readonly sessionId?: undefined };

/** A file or folder of a workspace. Field names as on the wire. */
export interface WorkspaceItem {
  readonly name: string;
  /** From the root of its workspace, with `/`. */
  readonly path: string;
  readonly type: "file" | "directory";
  /** 0 of a directory. */
  readonly size: number;
  /** By content and name. */
  readonly mime_type: string;
  readonly modified_at: string;
  readonly scope: "private" | "shared";
  readonly session_id: string | null;
  /** As the header `ETag` says it and `If-Match` takes it. */
  readonly etag: string;
}

/** A file of a workspace with its bytes. What becomes of the name meanwhile does not matter. */
export interface OpenWorkspaceFile extends AsyncDisposable {
  readonly item: WorkspaceItem;
  /** Its address, as attachments carry it. */
  readonly url: string;
  /** The whole, or the bytes from `start` to `end`, both included. Once: closes the file at its end. */
  stream(range?: { readonly start: number; readonly end: number }): Readable;
  /** At most so many of its first bytes. */
  head(most: number): Promise<Uint8Array>;
}

/** Which files of a workspace are asked for. */
export interface WorkspaceQuery extends Page {
  /** A folder; "": the root. */
  readonly path?: string;
  /** With all folders below. */
  readonly recursive?: boolean;
  /** Somewhere in the name, whatever the case. */
  readonly q?: string;
}

/** Who changes files while answering: its people are shown all of it together. */
export interface WorkspaceDoer {
  readonly traceId: string;
  readonly sessionId: string;
}

/** How a file is written. */
export interface WorkspaceWrite {
  /** When there is something of that name: another name (`name_1.ext`, the default), its replacement, or `conflict`. */
  readonly clash?: "rename" | "replace" | "refuse";
  /** The number in the etag of what is replaced; `conflict` when it is another by now. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal;
  readonly by?: WorkspaceDoer | undefined;
}

/** Where something is moved to. */
export interface WorkspaceMove {
  readonly to: WorkspaceArea;
  /** A folder that is there; "": the root. */
  readonly target: string;
  readonly newName?: string | undefined;
  /** What is in its place goes into the trash. */
  readonly overwrite?: boolean;
  readonly ifMatch?: number | undefined;
}

/**
 * Files that people and tools work on, by relative path. Links are neither followed nor made; names that differ only in case
 * or form are one. Names that are no plain relative ones are `bad_request`, what is not there is `not_found`, what would be more
 * than a workspace holds is `conflict`.
 */
export interface Workspaces {
  list(area: WorkspaceArea, query: WorkspaceQuery): Promise<List<WorkspaceItem>>;
  find(area: WorkspaceArea, path: string): Promise<WorkspaceItem | undefined>;
  /** `bad_request` for a folder. Whoever opens it closes it, by its stream or by disposal. */
  open(area: WorkspaceArea, path: string): Promise<OpenWorkspaceFile>;
  /** Makes the folders of the path. Resolves when it is on disk for good; what fails leaves nothing. */
  write(
    area: WorkspaceArea,
    path: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    options?: WorkspaceWrite,
  ): Promise<WorkspaceItem>;
  /**
   * Of the file of an address a copy among the stored files, for messages: it stays as it is whatever becomes of the file, and is
   * made once for the same content. `bad_request` for a file of another session, or one that is not there.
   */
  copyOf(url: string, sessionId: string): Promise<StoredFile>;
  /** With the folders above it. `conflict` when there is something of that name. */
  makeFolder(area: WorkspaceArea, path: string): Promise<WorkspaceItem>;
  move(area: WorkspaceArea, path: string, move: WorkspaceMove): Promise<WorkspaceItem>;
  /** Into the trash, for a week; gives how many files and folders. A folder that is not empty only with `recursive`. */
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

/** The address of a file of a workspace. */
export function workspaceFileUrl({ scope, sessionId }: WorkspaceArea, path: string): string {
  const folder =
    scope === "shared" ? "/api/workspace/shared" : `/api/sessions/${encodeURIComponent(sessionId)}/workspace`;
  return `${folder}/files/${encodeURIComponent(path)}`;
}

const PRIVATE_URL = /^\/api\/sessions\/([^/?#]+)\/workspace\/files\/([^/?#]+)$/;
const SHARED_URL = /^\/api\/workspace\/shared\/files\/([^/?#]+)$/;

/** What `workspaceFileUrl` was made of; undefined for every other url. */
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
