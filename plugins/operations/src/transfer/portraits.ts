import { AppError, derivedId, type Files, type ItemFailure, localizeMessage, toItemFailure } from "@parley/core";
import { operationsTexts } from "../texts.ts";

/** Matches uploaded portraits, whose names derive from their content and are equal in every installation. */
const PORTRAIT_URL = /\/static\/files\/(portrait_[0-9a-f]{32}\.(?:png|jpg|gif|webp))/g;
const PORTRAIT_NAME = /^portrait_[0-9a-f]{32}\.(png|jpg|gif|webp)$/;
const MAX_PORTRAIT_BYTES = 10 * 1024 * 1024;

/** Returns the existing pictures that these sections refer to. */
export async function collectPortraits(
  sections: Readonly<Record<string, unknown>>,
  files: Files | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  if (!files) return found;
  for (const name of listPortraitNames(sections)) {
    const there = await files.find(`/static/files/${name}`);
    if (there) found.set(name, await (await files.open(there.id)).bytes());
  }
  return found;
}

/** Stores referenced portraits that are missing. Returns a warning for each that could not be stored. */
export async function storePortraits(
  pictures: ReadonlyMap<string, Uint8Array>,
  sections: Readonly<Record<string, unknown>>,
  files: Files | undefined,
): Promise<readonly ItemFailure[]> {
  const failed: ItemFailure[] = [];
  const note = (name: string, { error, detail }: ItemFailure) =>
    void failed.push(operationsTexts.message("of_picture", { name, reason: localizeMessage(error, detail) }));
  for (const name of listPortraitNames(sections)) {
    const bytes = pictures.get(name);
    if (!files || !bytes || !PORTRAIT_NAME.test(name)) continue;
    try {
      const { url, mimeType } = await files.put(bytes, {
        name,
        safeName: name,
        id: derivedId("file", name),
        maxBytes: MAX_PORTRAIT_BYTES,
      });
      await files.keep([url]);
      if (!/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) {
        await files.remove(url);
        note(name, operationsTexts.message("no_picture"));
      }
    } catch (error) {
      if (!AppError.is(error)) throw error;
      note(name, toItemFailure(error));
    }
  }
  return failed;
}

function listPortraitNames(sections: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return new Set([...JSON.stringify(sections).matchAll(PORTRAIT_URL)].map(([, name = ""]) => name));
}
