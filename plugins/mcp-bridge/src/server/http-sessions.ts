import { randomBytes } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport as HttpTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Clock, Logger, ToolScope } from "@parley/core";
import { type HttpCaller, NOBODY } from "./http-checks.ts";
import { HttpRefusal } from "./http-refusal.ts";
import type { McpPeer } from "./mcp-server.ts";

const MAX_SESSIONS = 64;
const MAX_OF_CREDENTIAL = 16;
/** Sessions without a credential are apart: they take no room from those with one. */
const MAX_OF_NOBODY = 32;
const IDLE_MS = 3_600_000;
const LIFE_MS = 24 * 3_600_000;

export interface HttpSessionsParts {
  readonly serverFor: (peer: McpPeer) => Server;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One server and one transport for each client that initialized. */
export interface HttpSessions extends AsyncDisposable {
  /** 503 and 429 when there are too many. */
  open(caller: HttpCaller): Promise<HttpTransport>;
  /** 404 for a session that is unknown, over, or of another credential. From then on it may what the caller may now. */
  find(id: string, caller: HttpCaller): HttpTransport;
  /** Ends those that were idle for an hour or are a day old. */
  sweep(): Promise<void>;
  /** Ends those of a credential that was revoked. */
  endOf(credentialId: string): Promise<void>;
  count(): number;
}

interface Session {
  readonly credentialId: string;
  readonly server: Server;
  readonly transport: HttpTransport;
  readonly openedMs: number;
  usedMs: number;
  /** Of the request that came last. */
  readonly rights: { granted: readonly ToolScope[] | undefined };
}

export function createHttpSessions({ serverFor, clock, log }: HttpSessionsParts): HttpSessions {
  const sessions = new Map<string, Session>();

  const end = async (fits: (session: Session) => boolean) => {
    const ended = [...sessions].filter(([, session]) => fits(session));
    for (const [id] of ended) sessions.delete(id);
    await Promise.all(ended.map(([, { server }]) => server.close()));
  };
  const known = () => [...sessions.values()].filter(({ credentialId }) => credentialId !== NOBODY);
  /** Nobody can be told apart there: the session that was unused longest gives way to a new one. */
  const endUnused = async (own: readonly Session[]) => {
    const [oldest] = own.toSorted((a, b) => a.usedMs - b.usedMs);
    if (own.length >= MAX_OF_NOBODY) await end((session) => session === oldest);
  };
  const isOver = ({ openedMs, usedMs }: Session) =>
    clock.monotonic() - usedMs > IDLE_MS || clock.monotonic() - openedMs > LIFE_MS;

  return {
    async open({ id: credentialId, granted }) {
      const own = [...sessions.values()].filter((session) => session.credentialId === credentialId);
      if (credentialId === NOBODY) await endUnused(own);
      else if (own.length >= MAX_OF_CREDENTIAL) {
        throw new HttpRefusal(429, `this credential has ${MAX_OF_CREDENTIAL} sessions already`);
      } else if (known().length >= MAX_SESSIONS) throw new HttpRefusal(503, "too many sessions", { headers: RETRY });
      const id = randomBytes(16).toString("hex");
      const transport = new HttpTransport({
        sessionIdGenerator: () => id,
        onsessionclosed: () => void sessions.delete(id),
      });
      const peer = { id: credentialId, transport: "streamable-http", session: id, confirms: true } as const;
      const rights = { granted };
      const server = serverFor({ ...peer, granted: () => rights.granted });
      server.onerror = (error) => log.debug("an MCP session reports", { session: id, error });
      transport.onclose = () => void sessions.delete(id);
      // Its optional members are typed more loosely than the interface they implement.
      await server.connect(transport as Transport);
      const now = clock.monotonic();
      sessions.set(id, { credentialId, server, transport, openedMs: now, usedMs: now, rights });
      return transport;
    },
    find(id, { id: credentialId, granted }) {
      const session = sessions.get(id);
      if (!session || session.credentialId !== credentialId || isOver(session)) {
        throw new HttpRefusal(404, "session not found: initialize anew", { code: -32_001 });
      }
      session.usedMs = clock.monotonic();
      session.rights.granted = granted;
      return session.transport;
    },
    sweep: () => end(isOver),
    endOf: (credentialId) => end((session) => session.credentialId === credentialId),
    count: () => sessions.size,
    [Symbol.asyncDispose]: () => end(() => true),
  };
}

const RETRY = { "retry-after": "30" };
