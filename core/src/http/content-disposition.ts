const MAX_NAME = 100;
/** Separators of paths, control characters and characters that change the direction of writing. */
const UNSAFE = /[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns the `Content-Disposition` of a file. Its untrusted name is sanitized: no folder, no leading dot, at most 100 characters. */
export function contentDisposition(kind: "attachment" | "inline", name: string): string {
  const safe = [...name.toWellFormed().replaceAll(UNSAFE, "_")]
    .slice(0, MAX_NAME)
    .join("")
    .replace(/^[.\s]+/, "_");
  const file = safe === "" ? "file" : safe;
  const ascii = file.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file).replaceAll(/['()*]/g, percentEncode)}`;
}

/** Returns the `Content-Disposition` of a file to download under this name. */
export function attachmentNamed(name: string): string {
  return contentDisposition("attachment", name);
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
