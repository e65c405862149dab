import type { HttpCall } from "./platform-server.ts";

/** A file as a platform received it. */
export interface SentFile {
  /** Name of the form field. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Parses the body of a call: JSON, or a form with a file. */
export async function parseForm(
  call: Pick<HttpCall, "headers" | "raw" | "body">,
): Promise<{ readonly body: Readonly<Record<string, unknown>>; readonly file?: SentFile }> {
  const type = call.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return { body: call.body() };
  const form = await new Response(new Uint8Array(call.raw), { headers: { "content-type": type } }).formData();
  const body: Record<string, unknown> = {};
  let file: SentFile | undefined;
  for (const [field, value] of form) {
    if (typeof value === "string") body[field] = parseValue(value);
    else file = { field, name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { body, ...(file && { file }) };
}

/** Parses a form value; numbers and objects are sent as JSON. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
