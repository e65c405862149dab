const MAX_NAME = 100;
/** A dot and up to 15 letters or digits at the end of a name. */
const EXTENSION = /\.[A-Za-z0-9]{1,15}$/;
/** Path separators, control characters and characters that change the writing direction. */
const UNSAFE = /[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns the `Content-Disposition` of a file. Its untrusted name is sanitized: no folder, no leading dot, at most 100 characters; the extension stays. */
export function contentDisposition(kind: "attachment" | "inline", name: string): string {
  const safe = name.toWellFormed().replaceAll(UNSAFE, "_");
  const extension = EXTENSION.exec(safe)?.[0] ?? "";
  const stem = [...safe.slice(0, safe.length - extension.length)]
    .slice(0, MAX_NAME - extension.length)
    .join("")
    .replace(/^[.\s]+/, "_");
  const file = `${stem === "" ? "file" : stem}${extension}`;
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
