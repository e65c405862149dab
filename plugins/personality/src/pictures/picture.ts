import { AppError } from "@parley/core";
import { isPng } from "../cards/png-card.ts";
import { cleanGif } from "./gif.ts";
import { cleanJpeg } from "./jpeg.ts";
import { cleanPng } from "./png.ts";
import { cleanWebp } from "./webp.ts";

export interface Picture {
  /** Without what is not seen: positions, comments, cards. */
  readonly bytes: Uint8Array;
  readonly extension: "png" | "jpg" | "gif" | "webp";
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** The parts of a picture that are shown, and its size; a reader throws when it is damaged. */
export interface CleanPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
const MAX_SIDE = 8_192;

interface Kind {
  readonly extension: Picture["extension"];
  readonly mimeType: string;
  is(bytes: Buffer): boolean;
  clean(bytes: Buffer): CleanPicture;
}

const begins = (...starts: readonly string[]) => {
  return (bytes: Buffer) => starts.some((start) => bytes.toString("latin1", 0, start.length) === start);
};
const KINDS: readonly Kind[] = [
  { extension: "png", mimeType: "image/png", is: isPng, clean: cleanPng },
  { extension: "jpg", mimeType: "image/jpeg", is: begins("\xff\xd8\xff"), clean: cleanJpeg },
  { extension: "gif", mimeType: "image/gif", is: begins("GIF87a", "GIF89a"), clean: cleanGif },
  {
    extension: "webp",
    mimeType: "image/webp",
    is: (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
    clean: cleanWebp,
  },
];

/** A picture as it may be shown and given away; `bad_request` for what is none, or is damaged, `too_large` above 10 MiB. */
export function readPicture(given: Uint8Array): Picture {
  if (given.length > MAX_PICTURE_BYTES) throw new AppError("too_large", "file: the picture is larger than 10 MiB");
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const kind = KINDS.find(({ is }) => is(bytes));
  if (!kind) throw refused("is no PNG, JPEG, GIF or WebP picture");
  const { extension, mimeType } = kind;
  const picture = cleaned(kind, bytes);
  const { width, height } = picture;
  if (width < 1 || height < 1) throw refused("is a damaged picture");
  if (width > MAX_SIDE || height > MAX_SIDE) throw refused(`has a side of more than ${MAX_SIDE} pixels`);
  return { ...picture, extension, mimeType };
}

function cleaned({ clean }: Kind, bytes: Buffer): CleanPicture {
  try {
    return clean(bytes);
  } catch (cause) {
    // It ends before it should, or says what cannot be.
    if (cause instanceof RangeError || AppError.is(cause)) throw refused("is a damaged picture", cause);
    throw cause;
  }
}

function refused(reason: string, cause?: unknown): AppError {
  return new AppError("bad_request", `file: ${reason}`, { cause });
}
