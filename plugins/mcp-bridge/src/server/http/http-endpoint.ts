import type { Clock, Logger } from "@parley/core";
import { createMcpServer, type McpServerDeps } from "../mcp-server.ts";
import { createHttpListener, type HttpListener, type HttpListenerDeps, type RequestChecks } from "./http-listener.ts";
import { createHttpSessions } from "./http-sessions.ts";

/** The services that answer MCP clients. */
export interface HttpService extends RequestChecks {
  readonly deps: McpServerDeps;
}

/** The endpoint of MCP over HTTP: its socket and sessions, which survive a reload of the plugins. */
export interface HttpEndpoint {
  /** Opens the socket if needed and serves requests. The returned function stops that: running calls end, new ones wait. */
  serve(serving: HttpService): Promise<() => Promise<void>>;
  /** Ends the sessions of a revoked credential. */
  endByCredential(credentialId: string): Promise<void>;
  /** Ends all sessions, and closes the socket. */
  end(): Promise<void>;
}

export interface HttpEndpointDeps {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createHttpEndpoint({ host, port, clock, log }: HttpEndpointDeps): HttpEndpoint {
  let current: HttpService | undefined;
  let next = Promise.withResolvers<HttpService>();
  const accepting = new Set<Promise<unknown>>();
  const getDeps = (): McpServerDeps => {
    if (!current) throw new Error("a session begins when its requests are served");
    return current.deps;
  };
  const sessions = createHttpSessions({ sessionFor: (peer) => createMcpServer(getDeps, peer), clock, log });
  const withServing: HttpListenerDeps["withServing"] = async (accept) => {
    const serving = await next.promise;
    const accepted = accept(serving);
    accepting.add(accepted);
    return accepted.finally(() => accepting.delete(accepted));
  };
  let listener: HttpListener | undefined;
  return {
    async serve(serving) {
      if (!listener) {
        listener = await createHttpListener({ host, port, sessions, withServing, log });
        log.info("MCP is served", { address: listener.address });
      }
      current = serving;
      next.resolve(serving);
      return async () => {
        next = Promise.withResolvers();
        await Promise.allSettled(accepting);
        await sessions.whenIdle();
      };
    },
    endByCredential: sessions.endByCredential,
    async end() {
      if (listener) await listener[Symbol.asyncDispose]();
    },
  };
}
