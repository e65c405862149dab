import { LoadAPIKeyError, type SpeechModelV4, type TranscriptionModelV4 } from "@ai-sdk/provider";
import type { ModelConnection, ModelProtocol } from "@parley/core";
import { createAnthropicTidy } from "./anthropic-events.ts";
import { tidyChatEvent } from "./chat-events.ts";
import type { TidyEvent } from "./field-readers.ts";
import { createFinishReasonRewriter } from "./finish-reason.ts";
import { toRequestUrl } from "./request-url.ts";
import { createRerankModel } from "./rerank-model.ts";
import { createResponsesTidy } from "./responses-events.ts";
import { fetchServerModels, parseGeminiModelList, parseModelList } from "./server-models.ts";
import { tidyGeminiEvent, tidyResponse } from "./stream-events.ts";

// Each library is loaded with the first model of its protocol, since all of them take 12 MB. They only get this
// placeholder address; `createModelFetch` sets the real one.
const PLACEHOLDER = "https://model.invalid";
const OPENAI = "https://api.openai.com/v1";
/** Lists the models of a server that speaks one of OpenAI's protocols. */
const listOpenaiModels: NonNullable<ModelProtocol["list"]> = (connection, signal) =>
  fetchServerModels(
    connection,
    { version: "", path: "/models", headers: { authorization: `Bearer ${connection.apiKey}` }, read: parseModelList },
    signal,
  );
const ALL_FEATURES = { stream: true, tools: true, reasoning: true, vision: true };

export const openaiChat: ModelProtocol = {
  id: "openai_chat",
  name: "OpenAI chat completions",
  purposes: ["chat", "vision", "video", "image_generation", "tts", "stt", "embedding", "rerank", "gate"],
  defaultBaseUrl: OPENAI,
  keyVariable: "OPENAI_API_KEY",
  supports: ALL_FEATURES,
  list: listOpenaiModels,
  async open(connection) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const call = createModelFetch(connection, OPENAI, "");
    const provider = createOpenAICompatible({
      name: "openai_chat",
      baseURL: PLACEHOLDER,
      fetch: async (input, init) => {
        const response = await call(input, init);
        const options = { isStreamed: isStreamRequest(input, init), rewrite: createFinishReasonRewriter() };
        return isChatRequest(input) ? tidyResponse(response, tidyChatEvent, options) : response;
      },
      includeUsage: true,
      ...(connection.apiKey && { apiKey: connection.apiKey }),
    });
    const { model } = connection;
    return {
      language: provider.chatModel(model),
      embedding: provider.embeddingModel(model),
      image: provider.imageModel(model),
      ...openAudioModels(connection),
      reranking: createRerankModel(model, (body) => {
        const headers = { "content-type": "application/json", authorization: `Bearer ${connection.apiKey}` };
        return createModelFetch(connection, OPENAI, "")(`${PLACEHOLDER}/rerank`, { method: "POST", headers, ...body });
      }),
    };
  },
};

/** Opens audio models with a second library, which implements this part of the protocol correctly. */
function openAudioModels(connection: ModelConnection): {
  readonly speech: SpeechModelV4;
  readonly transcription: TranscriptionModelV4;
} {
  const { model } = connection;
  const open = async () => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({
      baseURL: PLACEHOLDER,
      apiKey: connection.apiKey ?? "",
      fetch: createModelFetch(connection, OPENAI, ""),
    });
  };
  const modelInfo = { specificationVersion: "v4", provider: "openai_chat", modelId: model } as const;
  return {
    speech: { ...modelInfo, doGenerate: async (options) => (await open()).speech(model).doGenerate(options) },
    transcription: {
      ...modelInfo,
      doGenerate: async (options) => (await open()).transcription(model).doGenerate(options),
    },
  };
}

export const openaiResponses: ModelProtocol = {
  id: "openai_responses",
  name: "OpenAI responses",
  purposes: ["chat", "vision", "gate"],
  defaultBaseUrl: OPENAI,
  keyVariable: "OPENAI_API_KEY",
  supports: ALL_FEATURES,
  list: listOpenaiModels,
  async open(connection) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const send = withTidyResponses(createModelFetch(connection, OPENAI, ""), createResponsesTidy);
    const settings = { baseURL: PLACEHOLDER, apiKey: connection.apiKey ?? "", fetch: send };
    return { language: createOpenAI(settings).responses(connection.model) };
  },
};

const ANTHROPIC = "https://api.anthropic.com";
export const anthropicMessages: ModelProtocol = {
  id: "anthropic_messages",
  name: "Anthropic messages",
  purposes: ["chat", "vision", "gate"],
  defaultBaseUrl: ANTHROPIC,
  keyVariable: "ANTHROPIC_API_KEY",
  supports: ALL_FEATURES,
  list(connection, signal) {
    const headers = { "x-api-key": connection.apiKey ?? "", "anthropic-version": "2023-06-01" };
    return fetchServerModels(
      connection,
      { version: "/v1", path: "/models?limit=1000", headers, read: parseModelList },
      signal,
    );
  },
  async open(connection) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const provider = createAnthropic({
      baseURL: PLACEHOLDER,
      apiKey: connection.apiKey ?? "",
      fetch: withTidyResponses(createModelFetch(connection, ANTHROPIC, "/v1"), createAnthropicTidy),
    });
    return { language: provider.messages(connection.model) };
  },
};

const GEMINI = "https://generativelanguage.googleapis.com";
export const geminiGenerate: ModelProtocol = {
  id: "gemini_generate",
  name: "Gemini generateContent",
  purposes: ["chat", "vision", "video", "embedding", "gate"],
  defaultBaseUrl: GEMINI,
  keyVariable: "GEMINI_API_KEY",
  supports: ALL_FEATURES,
  list(connection, signal) {
    const headers = { "x-goog-api-key": connection.apiKey ?? "" };
    const path = "/models?pageSize=1000";
    return fetchServerModels(connection, { version: "/v1beta", path, headers, read: parseGeminiModelList }, signal);
  },
  async open(connection) {
    const { createGoogle } = await import("@ai-sdk/google");
    const provider = createGoogle({
      baseURL: PLACEHOLDER,
      apiKey: connection.apiKey ?? "",
      fetch: withTidyResponses(createModelFetch(connection, GEMINI, "/v1beta"), () => tidyGeminiEvent),
    });
    return { language: provider.chat(connection.model), embedding: provider.embedding(connection.model) };
  },
};

function isChatRequest(input: Parameters<typeof fetch>[0]): boolean {
  return String(input instanceof Request ? input.url : input).endsWith("/chat/completions");
}

/** Wraps `fetch` so that responses are rewritten to a form that the library reads. */
function withTidyResponses(send: typeof fetch, begin: () => TidyEvent): typeof fetch {
  return async (input, init) =>
    tidyResponse(await send(input, init), begin(), { isStreamed: isStreamRequest(input, init) });
}

/** True for a request of a stream: Gemini's protocol asks for it by the address, the others by a field. */
function isStreamRequest(input: Parameters<typeof fetch>[0], { body }: RequestInit = {}): boolean {
  const url = String(input instanceof Request ? input.url : input);
  return url.includes(":streamGenerateContent") || (typeof body === "string" && JSON.parse(body).stream === true);
}

/** Creates a `fetch` that sends requests to the configured address, with the record's headers and body fields. */
function createModelFetch(connection: ModelConnection, defaultBaseUrl: string, version: string): typeof fetch {
  return async (input, init = {}) => {
    const { baseUrl, appendPath, apiKey } = connection;
    if (!apiKey && new URL(baseUrl).origin === new URL(defaultBaseUrl).origin) {
      throw new LoadAPIKeyError({ message: "no API key is stored and none is in the environment" });
    }
    const requestedUrl = String(input instanceof Request ? input.url : input);
    const path = requestedUrl.slice(PLACEHOLDER.length);
    return connection.fetch(toRequestUrl({ baseUrl, appendPath, version, path }), {
      ...init,
      headers: toHeaders(init, connection),
      body: mergeBody(init.body, connection),
    });
  };
}

function toHeaders(init: RequestInit, { headers, apiKey }: ModelConnection): Headers {
  const merged = new Headers(init.headers);
  // An empty key would be sent as an empty credential, which some local servers reject.
  if (!apiKey) for (const name of ["authorization", "x-api-key", "x-goog-api-key"]) merged.delete(name);
  for (const [name, value] of Object.entries(headers)) merged.set(name, value);
  return merged;
}

function mergeBody(
  body: RequestInit["body"],
  { extraBody, leaveOut = new Set() }: ModelConnection,
): NonNullable<RequestInit["body"]> | null {
  if (typeof body !== "string" || (Object.keys(extraBody).length === 0 && leaveOut.size === 0)) return body ?? null;
  return JSON.stringify({ ...removeFields(JSON.parse(body), leaveOut), ...extraBody });
}

/** Removes the named fields from a request body, or renames a token limit that was rejected under its older name. */
function removeFields(body: Record<string, unknown>, leaveOut: ReadonlySet<string>): Record<string, unknown> {
  const { generationConfig, max_tokens } = body;
  const remaining = Object.fromEntries(Object.entries(body).filter(([name]) => !leaveOut.has(name)));
  // The token limit has a newer name.
  const isRenamed = leaveOut.has("max_tokens") && max_tokens !== undefined && !leaveOut.has("max_completion_tokens");
  if (isRenamed) remaining.max_completion_tokens = max_tokens;
  if (typeof generationConfig === "object" && generationConfig !== null) {
    remaining.generationConfig = removeFields({ ...generationConfig }, leaveOut);
  }
  return remaining;
}
