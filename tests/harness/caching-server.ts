import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Protocols of providers with a cache of prompts. */
export const CACHING_PROTOCOLS = ["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate"] as const;
export type CachingProtocol = (typeof CACHING_PROTOCOLS)[number];

/** Tokens that the server reports for each answer: 1,000 of input, of which 600 came from the cache. */
export const REPORTED = { input: 1_000, read: 600, written: 300, output: 10 } as const;

type Body = Readonly<Record<string, unknown>>;

export interface CachingServer extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the requests, oldest first. */
  readonly bodies: readonly Body[];
}

/** Starts a model server that speaks a protocol without streaming and reports cached tokens. */
export async function startCachingServer(
  protocol: CachingProtocol,
  answer: (body: Body) => string,
): Promise<CachingServer> {
  const bodies: Body[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const body: Body = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(ANSWERS[protocol](answer(body))));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ANSWERS: Readonly<Record<CachingProtocol, (text: string) => object>> = {
  openai_chat: (content) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: REPORTED.input,
      completion_tokens: REPORTED.output,
      prompt_tokens_details: { cached_tokens: REPORTED.read },
    },
  }),
  openai_responses: (text) => ({
    id: "r",
    object: "response",
    created_at: 1,
    model: "m",
    output: [
      { type: "message", id: "o", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] },
    ],
    usage: {
      input_tokens: REPORTED.input,
      output_tokens: REPORTED.output,
      input_tokens_details: { cached_tokens: REPORTED.read },
    },
  }),
  anthropic_messages: (text) => ({
    type: "message",
    id: "a",
    model: "m",
    role: "assistant",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    // This protocol counts cached tokens apart from the others.
    usage: {
      input_tokens: REPORTED.input - REPORTED.read - REPORTED.written,
      output_tokens: REPORTED.output,
      cache_read_input_tokens: REPORTED.read,
      cache_creation_input_tokens: REPORTED.written,
    },
  }),
  gemini_generate: (text) => ({
    candidates: [{ content: { parts: [{ text }], role: "model" }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: REPORTED.input,
      candidatesTokenCount: REPORTED.output,
      cachedContentTokenCount: REPORTED.read,
    },
  }),
};
