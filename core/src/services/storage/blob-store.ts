import type { Readable } from "node:stream";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** A local file to store in the blob store; its content must not change. */
export interface BlobDraft {
  /** Absolute path of the file. */
  readonly path: string;
  readonly size: number;
  /** SHA-256 of the content, 64 hex digits. */
  readonly sha256: string;
  readonly mimeType: string;
}

/** Facts about stored bytes. */
export interface BlobFacts {
  readonly size: number;
  /** Time of storing in milliseconds, by the storage's clock. */
  readonly storedAt: number;
}

/**
 * Storage of file contents; their metadata is in the database. Names are those of `StoredFile.safeName`. Without a
 * provider the data folder is used. Rejects with `unavailable` when unreachable. Must work without the plugin's
 * start: `parley backup` reads it next to a service or without one.
 */
export interface BlobStore {
  /** Place for people to read: a folder, or a bucket and its address. */
  readonly place: string;
  /** True when stored files are being moved back to the data folder, where new files go from now on. */
  readonly isLeaving?: boolean;
  /** True when backups exclude stored files because their storage has versions of its own. */
  readonly isOutsideBackups?: boolean;
  /**
   * Stores the file and resolves once it is durable; an existing name is replaced as a whole. The file at `path` may
   * be gone afterwards. A transfer that does not match `sha256` rejects with `conflict`.
   */
  put(name: string, draft: BlobDraft, signal?: AbortSignal): Promise<void>;
  /** Returns the facts about a name's bytes; undefined when there are none. */
  find(name: string): Promise<BlobFacts | undefined>;
  /** Reads the whole, or the bytes from `start` to `end`, both included; the stream fails when there are none. */
  read(name: string, range?: { readonly start: number; readonly end: number }): Readable;
  /** Removes the bytes of a name; does nothing when there are none. */
  remove(name: string): Promise<void>;
  /** Iterates over all stored names, in batches. */
  names(): AsyncIterable<readonly string[]>;
}
export const BlobStore: ServiceKey<BlobStore> = serviceKey("blob-store");
