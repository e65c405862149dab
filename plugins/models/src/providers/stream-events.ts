import { readFields, readNumber, type TidyEvent } from "./chat-events.ts";
import { mapLines } from "./stream-lines.ts";

const DATA = /^data:(?!\s*\[DONE\])/;

/** Rewrites a response, streamed or whole: first its events, then its lines. Anything that is not JSON stays unchanged. */
export function tidyResponse(
  response: Response,
  tidy: TidyEvent,
  rewrite: (line: string) => string = (line) => line,
): Response {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !response.ok || !/event-stream|json/.test(type)) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The length of the body has changed.
  headers.delete("content-length");
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(type.includes("json") ? tidyWhole(tidy) : tidyLines(tidy, rewrite))
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status, statusText, headers });
}

function tidyWhole(tidy: TidyEvent): TransformStream<string, string> {
  let text = "";
  return new TransformStream<string, string>({
    transform(chunk) {
      text += chunk;
    },
    flush: (controller) => controller.enqueue(tidyJson(text, tidy) ?? text),
  });
}

function tidyLines(tidy: TidyEvent, rewrite: (line: string) => string): TransformStream<string, string> {
  return mapLines((line) => {
    if (!DATA.test(line)) return rewrite(line);
    // Some servers and proxies keep a stream open with lines such as `data: ping`.
    if (!/^data:\s*[{[]/.test(line)) return "";
    const event = tidyJson(line.slice("data:".length), tidy);
    return event === undefined ? "" : rewrite(`data: ${event}`);
  });
}

/** Rewrites a JSON event; a value that is no object is dropped. */
function tidyJson(text: string, tidy: TidyEvent): string | undefined {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return text.trimEnd();
  }
  const tidied = isRecord(event) ? tidy(event) : undefined;
  return tidied && JSON.stringify(tidied);
}

const ANTHROPIC_EVENTS = new Set([
  ...["message_start", "content_block_start", "content_block_delta", "content_block_stop"],
  ...["message_delta", "message_stop", "ping", "error", "message"],
]);
const ANTHROPIC_BLOCKS = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const ANTHROPIC_DELTAS = new Set([
  ...["text_delta", "thinking_delta", "signature_delta", "input_json_delta", "citations_delta"],
]);

/** Anthropic's protocol: drops unknown events, blocks and deltas. Stateful: create one per answer. */
export function tidyAnthropicEvents(): TidyEvent {
  const unknown = new Set<unknown>();
  return (event) => {
    const { type, index, content_block, delta } = event;
    if (!ANTHROPIC_EVENTS.has(String(type))) return undefined;
    if (type === "message" && Array.isArray(event.content)) {
      return {
        ...event,
        content: event.content.filter((block) => isRecord(block) && ANTHROPIC_BLOCKS.has(String(block.type))),
      };
    }
    if (type === "content_block_start") {
      if (!isRecord(content_block) || !ANTHROPIC_BLOCKS.has(String(content_block.type))) unknown.add(index);
    }
    if (String(type).startsWith("content_block_") && unknown.has(index)) return undefined;
    const isStrange = type === "content_block_delta" && !(isRecord(delta) && ANTHROPIC_DELTAS.has(String(delta.type)));
    return isStrange ? undefined : event;
  };
}

/** OpenAI's responses protocol: the library passes over events of an unknown type, not those without one. */
export const tidyResponsesEvent: TidyEvent = (event) =>
  typeof event.type === "string" || event.error ? event : undefined;

/** Gemini's protocol, whose library reads any object; some servers send its counts as text. */
export const tidyGeminiEvent: TidyEvent = ({ usageMetadata: usage, ...event }) => {
  if (!isRecord(usage)) return event;
  const counts = Object.entries(usage).filter(([name]) => name.endsWith("TokenCount"));
  const fields = Object.fromEntries(counts.map(([name]) => [name, readNumber]));
  return { ...event, usageMetadata: readFields(usage, fields) };
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
