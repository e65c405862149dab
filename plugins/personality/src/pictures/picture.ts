import { AppError } from "@parley/core";
import { isPng } from "../cards/png-card.ts";
import { personalityFailure } from "../said-failures.ts";
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

const OF_FILE = { field: "file" } as const;

/** A picture as it may be shown and given away; `bad_request` for what is none, or is damaged, `too_large` above 10 MiB. */
export function readPicture(given: Uint8Array): Picture {
  if (given.length > MAX_PICTURE_BYTES) throw personalityFailure("too_large", "picture_large", {}, OF_FILE);
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const kind = KINDS.find(({ is }) => is(bytes));
  if (!kind) throw personalityFailure("bad_request", "not_a_picture", {}, OF_FILE);
  const { extension, mimeType } = kind;
  const picture = cleaned(kind, bytes);
  const { width, height } = picture;
  if (width < 1 || height < 1) throw damaged();
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw personalityFailure("bad_request", "picture_side", { most: MAX_SIDE }, OF_FILE);
  return { ...picture, extension, mimeType };
}

function cleaned({ clean }: Kind, bytes: Buffer): CleanPicture {
  try {
    return clean(bytes);
  } catch (cause) {
    // It ends before it should, or says what cannot be.
    if (cause instanceof RangeError || AppError.is(cause)) throw damaged(cause);
    throw cause;
  }
}

function damaged(cause?: unknown): AppError {
  return personalityFailure("bad_request", "picture_damaged", {}, { ...OF_FILE, cause });
}
