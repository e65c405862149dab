import { AppError, derivedId, type Files, type ItemFailure, inBothLanguages, itemFailure } from "@parley/core";
import { packageWarning } from "../said-warnings.ts";

/** Portraits that somebody uploaded: their names are made of their content, so the same one is the same everywhere. */
const ADDRESS = /\/static\/files\/(portrait_[0-9a-f]{32}\.(?:png|jpg|gif|webp))/g;
const NAME = /^portrait_[0-9a-f]{32}\.(png|jpg|gif|webp)$/;
const LARGEST = 10 * 1024 * 1024;

/** The pictures that these sections refer to, and that are there. */
export async function picturesIn(
  sections: Readonly<Record<string, unknown>>,
  files: Files | undefined,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  if (!files) return found;
  for (const name of namesIn(sections)) {
    const there = await files.find(`/static/files/${name}`);
    if (there) found.set(name, await (await files.open(there.id)).bytes());
  }
  return found;
}

/** Stores those that the sections refer to and that are missing. Gives what is to be said of each that could not be stored. */
export async function storePictures(
  pictures: ReadonlyMap<string, Uint8Array>,
  sections: Readonly<Record<string, unknown>>,
  files: Files | undefined,
): Promise<readonly ItemFailure[]> {
  const failed: ItemFailure[] = [];
  const note = (name: string, { error, detail }: ItemFailure) =>
    void failed.push(packageWarning("of_picture", { name, reason: inBothLanguages(error, detail) }));
  for (const name of namesIn(sections)) {
    const bytes = pictures.get(name);
    if (!files || !bytes || !NAME.test(name)) continue;
    try {
      const { url, mimeType } = await files.put(bytes, {
        name,
        safeName: name,
        id: derivedId("file", name),
        maxBytes: LARGEST,
      });
      await files.keep([url]);
      if (!/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) {
        await files.remove(url);
        note(name, packageWarning("no_picture"));
      }
    } catch (error) {
      if (!AppError.is(error)) throw error;
      note(name, itemFailure(error));
    }
  }
  return failed;
}

function namesIn(sections: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return new Set([...JSON.stringify(sections).matchAll(ADDRESS)].map(([, name = ""]) => name));
}
