import { randomBytes } from "node:crypto";

/** A file to add to a form. */
export interface MultipartFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Encodes fields and one file as `multipart/form-data`; undefined fields are omitted, objects are sent as JSON. */
export function multipartBody(
  fields: Readonly<Record<string, unknown>>,
  { field, name, type, bytes }: MultipartFile,
): { readonly body: Uint8Array; readonly type: string } {
  const boundary = `part-${randomBytes(16).toString("hex")}`;
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${text}\r\n`;
    });
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${escapeFilename(name)}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(texts.join("") + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Escapes a file name as browsers do: characters that would end the line or the quotes. */
function escapeFilename(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
