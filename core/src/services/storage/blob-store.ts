import type { Readable } from "node:stream";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Bytes that are to be kept: a file of this machine, whose content is known. */
export interface BlobDraft {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  /** Of its content, 64 hex digits. */
  readonly sha256: string;
  readonly mimeType: string;
}

/** Bytes that are kept. */
export interface BlobFacts {
  readonly size: number;
  /** In milliseconds, by the clock of where they lie. */
  readonly storedAt: number;
}

/**
 * Where the bytes of stored files lie; what is known of them are rows of the database. Names are those of `StoredFile.safeName`.
 * Where no plugin provides it they lie in the data folder. Who cannot be reached is `unavailable`. The plugin need not have started:
 * `parley backup` reads what is kept beside a service, or without one.
 */
export interface BlobStore {
  /** For people: a folder, or a bucket and its address. */
  readonly place: string;
  /** True: what is kept is taken back into the data folder, and new files are kept there from now on. */
  readonly isLeaving?: boolean;
  /** True: backups leave out what is kept, because its place has versions of its own. */
  readonly isOutsideBackups?: boolean;
  /**
   * Resolves when they are kept for good; under a name that is taken they replace what is there, as a whole. The file at `path`
   * may be gone then. Where content travels, what is not as `sha256` says is refused with `conflict`.
   */
  put(name: string, draft: BlobDraft, signal?: AbortSignal): Promise<void>;
  /** Undefined when there are none. */
  find(name: string): Promise<BlobFacts | undefined>;
  /** The whole, or the bytes from `start` to `end`, both included; it fails when there are none. */
  read(name: string, range?: { readonly start: number; readonly end: number }): Readable;
  /** Also when there are none. */
  remove(name: string): Promise<void>;
  /** The names of all that is kept, some at a time. */
  names(): AsyncIterable<readonly string[]>;
}
export const BlobStore: ServiceKey<BlobStore> = serviceKey("blob-store");
