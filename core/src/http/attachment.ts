const MAX_NAME = 100;

/** `Content-Disposition` of a file that is saved under this name. The name is a person's: nothing of it reaches the header as it is. */
export function attachmentNamed(name: string): string {
  const short = [...name.toWellFormed()].slice(0, MAX_NAME).join("");
  const plain = short.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(short).replaceAll(/['()*]/g, "_")}`;
}
