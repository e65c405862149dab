import type { IncomingMessage } from "node:http";
import { HttpError } from "./http-error.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_BATCH = 20;
/** Protocol version from which a request is a single message. */
const NO_BATCHES_SINCE = "2025-06-18";

/** Reads the message or messages of a POST: at most 1 MiB, 32 levels, 20 messages. */
export async function readMessages(request: IncomingMessage): Promise<unknown> {
  const body = parseBody(await readBody(request));
  if (!Array.isArray(body)) return body;
  const version = String(request.headers["mcp-protocol-version"] ?? "");
  if (version >= NO_BATCHES_SINCE) throw new HttpError(400, "batches are not part of this version", { code: -32_600 });
  if (body.length > MAX_BATCH) throw new HttpError(400, `at most ${MAX_BATCH} messages at once`, { code: -32_600 });
  return body;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = new HttpError(413, "the body is larger than 1 MiB", { headers: { connection: "close" } });
  if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string): unknown {
  const rejection = new HttpError(400, "the body is no JSON", { code: -32_700 });
  if (measureDepth(text) > MAX_DEPTH) throw new HttpError(400, `more than ${MAX_DEPTH} levels`, { code: -32_600 });
  try {
    return JSON.parse(text);
  } catch {
    throw rejection;
  }
}

/** Measures the nesting of the text, before a recursive parser reads it. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isText && char === "\\") at += 1;
    else if (char === '"') isText = !isText;
    else if (!isText && (char === "{" || char === "[")) deepest = Math.max(deepest, ++depth);
    else if (!isText && (char === "}" || char === "]")) depth -= 1;
  }
  return deepest;
}
