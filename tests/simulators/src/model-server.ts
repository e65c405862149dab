import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import {
  type HttpAnswer,
  type HttpCall,
  type PlatformServer,
  type Simulator,
  type SimulatorOptions,
  startPlatformServer,
} from "./platform-server.ts";

/** Response of the server to one request, in the order of the requests. */
export type ModelScript =
  /** Streams the text in word-size pieces, or answers it whole when no stream was requested. */
  | { readonly kind: "text"; readonly text: string; readonly thinking?: string; readonly finish?: "stop" | "length" }
  | { readonly kind: "tool"; readonly name: string; readonly args: unknown; readonly text?: string }
  /** Answers with one picture, given as base64. */
  | { readonly kind: "image"; readonly base64: string }
  /** Streams `text`, then a line that is not JSON. */
  | { readonly kind: "malformed"; readonly text?: string }
  | { readonly kind: "status"; readonly status: number; readonly message?: string; readonly retryAfterS?: number }
  /** Streams `text`, if any, then sends nothing until the client disconnects. Without `text` not even headers. */
  | { readonly kind: "hang"; readonly text?: string }
  /** Streams `text`, then drops the connection. */
  | { readonly kind: "cut"; readonly text: string }
  /** Streams `pieces` one by one, each after a `gate.next()`; without a stream all of them after the last one. */
  | { readonly kind: "held"; readonly pieces: readonly string[]; readonly gate: Gate; readonly thinking?: string };

/** Releases a held reply piece by piece. */
export interface Gate {
  next(): void;
  /** Resolves when the next piece may be sent. */
  passed(): Promise<void>;
}

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly [key: string]: unknown;
  };
}

export interface ModelServer extends Simulator<ModelRequest> {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** Scripted replies; without any the server echoes the user, unless it has an `answer`. */
  readonly script: ModelScript[];
  /** Alias of `calls`: all requests for a reply, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Requests for a title of a conversation; they take nothing from the script. */
  readonly titleRequests: readonly ModelRequest[];
  /** Requests to extract memories; they take nothing from the script either. */
  readonly memoryRequests: readonly ModelRequest[];
  /** Count of clients that disconnected before the end of their answer. */
  readonly aborted: () => number;
  /** Resolves with the next request for a conversation's reply. */
  nextRequest(): Promise<ModelRequest>;
}

export interface ModelServerOptions extends SimulatorOptions {
  readonly title?: string;
  /** Listed models. */
  readonly models?: readonly string[];
  /** Returns the extracted `memories`; a failure when it throws. Default: none. */
  readonly remembers?: (request: ModelRequest) => readonly object[];
  /** Returns the reply when the script is empty, in place of the echo. */
  readonly answer?: (request: ModelRequest) => ModelScript;
}

/** Starts a server for OpenAI's chat completions on 127.0.0.1 that follows its script. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { title = "A scripted title", models = ["scripted"], remembers = () => [], answer = repeatUserText } = options;
  const script: ModelScript[] = [];
  const titleRequests: ModelRequest[] = [];
  const memoryRequests: ModelRequest[] = [];
  let aborted = 0;

  const server: PlatformServer<ModelRequest> = await startPlatformServer<ModelRequest>({
    options,
    async serve(call): Promise<HttpAnswer> {
      const { response } = call;
      response.on("close", () => {
        if (!response.writableFinished) aborted += 1;
      });
      if (call.method === "GET" && call.path.endsWith("/models")) {
        const data = models.map((id) => ({ id, object: "model" }));
        response.writeHead(200, JSON_TYPE).end(JSON.stringify({ object: "list", data }));
        return "leave";
      }
      const request = toModelRequest(call);
      if (isTitleRequest(request)) {
        titleRequests.push(request);
        answerText(response, request, title);
        return "leave";
      }
      if (isMemoryRequest(request)) {
        memoryRequests.push(request);
        answerMemories(response, request, remembers);
        return "leave";
      }
      server.record(request);
      const question = lastUserText(request);
      const step = await server.perform<ModelScript>("chat", question, {
        done: () => script.shift() ?? answer(request),
        tooMany: () => ({ kind: "status", status: 429, message: "rate limit", retryAfterS: 1 }),
        serverError: () => ({ kind: "status", status: 500, message: "internal error" }),
        lyingOk: () => ({ kind: "text", text: "" }),
        halfOpen: () => ({ kind: "hang" }),
      });
      await performStep(step, request, response);
      return "leave";
    },
  });
  const { simulator } = server;
  return {
    ...simulator,
    baseUrl: `http://${server.authority}/v1`,
    script,
    requests: simulator.calls,
    titleRequests,
    memoryRequests,
    aborted: () => aborted,
    nextRequest() {
      const from = simulator.calls.length;
      return simulator.waitFor(() => simulator.calls[from]);
    },
  };
}

/** Creates a gate for a `held` reply: nothing passes until `next` is called. */
export function createGate(): Gate {
  const waiting: (() => void)[] = [];
  let credit = 0;
  return {
    next() {
      const resolve = waiting.shift();
      if (resolve) resolve();
      else credit += 1;
    },
    passed() {
      if (credit > 0) {
        credit -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => void waiting.push(resolve));
    },
  };
}

async function performStep(step: ModelScript, request: ModelRequest, response: ServerResponse): Promise<void> {
  switch (step.kind) {
    case "text":
      return answerText(response, request, step.text, step);
    case "tool":
      return answerTool(response, request, step);
    case "status":
      return answerStatus(response, step);
    case "image":
      return void response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ created: 1, data: [{ b64_json: step.base64 }] }));
    case "malformed":
      if (!request.body.stream) return void response.writeHead(200, JSON_TYPE).end("{ this is not JSON");
      streamPieces(response, step.text ?? "");
      response.write("data: { this is not JSON\n\n");
      return finish(response, "stop", 0);
    case "hang":
      if (step.text === undefined) return;
      return streamPieces(response, step.text);
    case "cut":
      streamPieces(response, step.text);
      return void setImmediate(() => response.destroy());
    case "held":
      if (!request.body.stream) {
        for (const _ of step.pieces) await step.gate.passed();
        return answerText(response, request, step.pieces.join(""), step);
      }
      beginStream(response);
      if (step.thinking) writeEvent(response, { delta: { reasoning_content: step.thinking } });
      for (const piece of step.pieces) {
        await step.gate.passed();
        if (response.destroyed) return;
        writeEvent(response, { delta: { content: piece } });
      }
      return finish(response, "stop", step.pieces.length);
  }
}

const JSON_TYPE = { "content-type": "application/json" };

function answerText(
  response: ServerResponse,
  request: ModelRequest,
  text: string,
  { thinking, finish: reason = "stop" }: { readonly thinking?: string; readonly finish?: "stop" | "length" } = {},
): void {
  const count = splitWords(text).length;
  if (!request.body.stream) {
    const message = { role: "assistant", content: text, ...(thinking && { reasoning_content: thinking }) };
    answerWhole(response, message, reason, count);
    return;
  }
  beginStream(response);
  if (thinking) writeEvent(response, { delta: { reasoning_content: thinking } });
  streamPieces(response, text);
  finish(response, reason, count);
}

function answerTool(
  response: ServerResponse,
  request: ModelRequest,
  { name, args, text = "" }: { readonly name: string; readonly args: unknown; readonly text?: string },
): void {
  const call = { index: 0, id: `call_${name}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
  if (!request.body.stream) {
    answerWhole(response, { role: "assistant", content: text, tool_calls: [call] }, "tool_calls", 1);
    return;
  }
  streamPieces(response, text);
  writeEvent(response, { delta: { tool_calls: [call] } });
  finish(response, "tool_calls", 1);
}

function answerStatus(
  response: ServerResponse,
  step: { readonly status: number; readonly message?: string; readonly retryAfterS?: number },
): void {
  const retry = step.retryAfterS === undefined ? {} : { "retry-after": String(step.retryAfterS) };
  response.writeHead(step.status, { ...JSON_TYPE, ...retry });
  response.end(JSON.stringify({ error: { message: step.message ?? `scripted ${step.status}`, type: "scripted" } }));
}

function answerWhole(response: ServerResponse, message: object, reason: string, outputTokens: number): void {
  response.writeHead(200, JSON_TYPE);
  response.end(
    JSON.stringify({
      id: "cmpl_scripted",
      object: "chat.completion",
      created: 0,
      model: "scripted",
      choices: [{ index: 0, message, finish_reason: reason }],
      usage: usage(outputTokens),
    }),
  );
}

function beginStream(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
}

function streamPieces(response: ServerResponse, text: string): void {
  beginStream(response);
  response.flushHeaders();
  for (const content of splitWords(text)) writeEvent(response, { delta: { content } });
}

function finish(response: ServerResponse, reason: string, outputTokens: number): void {
  writeEvent(response, { delta: {}, finish_reason: reason });
  response.write(`data: ${JSON.stringify({ ...CHUNK, choices: [], usage: usage(outputTokens) })}\n\n`);
  response.end("data: [DONE]\n\n");
}

const CHUNK = { id: "cmpl_scripted", object: "chat.completion.chunk", created: 0, model: "scripted" };

function writeEvent(response: ServerResponse, choice: object): void {
  response.write(`data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, ...choice }] })}\n\n`);
}

function usage(outputTokens: number): object {
  return { prompt_tokens: 10, completion_tokens: outputTokens, total_tokens: 10 + outputTokens };
}

function splitWords(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function toModelRequest({ path, headers, body }: HttpCall): ModelRequest {
  return { path, headers, body: body() as unknown as ModelRequest["body"] };
}

function answerMemories(
  response: ServerResponse,
  request: ModelRequest,
  remembers: (one: ModelRequest) => readonly object[],
) {
  let memories: readonly object[];
  try {
    memories = remembers(request);
  } catch (error) {
    return answerStatus(response, { status: 500, message: (error as Error).message });
  }
  answerText(response, request, JSON.stringify({ memories }));
}

function isMemoryRequest({ body }: ModelRequest): boolean {
  const first = body.messages?.[0];
  return typeof first?.content === "string" && first.content.startsWith("You keep what is worth remembering");
}

function isTitleRequest({ body }: ModelRequest): boolean {
  const first = body.messages?.[0];
  return first?.role === "system" && typeof first.content === "string" && /^Give .*\btitle\b/.test(first.content);
}

function repeatUserText(request: ModelRequest): ModelScript {
  return { kind: "text", text: `You said: ${lastUserText(request)}` };
}

/** Instructions that the service adds to the text of the last message. */
const NOTES = /<instructions>\n.*?\n<\/instructions>/gs;

function lastUserText({ body }: ModelRequest): string {
  const content = body.messages?.findLast(({ role }) => role === "user")?.content;
  if (typeof content === "string") return content.replaceAll(NOTES, "").trim();
  if (!Array.isArray(content)) return "";
  const text = content.map((part: { readonly text?: string }) => part.text ?? "").join("");
  return text.replaceAll(NOTES, "").trim();
}
