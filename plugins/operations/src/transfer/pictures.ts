import { AppError, derivedId, type Files } from "@parley/core";

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

/** Stores those that the sections refer to and that are missing. Gives a sentence for each that could not be stored. */
export async function storePictures(
  pictures: ReadonlyMap<string, Uint8Array>,
  sections: Readonly<Record<string, unknown>>,
  files: Files | undefined,
): Promise<readonly string[]> {
  const failed: string[] = [];
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
        failed.push(`${name}: is no picture`);
      }
    } catch (error) {
      if (!AppError.is(error)) throw error;
      failed.push(`${name}: ${error.message}`);
    }
  }
  return failed;
}

function namesIn(sections: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return new Set([...JSON.stringify(sections).matchAll(ADDRESS)].map(([, name = ""]) => name));
}
