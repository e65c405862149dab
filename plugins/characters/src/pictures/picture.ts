import { AppError } from "@parley/core";
import { isPng } from "../cards/format/png-card.ts";
import { cardTexts } from "../texts.ts";
import type { CleanPicture } from "./clean-picture.ts";
import { cleanGif } from "./gif.ts";
import { cleanJpeg } from "./jpeg.ts";
import { cleanPng } from "./png.ts";
import { cleanWebp } from "./webp.ts";

export interface Picture {
  /** The image without metadata: locations, comments, cards. */
  readonly bytes: Uint8Array;
  readonly extension: "png" | "jpg" | "gif" | "webp";
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
const MAX_SIDE_PIXELS = 8_192;

interface PictureFormat {
  readonly extension: Picture["extension"];
  readonly mimeType: string;
  is(bytes: Buffer): boolean;
  clean(bytes: Buffer): CleanPicture;
}

const startsWithAny = (...starts: readonly string[]) => {
  return (bytes: Buffer) => starts.some((start) => bytes.toString("latin1", 0, start.length) === start);
};
const FORMATS: readonly PictureFormat[] = [
  { extension: "png", mimeType: "image/png", is: isPng, clean: cleanPng },
  { extension: "jpg", mimeType: "image/jpeg", is: startsWithAny("\xff\xd8\xff"), clean: cleanJpeg },
  { extension: "gif", mimeType: "image/gif", is: startsWithAny("GIF87a", "GIF89a"), clean: cleanGif },
  {
    extension: "webp",
    mimeType: "image/webp",
    is: (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
    clean: cleanWebp,
  },
];

const FILE_FIELD = { field: "file" } as const;

/** True when the bytes begin like a picture of a known format. */
export function isPicture(input: Uint8Array): boolean {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length);
  return FORMATS.some(({ is }) => is(bytes));
}

/** Validates an image and removes its metadata; `bad_request` for another or damaged file, `too_large` above 10 MiB. */
export function readPicture(input: Uint8Array): Picture {
  if (input.length > MAX_PICTURE_BYTES) throw cardTexts.error("too_large", "picture_large", {}, FILE_FIELD);
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.length);
  const kind = FORMATS.find(({ is }) => is(bytes));
  if (!kind) throw cardTexts.error("bad_request", "not_a_picture", {}, FILE_FIELD);
  const { extension, mimeType } = kind;
  const picture = cleanPicture(kind, bytes);
  const { width, height } = picture;
  if (width < 1 || height < 1) throw createDamagedPictureError();
  if (width > MAX_SIDE_PIXELS || height > MAX_SIDE_PIXELS)
    throw cardTexts.error("bad_request", "picture_side", { most: MAX_SIDE_PIXELS }, FILE_FIELD);
  return { ...picture, extension, mimeType };
}

function cleanPicture({ clean }: PictureFormat, bytes: Buffer): CleanPicture {
  try {
    return clean(bytes);
  } catch (cause) {
    // The picture is truncated or contains impossible values.
    if (cause instanceof RangeError || AppError.is(cause)) throw createDamagedPictureError(cause);
    throw cause;
  }
}

function createDamagedPictureError(cause?: unknown): AppError {
  return cardTexts.error("bad_request", "picture_damaged", {}, { ...FILE_FIELD, cause });
}
