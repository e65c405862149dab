import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Milliseconds after which a call is answered by a stream, so that the client sees progress. */
const STREAM_AFTER_MS = 2_000;
const FORWARDED_HEADERS = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

/** Converts the request for the protocol's library; its body is already read. */
export function toWebRequest({ method = "", headers }: IncomingMessage): Request {
  const forwarded = FORWARDED_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return new Request("http://127.0.0.1/mcp", { method, headers: Object.fromEntries(forwarded) });
}

/** True for a message that requests progress; its response is a stream from the start. */
export function wantsProgress(message: unknown): boolean {
  const { params } = (message ?? {}) as { readonly params?: { readonly _meta?: { readonly progressToken?: unknown } } };
  return params?._meta?.progressToken !== undefined;
}

/** Writes the library's response. A stream that ends soon with one message becomes plain JSON when `canBeJson`. */
export async function writeResponse(response: ServerResponse, answer: Response, canBeJson: boolean): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  const isStream = headers["content-type"]?.startsWith("text/event-stream") ?? false;
  if (!isStream || !answer.body) {
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    return;
  }
  const reader = answer.body.getReader();
  const closed = once(response, "close");
  closed.then(() => reader.cancel()).catch(() => {}); // the stream has ended by itself
  let bufferedChunks: Uint8Array[] | undefined = [];
  const stream = () => {
    response.writeHead(answer.status, headers);
    response.flushHeaders();
    for (const chunk of bufferedChunks ?? []) response.write(chunk);
    bufferedChunks = undefined;
  };
  const timer = setTimeout(stream, canBeJson ? STREAM_AFTER_MS : 0);
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (bufferedChunks) bufferedChunks.push(read.value);
    else if (!response.write(read.value)) await Promise.race([once(response, "drain"), closed]);
  }
  clearTimeout(timer);
  const only = bufferedChunks && canBeJson ? getOnlyMessage(bufferedChunks) : undefined;
  if (bufferedChunks && only === undefined) stream();
  if (only !== undefined) response.writeHead(answer.status, { ...headers, "content-type": "application/json" });
  response.end(only);
}

/** Returns the only message of an ended stream; undefined when there are more. */
function getOnlyMessage(chunks: readonly Uint8Array[]): string | undefined {
  const events = Buffer.concat(chunks).toString("utf8").split("\n\n");
  const messages = events.flatMap((event) => /^data: (.+)$/m.exec(event)?.[1] ?? []);
  return messages.length === 1 ? messages[0] : undefined;
}
