import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Logger, type ToolScope } from "@parley/core";
import { readMessages } from "./http-body.ts";
import type { HttpChecks } from "./http-checks.ts";
import { HttpError, sendHttpError } from "./http-error.ts";
import { toWebRequest, wantsProgress, writeResponse } from "./http-response.ts";
import type { HttpSessions } from "./http-sessions.ts";
import { MCP_PATH, METADATA_PATHS } from "./metadata-url.ts";

const SWEEP_EVERY_MS = 60_000;

export interface HttpListenerDeps {
  readonly host: string;
  readonly port: number;
  readonly sessions: HttpSessions;
  /** Accepts a request with the current checks; waits while nothing serves. */
  readonly withServing: <Accepted>(accept: (checks: RequestChecks) => Promise<Accepted>) => Promise<Accepted>;
  readonly log: Logger;
}

export interface RequestChecks {
  readonly checks: HttpChecks;
  /** Returns the tool scopes that the calls of one or more messages require. */
  readonly listRequiredScopes: (messages: unknown) => readonly ToolScope[];
}

export interface HttpListener extends AsyncDisposable {
  /** `http://127.0.0.1:5001/mcp` */
  readonly address: string;
}

/** Serves MCP over streamable HTTP on a separate socket. */
export async function createHttpListener({
  host,
  port,
  sessions,
  withServing,
  log,
}: HttpListenerDeps): Promise<HttpListener> {
  /** Passes a request to its session; the returned function writes the response, which may take as long as the session. */
  const accept = async (
    { checks, listRequiredScopes: needed }: RequestChecks,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<() => Promise<void>> => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const metadata = METADATA_PATHS.includes(path) ? checks.getMetadata(request) : undefined;
    if (path !== MCP_PATH && !metadata) throw new HttpError(404, "not found");
    checks.checkHost(request);
    if (checks.isAllowedOrigin(request)) {
      for (const [name, value] of Object.entries(toCorsHeaders(request))) response.setHeader(name, value);
      if (request.method === "OPTIONS") return async () => void response.writeHead(204).end();
    }
    if (metadata) return async () => sendMetadata(request, response, metadata);
    const caller = await checks.authenticate(request);
    await checks.checkRequest(request, caller.id);
    const id = request.headers["mcp-session-id"];
    const body = request.method === "POST" ? await readMessages(request) : undefined;
    if (caller.granted) for (const scope of needed(body)) checks.checkScope(request, caller, scope);
    const isInitialize = isInitializeRequest(body);
    if (id === undefined && !isInitialize) throw new HttpError(400, "mcp-session-id: is missing");
    const transport = id === undefined ? await sessions.open(caller) : sessions.find(String(id), caller);
    const answer = await transport.handleRequest(toWebRequest(request), { parsedBody: body });
    return () => writeResponse(response, answer, request.method === "POST" && !wantsProgress(body));
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const write = await withServing((checks) => accept(checks, request, response));
    await write();
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (error instanceof HttpError) return sendHttpError(response, error);
      log.error("an MCP request could not be served", { error });
      sendHttpError(response, new HttpError(500, "internal error", { code: -32_603 }));
    });
  });
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  server.listen(port, host);
  await once(server, "listening").catch((cause: Error & { code?: string }) => {
    const reason = cause.code === "EADDRINUSE" ? "is in use: choose another port in section [mcp]" : cause.message;
    throw new AppError("unavailable", `MCP: port ${port} on ${host} ${reason}`, { cause });
  });
  const timer = setInterval(() => {
    sessions.sweep().catch((error: unknown) => log.warn("old MCP sessions could not be ended", { error }));
  }, SWEEP_EVERY_MS);
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    address: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}${MCP_PATH}`,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await sessions[Symbol.asyncDispose]();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendMetadata({ method }: IncomingMessage, response: ServerResponse, metadata: object): void {
  if (method !== "GET") throw new HttpError(405, "method", { headers: { allow: "GET" } });
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(metadata));
}

function toCorsHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": headers.origin ?? "",
    "access-control-allow-methods": "POST, GET, DELETE",
    "access-control-allow-headers": "authorization, content-type, accept, mcp-session-id, mcp-protocol-version",
    "access-control-expose-headers": "mcp-session-id, www-authenticate",
    vary: "origin",
  };
}
