const MAX_NAME = 100;
/** Separators of paths, control characters and characters that change the direction of writing. */
const UNSAFE = /[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The `Content-Disposition` of a file. The name is a person's, so nothing of it reaches the header as it is: it names no
 * folder, begins with no dot and has at most 100 characters.
 */
export function contentDisposition(kind: "attachment" | "inline", name: string): string {
  const safe = [...name.toWellFormed().replaceAll(UNSAFE, "_")]
    .slice(0, MAX_NAME)
    .join("")
    .replace(/^[.\s]+/, "_");
  const file = safe === "" ? "file" : safe;
  const ascii = file.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file).replaceAll(/['()*]/g, percentEncode)}`;
}

/** The `Content-Disposition` of a file that is saved under this name. */
export function attachmentNamed(name: string): string {
  return contentDisposition("attachment", name);
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
