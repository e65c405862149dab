import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** An MCP server over HTTP that can lose its sessions and reject requests. */
export interface McpHttpServer extends AsyncDisposable {
  readonly address: string;
  /** Headers of the requests, newest last. */
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  /** Names and arguments of the calls. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  /** Forgets all sessions, as after a restart. */
  forget(): void;
  /** Closes the port as if the process had ended, until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Answers every request with this status from now on; 0 serves again. */
  rejectWith(status: number): void;
  /** Stops responding; the returned function resumes. */
  fallSilent(): () => void;
}

/** Sees each request first; resolves to true when it answered the request. */
export type RequestInterceptor = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Content that a tool returns instead of a text, by tool. */
export type ToolContents = Readonly<Record<string, CallToolResult["content"]>>;

export async function startMcpHttpServer(
  interceptor?: RequestInterceptor,
  contents: ToolContents = {},
  /** Names of the tools that fail at each call. */
  failing: ReadonlySet<string> = new Set(),
): Promise<McpHttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const calls: { name: string; args: unknown }[] = [];
  let rejectStatus = 0;
  let silence = Promise.resolve();
  let port = 0;
  let http: HttpServer;

  const open = async () => {
    const id = randomUUID();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    sessions.set(id, transport);
    const server = new Server({ name: "remote", version: "2.0" }, { capabilities: { tools: {} } });
    const inputSchema = { type: "object" as const };
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [
        { name: "look", inputSchema, annotations: { readOnlyHint: true } },
        { name: "act", inputSchema },
      ],
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      calls.push({ name: params.name, args: params.arguments });
      const content = contents[params.name] ?? [{ type: "text", text: `${params.name} done` }];
      return { content, ...(failing.has(params.name) && { isError: true }) };
    });
    await server.connect(transport as Transport);
    return transport;
  };
  const listen = async () => {
    http = createServer(async (request, response) => {
      headers.push(request.headers);
      await silence;
      if (await interceptor?.(request, response)) return;
      if (rejectStatus !== 0) return void response.writeHead(rejectStatus).end();
      const id = request.headers["mcp-session-id"];
      const transport = id === undefined ? await open() : sessions.get(String(id));
      if (transport) return transport.handleRequest(request, response);
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
    }).listen(port, "127.0.0.1");
    await once(http, "listening");
    ({ port } = http.address() as AddressInfo);
  };
  const close = async () => {
    for (const transport of sessions.values()) await transport.close();
    sessions.clear();
    if (!http.listening) return;
    http.close();
    http.closeAllConnections();
    await once(http, "close");
  };
  await listen();
  return {
    address: `http://127.0.0.1:${port}/mcp`,
    headers,
    calls,
    forget: () => sessions.clear(),
    goAway: close,
    comeBack: listen,
    rejectWith(status) {
      rejectStatus = status;
    },
    fallSilent() {
      const { promise, resolve } = Promise.withResolvers<void>();
      silence = promise;
      return resolve;
    },
    [Symbol.asyncDispose]: close,
  };
}
