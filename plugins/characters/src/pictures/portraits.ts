import { hash } from "node:crypto";
import { type Clock, derivedId, type Files, notFound, type OpenFile, type PictureFields } from "@parley/core";
import { cardTexts } from "../texts.ts";
import { MAX_PICTURE_BYTES, readPicture } from "./picture.ts";

const FILE_PREFIX = "portrait_";
const PORTRAIT_URL = /^\/static\/files\/portrait_[0-9a-f]{32}\.(png|jpg|gif|webp)$/;
const HOUR_MS = 3_600_000;

export interface StoredPortrait {
  readonly url: string;
  readonly file_name: string;
  readonly size: number;
  readonly mime_type: string;
  readonly width: number;
  readonly height: number;
}

export interface PortraitsDeps {
  readonly files: () => Files;
  readonly fields: () => readonly PictureFields[];
  readonly clock: Clock;
}

/** Portraits, named by their content so that equal pictures are one file. */
export interface Portraits {
  /** Stores an image without its metadata; `bad_request` for another file. */
  store(bytes: Uint8Array): Promise<StoredPortrait>;
  /** Opens a portrait; undefined for other pictures, and for one that was deleted. */
  open(url: string): Promise<OpenFile | undefined>;
  /** Removes a portrait, and its address from all records; returns the number of changed fields. */
  remove(url: string): Promise<number>;
  /** Removes portraits that are not used and older than an hour. */
  clean(
    isDryRun: boolean,
  ): Promise<{ readonly removed: number; readonly freed_bytes: number; readonly files: readonly string[] }>;
}

export function createPortraits({ files, fields, clock }: PortraitsDeps): Portraits {
  return {
    async store(bytes) {
      const picture = readPicture(bytes);
      const file_name = `${FILE_PREFIX}${hash("sha256", picture.bytes).slice(0, 32)}.${picture.extension}`;
      const draft = {
        name: file_name,
        safeName: file_name,
        id: derivedId("file", file_name),
        maxBytes: MAX_PICTURE_BYTES,
      };
      const { url, size } = await files().put(picture.bytes, draft);
      await files().keep([url]);
      const { mimeType, width, height } = picture;
      return { url, file_name, size, mime_type: mimeType, width, height };
    },
    async open(url) {
      const found = url.startsWith("/static/files/") ? await files().find(url) : undefined;
      return found && files().open(found.id);
    },
    async remove(url) {
      if (!PORTRAIT_URL.test(url)) throw cardTexts.error("bad_request", "not_a_portrait", {}, { field: "url" });
      if (!(await files().find(url))) throw notFound("portrait", url);
      let cleared = 0;
      for (const one of fields()) cleared += await one.clear(url);
      await files().remove(url);
      return cleared;
    },
    async clean(isDryRun) {
      const used = new Set<string>();
      for (const one of fields()) for (const url of await one.used()) used.add(url);
      const stored = await files().named(FILE_PREFIX);
      const unused = stored.filter(
        ({ url, storedAt }) => PORTRAIT_URL.test(url) && !used.has(url) && clock.now() - storedAt > HOUR_MS,
      );
      if (!isDryRun) for (const { id } of unused) await files().remove(id);
      return {
        removed: unused.length,
        freed_bytes: unused.reduce((sum, { size }) => sum + size, 0),
        files: unused.map(({ safeName }) => safeName),
      };
    },
  };
}
