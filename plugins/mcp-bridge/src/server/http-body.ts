import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "./http-refusal.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_BATCH = 20;
/** From this version on a request is one message. */
const NO_BATCHES_SINCE = "2025-06-18";

/** The message or messages of a POST: at most 1 MiB, 32 levels, 20 messages. */
export async function readMessages(request: IncomingMessage): Promise<unknown> {
  const body = parsed(await textOf(request));
  if (!Array.isArray(body)) return body;
  const version = String(request.headers["mcp-protocol-version"] ?? "");
  if (version >= NO_BATCHES_SINCE)
    throw new HttpRefusal(400, "batches are not part of this version", { code: -32_600 });
  if (body.length > MAX_BATCH) throw new HttpRefusal(400, `at most ${MAX_BATCH} messages at once`, { code: -32_600 });
  return body;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const tooLarge = new HttpRefusal(413, "the body is larger than 1 MiB", { headers: { connection: "close" } });
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

function parsed(text: string): unknown {
  const refusal = new HttpRefusal(400, "the body is no JSON", { code: -32_700 });
  if (depthOf(text) > MAX_DEPTH) throw new HttpRefusal(400, `more than ${MAX_DEPTH} levels`, { code: -32_600 });
  try {
    return JSON.parse(text);
  } catch {
    throw refusal;
  }
}

/** Counted in the text: a parser that recurses must not see it first. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText && sign === "\\") at += 1;
    else if (sign === '"') isText = !isText;
    else if (!isText && (sign === "{" || sign === "[")) deepest = Math.max(deepest, ++depth);
    else if (!isText && (sign === "}" || sign === "]")) depth -= 1;
  }
  return deepest;
}
