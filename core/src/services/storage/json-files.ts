import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";

/** A JSON file that people may edit too. */
export interface JsonFile<Content> {
  /**
   * Returns the current content. Reads the file again when its time, size or inode changed (checked at most once per `minCheckMs`).
   * While the file is broken, returns the last valid content; the problem is reported once.
   */
  read(): Content;
  /** Returns the reason the file on disk cannot be used; undefined when it can. */
  problem(): string | undefined;
  /** Localized problem; absent when only the English text is known. */
  problemTexts?(): Localized | undefined;
  /**
   * Changes the content and stores it atomically: temporary file, flush, rename. Changes run one after another, each
   * on the content on disk. Rejects with `conflict` while the file on disk is broken.
   */
  update(change: (content: Content) => Content): Promise<Content>;
}

/** Path of a JSON file and its validation. */
export interface JsonFileOptions<Content> {
  /** Absolute path of the file. */
  readonly path: string;
  /** Content while there is no file; it is not written by itself. */
  readonly empty: Content;
  /** Converts parsed JSON to content; throws with a readable reason when it is invalid. */
  readonly parse: (json: unknown) => Content;
  /** Minimum milliseconds between two checks of the file; default 0 checks on every read. */
  readonly minCheckMs?: number;
}

/** JSON files that people may edit too. */
export interface JsonFiles {
  open<Content>(options: JsonFileOptions<Content>): JsonFile<Content>;
  /** Returns the opened files that are unusable on disk. */
  broken?(): readonly BrokenFile[];
}

/** A broken file; its last valid content is used. */
export interface BrokenFile {
  readonly path: string;
  readonly problem: Localized;
}
export const JsonFiles: ServiceKey<JsonFiles> = serviceKey("json-files");
