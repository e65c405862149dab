import { mapLines } from "./stream-lines.ts";

/** Rewrites one event of a provider to a form its library reads; undefined drops it. */
export type TidyEvent = (event: Readonly<Record<string, unknown>>) => object | undefined;

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

/** OpenAI's chat protocol, as its many servers speak it. */
export const tidyChatEvent: TidyEvent = (event) => {
  if (event.error) return event;
  if (!Array.isArray(event.choices)) return isRecord(event.usage) ? { ...event, choices: [] } : undefined;
  return { ...event, choices: event.choices.filter(isRecord).map(tidyChoice) };
};

function tidyChoice(choice: Readonly<Record<string, unknown>>): object {
  const tidied = ["delta", "message"]
    .filter((name) => isRecord(choice[name]))
    .map((name) => [name, tidyMessage(choice[name] as Readonly<Record<string, unknown>>)]);
  return { ...choice, ...Object.fromEntries(tidied) };
}

function tidyMessage({ role, tool_calls, ...message }: Readonly<Record<string, unknown>>): object {
  const calls = Array.isArray(tool_calls) ? tool_calls.filter(isRecord).map(tidyCall) : undefined;
  return { ...message, ...(role === "assistant" && { role }), ...(calls && calls.length > 0 && { tool_calls: calls }) };
}

/** Arguments are a text of JSON; some servers send the object itself. */
function tidyCall({ function: called, ...call }: Readonly<Record<string, unknown>>): object {
  if (!isRecord(called)) return { ...call, function: called };
  const { arguments: args } = called;
  const isObject = typeof args === "object" && args !== null;
  return { ...call, function: isObject ? { ...called, arguments: JSON.stringify(args) } : called };
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

/** Gemini's protocol, whose library reads any object. */
export const tidyGeminiEvent: TidyEvent = (event) => event;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
