import { isObject } from "@parley/core/json";
import { readErrorText, toErrorEvent } from "./error-events.ts";
import { type Json, readFields, readNumber, type TidyEvent } from "./field-readers.ts";
import { mapLines } from "./stream-lines.ts";

const DATA = /^data:(?!\s*\[DONE\])/;

export interface TidyOptions {
  /** True when a stream was requested, so that an error in a whole answer becomes an event. */
  readonly isStreamed: boolean;
  readonly rewrite?: (line: string) => string;
}

/** Rewrites a response, streamed or whole: first its events, then its lines. Anything that is not JSON stays unchanged. */
export function tidyResponse(response: Response, tidy: TidyEvent, { isStreamed, rewrite }: TidyOptions): Response {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !response.ok || !/event-stream|json/.test(type)) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The length of the body has changed.
  headers.delete("content-length");
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(type.includes("json") ? tidyWhole(tidy, isStreamed) : tidyLines(tidy, rewrite))
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status, statusText, headers });
}

/** An invalid body, which every library reports together with the error in it. */
const NO_ANSWER = { candidates: "none" };

function tidyWhole(tidy: TidyEvent, isStreamed: boolean): TransformStream<string, string> {
  let text = "";
  return new TransformStream<string, string>({
    transform(chunk) {
      text += chunk;
    },
    flush(controller) {
      const { json, isError = false } = tidyJson(text, tidy) ?? {};
      if (isStreamed && isError) controller.enqueue(`data: ${JSON.stringify(json)}\n\n`);
      else if (isError) controller.enqueue(JSON.stringify({ ...json, ...NO_ANSWER }));
      else controller.enqueue(json ? JSON.stringify(json) : text);
    },
  });
}

function tidyLines(tidy: TidyEvent, rewrite = (line: string) => line): TransformStream<string, string> {
  let isErrorNext = false;
  return mapLines((line) => {
    if (line.startsWith("event:")) isErrorNext = /^event:\s*error\s*$/.test(line);
    if (!DATA.test(line)) return rewrite(line);
    const data = line.slice("data:".length).trim();
    if (!/^[{[]/.test(data)) {
      // Some servers and proxies send lines such as `data: ping` to keep a stream open.
      return isErrorNext && data !== "" ? `data: ${JSON.stringify(toErrorEvent(data))}` : "";
    }
    const tidied = tidyJson(data, tidy);
    if (!tidied) return rewrite(line.trimEnd());
    return tidied.json ? rewrite(`data: ${JSON.stringify(tidied.json)}`) : "";
  });
}
interface TidiedJson {
  /** The rewritten value; undefined when it is dropped. */
  readonly json?: object | undefined;
  readonly isError: boolean;
}

/** Rewrites a JSON event. Returns undefined for a text that is not JSON; drops a value that is not an object. */
function tidyJson(text: string, tidy: TidyEvent): TidiedJson | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const event: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(event)) return { isError: false };
  const message = readErrorText(event);
  if (message !== undefined) return { json: toErrorEvent(message, event), isError: true };
  return { json: event === value ? tidy(event) : undefined, isError: false };
}

/** Rewrites events of Gemini's protocol from other servers: counts may be texts, and parts may be missing. */
export const tidyGeminiEvent: TidyEvent = ({ usageMetadata: usage, candidates, error: _error, ...event }) => ({
  ...event,
  ...(Array.isArray(candidates) && { candidates: candidates.filter(isObject).map(readCandidate) }),
  ...(isObject(usage) && { usageMetadata: readCounts(usage) }),
});

function readCounts(usage: Json): Json {
  const counts = Object.keys(usage).filter((name) => name.endsWith("TokenCount"));
  return readFields(usage, Object.fromEntries(counts.map((name) => [name, readNumber])));
}

function readCandidate({ content, finishReason, ...candidate }: Json): Json {
  const { parts, ...more }: Json = isObject(content) ? content : { parts: content };
  const read = [parts]
    .flat()
    .flatMap((part) => (typeof part === "string" ? { text: part } : isObject(part) ? part : []));
  const reason = typeof finishReason === "number" ? "STOP" : finishReason;
  return {
    ...candidate,
    content: { ...more, parts: read },
    ...(typeof reason === "string" && { finishReason: reason }),
  };
}
