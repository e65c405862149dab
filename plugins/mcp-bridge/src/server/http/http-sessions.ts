import { randomBytes } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport as HttpTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Clock, Logger, ToolScope } from "@parley/core";
import type { McpPeer, McpSession } from "../mcp-server.ts";
import { ANONYMOUS_ID, type HttpCaller } from "./http-checks.ts";
import { HttpError } from "./http-error.ts";

const MAX_SESSIONS = 64;
const MAX_SESSIONS_PER_CREDENTIAL = 16;
/** Maximum sessions without a credential; they do not count against the others. */
const MAX_ANONYMOUS_SESSIONS = 32;
const IDLE_TIMEOUT_MS = 3_600_000;
const MAX_AGE_MS = 24 * 3_600_000;

export interface HttpSessionsDeps {
  readonly sessionFor: (peer: McpPeer) => McpSession;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One server and one transport for each client that initialized. */
export interface HttpSessions extends AsyncDisposable {
  /** Opens a session; rejects with 503 or 429 when there are too many. Without a credential, the longest unused one ends instead. */
  open(caller: HttpCaller): Promise<HttpTransport>;
  /** Returns a session and updates its rights to the caller's; throws 404 for one that is unknown, ended, or of another credential. */
  find(id: string, caller: HttpCaller): HttpTransport;
  /** Ends sessions idle for an hour or older than a day. */
  sweep(): Promise<void>;
  /** Ends the sessions of a revoked credential. */
  endByCredential(credentialId: string): Promise<void>;
  count(): number;
  /** Resolves when no session runs a call. */
  whenIdle(): Promise<void>;
}

interface Session {
  readonly credentialId: string;
  readonly server: McpSession["server"];
  readonly whenIdle: McpSession["whenIdle"];
  readonly transport: HttpTransport;
  readonly openedMs: number;
  usedMs: number;
  /** Rights of the latest request. */
  readonly rights: { granted: readonly ToolScope[] | undefined };
}

export function createHttpSessions({ sessionFor, clock, log }: HttpSessionsDeps): HttpSessions {
  const sessions = new Map<string, Session>();

  const end = async (fits: (session: Session) => boolean) => {
    const ended = [...sessions].filter(([, session]) => fits(session));
    for (const [id] of ended) sessions.delete(id);
    await Promise.all(ended.map(([, { server }]) => server.close()));
  };
  const known = () => [...sessions.values()].filter(({ credentialId }) => credentialId !== ANONYMOUS_ID);
  /** Ends the longest unused session when too many have no credential, since their clients cannot be distinguished. */
  const endUnused = async (own: readonly Session[]) => {
    const [oldest] = own.toSorted((a, b) => a.usedMs - b.usedMs);
    if (own.length >= MAX_ANONYMOUS_SESSIONS) await end((session) => session === oldest);
  };
  const isOver = ({ openedMs, usedMs }: Session) =>
    clock.monotonic() - usedMs > IDLE_TIMEOUT_MS || clock.monotonic() - openedMs > MAX_AGE_MS;

  return {
    async open({ id: credentialId, granted }) {
      const own = [...sessions.values()].filter((session) => session.credentialId === credentialId);
      if (credentialId === ANONYMOUS_ID) await endUnused(own);
      else if (own.length >= MAX_SESSIONS_PER_CREDENTIAL) {
        throw new HttpError(429, `this credential has ${MAX_SESSIONS_PER_CREDENTIAL} sessions already`);
      } else if (known().length >= MAX_SESSIONS)
        throw new HttpError(503, "too many sessions", { headers: RETRY_HEADERS });
      const id = randomBytes(16).toString("hex");
      const transport = new HttpTransport({
        sessionIdGenerator: () => id,
        onsessionclosed: () => void sessions.delete(id),
      });
      const peer = { id: credentialId, transport: "streamable-http", session: id, confirms: true } as const;
      const rights = { granted };
      const { server, whenIdle } = sessionFor({ ...peer, granted: () => rights.granted });
      server.onerror = (error) => log.debug("an MCP session reports", { session: id, error });
      transport.onclose = () => void sessions.delete(id);
      // Its optional members are typed more loosely than the interface they implement.
      await server.connect(transport as Transport);
      const now = clock.monotonic();
      sessions.set(id, { credentialId, server, whenIdle, transport, openedMs: now, usedMs: now, rights });
      return transport;
    },
    find(id, { id: credentialId, granted }) {
      const session = sessions.get(id);
      if (!session || session.credentialId !== credentialId || isOver(session)) {
        throw new HttpError(404, "session not found: initialize anew", { code: -32_001 });
      }
      session.usedMs = clock.monotonic();
      session.rights.granted = granted;
      return session.transport;
    },
    sweep: () => end(isOver),
    endByCredential: (credentialId) => end((session) => session.credentialId === credentialId),
    count: () => sessions.size,
    whenIdle: async () => void (await Promise.all([...sessions.values()].map((session) => session.whenIdle()))),
    [Symbol.asyncDispose]: () => end(() => true),
  };
}

const RETRY_HEADERS = { "retry-after": "30" };
