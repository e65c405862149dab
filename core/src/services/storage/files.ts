import type { Readable } from "node:stream";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import { parseJsonObject } from "../../json/index.ts";
import type { Attachment } from "../../message.ts";
import type { Write } from "./database.ts";

/** A file stored by the service. */
export interface StoredFile {
  readonly id: string;
  /** Name given by the sender; never used as a path. */
  readonly name: string;
  /** Name on disk and in the URL: unguessable and safe as a path. */
  readonly safeName: string;
  /** `/static/files/<safe name>`, as attachments carry it. */
  readonly url: string;
  /** Content type detected from the content. */
  readonly mimeType: string;
  readonly size: number;
  /** 64 hex digits. */
  readonly sha256: string;
}

/** A stored file with its bytes. */
export interface OpenFile extends StoredFile {
  /** Streams the whole file, or the bytes from `start` to `end`, both included. */
  stream(range?: { readonly start: number; readonly end: number }): Readable;
  bytes(): Promise<Uint8Array>;
}

/** Metadata of a file to store. */
export interface FileDraft {
  readonly name: string;
  /** Id derived from a turn, where the file must not be stored twice: a known one is returned without reading the content. */
  readonly id?: string;
  /** Name derived from the content (`portrait_<32 hex digits>.png`) instead of an unguessable one. Requires an `id`. */
  readonly safeName?: string;
  /** Limit below the service's own (`files.max_upload_mb`). */
  readonly maxBytes?: number;
}

/** Stored files of messages, on disk. */
export interface Files {
  /** Stores a file; resolves once it is durable, and a failure leaves nothing. Rejects with `too_large` as soon as the limit is exceeded. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, draft: FileDraft, signal?: AbortSignal): Promise<StoredFile>;
  /** Finds a file by id, URL or safe name; undefined when there is none. */
  find(idOrUrl: string): Promise<StoredFile | undefined>;
  /** Opens a file with its bytes; rejects with `not_found`. */
  open(idOrUrl: string): Promise<OpenFile>;
  /** Retains files that would be removed after 30 days without use, until the named session is deleted. Other URLs are ignored. */
  keep(urls: readonly string[], sessionId?: string): Promise<void>;
  /** Returns the writes of `keep`, for a transaction of the caller. */
  keeps(urls: readonly string[], sessionId?: string): readonly Write[];
  /** Deletes the file and its bytes, even when it is in use; false when there was none. */
  remove(idOrUrl: string): Promise<boolean>;
  /** Returns files whose safe name has the prefix, with the time they were stored in milliseconds. */
  named(prefix: string): Promise<readonly (StoredFile & { readonly storedAt: number })[]>;
  /** Returns an address of a stored file that anybody can read for these seconds, at most an hour. */
  link(url: string, seconds: number): string;
}
export const Files: ServiceKey<Files> = serviceKey("files");

/** Returns the attachment type of a content type. */
export function attachmentTypeOf(mimeType: string): Attachment["type"] {
  const kind = mimeType.split("/", 1)[0];
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "file";
}

/** Returns true when files of this type are treated as text, in previews and for the model. */
export function isTextType(mimeType: string): boolean {
  return /^(text\/|application\/(json|xml)$|image\/svg\+xml$)/.test(mimeType);
}

const STORED_PREFIX = "/static/files/";

/** Returns true when an attachment's URL is a file of this service. */
export function isStoredUrl(url: string): boolean {
  return url.startsWith(STORED_PREFIX);
}

const REFERENCE_PREFIX = "channel-file:";

/** Creates the URL of an attachment that only its channel can fetch. It carries the reference for the adapter's `fetchFile` and must contain no secret. */
export function channelFileUrl(reference: Readonly<Record<string, string>>): string {
  return `${REFERENCE_PREFIX}${Buffer.from(JSON.stringify(reference)).toString("base64url")}`;
}

/** Returns the reference of a `channelFileUrl`; undefined for every other URL. */
export function channelFileOf(url: string): Readonly<Record<string, string>> | undefined {
  if (!url.startsWith(REFERENCE_PREFIX)) return undefined;
  const reference = Buffer.from(url.slice(REFERENCE_PREFIX.length), "base64url").toString("utf8");
  return parseJsonObject(reference) as Readonly<Record<string, string>> | undefined;
}
