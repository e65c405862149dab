import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Localized } from "../../resource/field-schemas.ts";

/** A JSON file that people edit by hand too. */
export interface JsonFile<Content> {
  /**
   * What is in force. Reads the file again when its time, size or inode changed (looked at no more than once
   * per `minCheckMs`). A broken file keeps the last good content and is reported once.
   */
  read(): Content;
  /** The reason the file on disk cannot be used; undefined when it can. */
  problem(): string | undefined;
  /** The same for people in both languages; absent where nobody knows it in another. */
  problemTexts?(): Localized | undefined;
  /**
   * Changes the content and stores it atomically: temporary file, flush, rename. Changes run one after another, each
   * on what is on disk then. `conflict` while the file on disk is broken.
   */
  update(change: (content: Content) => Content): Promise<Content>;
}

/** Where a file lies, and what its content must be. */
export interface JsonFileOptions<Content> {
  /** Absolute. */
  readonly path: string;
  /** In force while there is no file; never written by itself. */
  readonly empty: Content;
  /** Turns the parsed JSON into content; throws with a readable reason when it is not usable. */
  readonly parse: (json: unknown) => Content;
  /** Default 0: every read looks. */
  readonly minCheckMs?: number;
}

/** Files of JSON that people may edit as well. */
export interface JsonFiles {
  open<Content>(options: JsonFileOptions<Content>): JsonFile<Content>;
  /** Those that were opened and cannot be used as they are on disk. */
  broken?(): readonly BrokenFile[];
}

/** A file whose last good content stays in force. */
export interface BrokenFile {
  readonly path: string;
  readonly problem: Localized;
}
export const JsonFiles: ServiceKey<JsonFiles> = serviceKey("json-files");
