import { joinPngChunks, readPngChunks } from "../cards/format/png-card.ts";
import type { CleanPicture } from "./clean-picture.ts";

/** Chunks needed for display; texts, times, locations and unknown ones are removed. */
const VISIBLE_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs hIST sPLT acTL fcTL fdAT".split(" "),
);

export function cleanPng(bytes: Buffer): CleanPicture {
  const chunks = readPngChunks(bytes).filter(({ type }) => VISIBLE_CHUNKS.has(type));
  const [head] = chunks;
  if (head?.type !== "IHDR" || head.data.length !== 13 || !chunks.some(({ type }) => type === "IDAT")) {
    throw new RangeError("no picture in it");
  }
  return { bytes: joinPngChunks(chunks), width: head.data.readUInt32BE(0), height: head.data.readUInt32BE(4) };
}
