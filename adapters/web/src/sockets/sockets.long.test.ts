import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Accounts,
  type Caller,
  type ChatRequest,
  type Gateway,
  type LiveEvent,
  type LogRow,
  notFound,
  type RunningTurn,
  resourceChanged,
  SCOPES,
  type Session,
  type Sessions,
  silentLogger,
} from "@parley/core";
import { createTestClock, recordedEvents, testCaller } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createSocketHub } from "./hub.ts";
import { createOpenSockets } from "./open-sockets.ts";

const SESSION = "sess_1";

interface Client {
  readonly socket: WebSocket;
  readonly frames: Record<string, unknown>[];
  send(frame: object): void;
  /** Resolves to the first matching frame, received already or later. */
  next(fits: Record<string, unknown>): Promise<Record<string, unknown>>;
  closed(): Promise<number>;
}

let server: Server;
let stop: () => Promise<void>;
let sockets: () => number;
let chatRequests: ChatRequest[];
let running: RunningTurn | undefined;
let callers: Map<string, Caller>;
let revoke: (credentialId: string) => void;
let logRow: (row: LogRow) => void;
let leave: () => void;
const clock = createTestClock();
let events = recordedEvents();

beforeEach(async () => {
  chatRequests = [];
  running = undefined;
  events = recordedEvents();
  callers = new Map([
    ["tok_good", testCaller],
    ["pky_read", { ...testCaller, kind: "api_key", credentialId: "key_1", scopes: ["read"] }],
    ["pky_chat", { ...testCaller, kind: "api_key", credentialId: "key_2", scopes: ["chat"] }],
    ["pky_slow", { ...testCaller, kind: "api_key", credentialId: "key_3", rateLimitPerMinute: 2 }],
    ["pky_short", { ...testCaller, kind: "api_key", credentialId: "key_4", expiresAt: toIsoTime(60_000) }],
  ]);
  const hub = createSocketHub({
    accounts: {
      authenticate: async (secret) => callers.get(secret),
      onRevoked: (listener) => {
        revoke = listener;
        return () => {};
      },
      inForce: () => ({}),
      hasKeyFor: () => true,
    } satisfies Accounts,
    sessions: createFakeSessions(),
    gateway: {
      running: () => running,
      stop: async () => ({ stopped: true, trace_ids: ["gw_1"] }),
    } as unknown as Gateway,
    log: silentLogger,
    clock,
    web: {},
    windows: () => undefined,
    getBoundAddress: () => "127.0.0.1",
    confirmations: () => undefined,
    onLeaving: (onNodeLeaving) => {
      leave = onNodeLeaving;
      return () => {};
    },
  });
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  server.on("upgrade", hub.endpoint.take);
  const opened = createOpenSockets({
    events,
    logFeed: {
      subscribe: (listener) => {
        logRow = listener;
        return () => {};
      },
    },
    clock,
    log: silentLogger,
  });
  const endServing = hub.start(opened);
  stop = async () => {
    await endServing();
    await opened.end();
  };
  sockets = () => hub.getCounts().sockets;
});

afterEach(async () => {
  await stop();
  server.close();
  await once(server, "close");
});

function toIsoTime(ms: number): string {
  return new Date(clock.now() + ms).toISOString();
}

function createFakeSessions(): Sessions {
  const find = async (id: string) => (id.startsWith("sess_") ? ({ id } as Session) : undefined);
  return {
    find,
    async get(id: string) {
      const session = await find(id);
      if (!session) throw notFound("session", id);
      return session;
    },
    async chat(_id: string, request: ChatRequest) {
      const duplicated = chatRequests.some(({ tempId }) => tempId === request.tempId);
      chatRequests.push(request);
      return { traceId: "gw_1", messageId: "msg_1", duplicated, removedIds: [] };
    },
  } as unknown as Sessions;
}

function getOrigin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connect(headers: Record<string, string>, protocols: string[] = ["parley.v1"]): Promise<Client> {
  const socket = new WebSocket(`${getOrigin().replace("http", "ws")}/api/ws`, protocols, { headers });
  const frames: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (text) => {
    frames.push(JSON.parse(String(text)));
    for (const look of waiting) look();
  });
  const ended = once(socket, "close").then(([code]) => code as number);
  await once(socket, "open");
  const client: Client = {
    socket,
    frames,
    send: (frame) => socket.send(JSON.stringify(frame)),
    closed: () => ended,
    next: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = frames.find((frame) => Object.entries(fits).every(([key, value]) => frame[key] === value));
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
  return client;
}

const connectSignedIn = () => connect({ authorization: "Bearer tok_good" });

async function connectAndJoin(afterSeq?: number): Promise<Client> {
  const client = await connectSignedIn();
  client.send({
    type: "join_session",
    id: "j",
    session_id: SESSION,
    ...(afterSeq !== undefined && { after_seq: afterSeq }),
  });
  await client.next({ type: "ack", id: "j" });
  return client;
}

async function getRejection(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${getOrigin().replace("http", "ws")}/api/ws`, { headers });
  const [, response] = await once(socket, "unexpected-response");
  socket.on("error", () => {});
  socket.terminate();
  return response.statusCode;
}

function createMessageEvent(text: string, session = SESSION): LiveEvent {
  return { type: "new_message", session_id: session, durable: true, payload: { message: { content: text } } };
}

describe("opening a socket", () => {
  test("greets a client with a credential in the header, the protocol list or the cookie of the same origin", async () => {
    const ways = [
      await connectSignedIn(),
      await connect({}, ["parley.v1", "bearer.tok_good"]),
      await connect({ origin: getOrigin(), cookie: "other=1; svc_auth_token=tok_good" }),
    ];
    for (const way of ways) {
      expect(await way.next({ type: "ready" })).toMatchObject({
        username: "admin",
        scopes: SCOPES,
        protocol: "parley.v1",
      });
    }
  });

  test("does not repeat the secret of the protocol list in the response", async () => {
    const client = await connect({}, ["bearer.tok_good", "parley.v1"]);
    expect(client.socket.protocol).toBe("parley.v1");
  });

  test.each([
    ["a wrong secret", { authorization: "Bearer tok_bad" }, 401],
    ["a cookie without an origin", { cookie: "svc_auth_token=tok_good" }, 403],
    ["another origin", { origin: "http://evil.test", authorization: "Bearer tok_good" }, 403],
    ["another scheme", { origin: "https://127.0.0.1", authorization: "Bearer tok_good" }, 403],
    ["a name that was bent to this address", { host: "evil.test", authorization: "Bearer tok_good" }, 403],
  ])("%s is rejected before the upgrade", async (_what, headers, status) => {
    expect(await getRejection(headers as Record<string, string>)).toBe(status);
  });

  test("lets a client sign in with its first frame, and ignores others before", async () => {
    const late = await connect({ origin: getOrigin() });
    late.send({ type: "auth", token: "tok_good" });
    expect(await late.next({ type: "ready" })).toMatchObject({ username: "admin" });
    const rude = await connect({ origin: getOrigin() });
    rude.send({ type: "join_session", session_id: SESSION });
    expect(await rude.closed()).toBe(4401);
  });
});

describe("a client that has not signed in", () => {
  const unsigned = () => connect({ origin: getOrigin() });

  test.each([
    ["says more than a credential needs", (client: Client) => client.send({ type: "auth", token: "t".repeat(5_000) })],
    ["begins a large frame", (client: Client) => client.socket.send("x".repeat(5_000), { fin: false })],
    [
      "sends nothing but pings",
      (client: Client) => {
        for (let count = 0; count < 50; count += 1) client.socket.ping("x".repeat(100));
      },
    ],
    ["signs in with what does not hold", (client: Client) => client.send({ type: "auth", token: "tok_bad" })],
    ["sends what is no frame", (client: Client) => client.socket.send("hello")],
  ])("is disconnected without a closing handshake when it %s", async (_what, say) => {
    const client = await unsigned();
    // Reads nothing from now on, so it does not answer a close.
    client.socket.pause();
    say(client);
    await vi.waitFor(() => expect(sockets()).toBe(0));
  });

  test("is disconnected after five seconds, even if it does not answer the close frame", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const client = await unsigned();
    client.socket.pause();
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(sockets()).toBe(0));
  });

  test("may send more right after its credential, however large it is", async () => {
    const client = await unsigned();
    client.send({ type: "auth", token: "tok_good" });
    client.send({ type: "send_message", id: "2", session_id: SESSION, content: "x".repeat(30_000), temp_id: "t-1" });
    expect(await client.next({ type: "ack", id: "2" })).toMatchObject({ ok: true });
  });

  test("counts against a separate limit, so that it blocks nobody who signs in", async () => {
    for (let count = 0; count < 16; count += 1) await unsigned();
    expect(await getRejection({ origin: getOrigin() })).toBe(429);
    expect(await (await connectSignedIn()).next({ type: "ready" })).toBeDefined();
  });

  test("is rejected when its account has reached the limit", async () => {
    const late = await unsigned();
    for (let count = 0; count < 50; count += 1) await connectSignedIn();
    late.send({ type: "auth", token: "tok_good" });
    expect(await late.closed()).toBe(1013);
  });
});

describe("a credential", () => {
  test("without the scope to read receives no events", async () => {
    const deaf = await connect({ authorization: "Bearer pky_chat" });
    const hears = await connect({ authorization: "Bearer pky_read" });
    await hears.next({ type: "ready" });
    events.publish({ type: "resource_changed", durable: true, payload: { kind: "model" } });
    await hears.next({ type: "resource_changed" });
    deaf.send({ type: "send_message", id: "2", session_id: SESSION, content: "hello", temp_id: "t-1" });
    await deaf.next({ type: "ack", id: "2" });
    expect(deaf.frames.map(({ type }) => type)).toEqual(["ready", "ack"]);
  });

  test("that ends receives and sends nothing more from that moment on", async () => {
    const [speaks, listens] = [
      await connect({ authorization: "Bearer pky_short" }),
      await connect({ authorization: "Bearer pky_short" }),
    ];
    await listens.next({ type: "ready" });
    clock.advance(60_000);
    events.publish({ type: "resource_changed", durable: true, payload: { kind: "model" } });
    speaks.send({ type: "subscribe", id: "s", topics: ["logs"] });
    expect(await speaks.closed()).toBe(4401);
    expect(await listens.closed()).toBe(4401);
    expect([...speaks.frames, ...listens.frames].map(({ type }) => type)).toEqual(["ready", "ready"]);
  });

  test("shares its rate limit per minute over all its sockets", async () => {
    const [one, other] = [
      await connect({ authorization: "Bearer pky_slow" }),
      await connect({ authorization: "Bearer pky_slow" }),
    ];
    const send = async (client: Client, id: string) => {
      client.send({ type: "subscribe", id, topics: ["logs"] });
      return client.next({ type: "ack", id });
    };
    expect([await send(one, "1"), await send(other, "2")]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await send(one, "3")).toMatchObject({ ok: false, code: "rate_limited" });
    clock.advance(60_001);
    expect(await send(one, "4")).toMatchObject({ ok: true });
  });
});

describe("frames", () => {
  test.each([
    ["text", "hello"],
    ["a list", "[]"],
    ["no type", "{}"],
    ["deep", `{"type":"ping","a":${"[".repeat(17)}${"]".repeat(17)}}`],
  ])("that are malformed end the connection: %s", async (_what, text) => {
    const client = await connectSignedIn();
    client.socket.send(text);
    expect(await client.closed()).toBe(4400);
  });

  test("of an unknown type get an error, and the connection stays open", async () => {
    const client = await connectSignedIn();
    client.send({ type: "dance" });
    expect(await client.next({ type: "error" })).toMatchObject({ code: "bad_request" });
    client.send({ type: "ping" });
    expect(await client.next({ type: "pong" })).toBeDefined();
  });

  test("that flood the socket get one error, and the connection is closed", async () => {
    const client = await connectSignedIn();
    for (let count = 0; count < 60; count += 1) client.send({ type: "ping" });
    expect(await client.closed()).toBe(4429);
    expect(client.frames.filter(({ type }) => type === "error")).toHaveLength(1);
  });
});

describe("a conversation", () => {
  test("a message is acknowledged with the ids under which it is stored", async () => {
    const client = await connectSignedIn();
    client.send({ type: "send_message", id: "2", session_id: SESSION, content: "hello", temp_id: "t-1" });
    expect(await client.next({ type: "ack", id: "2" })).toMatchObject({
      ok: true,
      message_id: "msg_1",
      trace_id: "gw_1",
      duplicated: false,
    });
    expect(chatRequests[0]).toMatchObject({
      content: "hello",
      tempId: "t-1",
      sender: { id: "user_test", isAdmin: true },
    });
  });

  test("a message without a temp_id is rejected and starts no turn", async () => {
    const client = await connectSignedIn();
    client.send({ type: "send_message", id: "2", session_id: SESSION, content: "hello" });
    expect(await client.next({ type: "ack", id: "2" })).toMatchObject({ ok: false, code: "bad_request" });
    expect(chatRequests).toEqual([]);
  });

  test("a read-only key cannot send messages", async () => {
    const client = await connect({ authorization: "Bearer pky_read" });
    client.send({ type: "send_message", id: "2", session_id: SESSION, content: "hello", temp_id: "t-1" });
    expect(await client.next({ type: "ack", id: "2" })).toMatchObject({ ok: false, code: "permission_denied" });
  });

  test("session events reach only clients that joined, console events reach all", async () => {
    const inside = await connectAndJoin();
    const outside = await connectSignedIn();
    await outside.next({ type: "ready" });
    events.publish(createMessageEvent("hello"));
    events.publish({ type: "resource_changed", durable: true, payload: { kind: "model" } });
    await inside.next({ type: "new_message" });
    await outside.next({ type: "resource_changed" });
    expect(outside.frames.map(({ type }) => type)).not.toContain("new_message");
  });

  test("an event that a caller may not read only uses its number, live and after a reconnection", async () => {
    const reader = await connect({}, ["parley.v1", "bearer.pky_read"]);
    const admin = await connect({}, ["parley.v1", "bearer.tok_good"]);
    const { epoch } = await reader.next({ type: "ready" });
    await admin.next({ type: "ready" });
    events.publish(resourceChanged({ kind: "api_key", scopes: { read: "admin" } }, "key_secret", "created", 1));
    events.publish(resourceChanged("world_book", "book_1", "created", 1));
    await admin.next({ type: "resource_changed", id: "key_secret", seq: 1 });
    await reader.next({ type: "resource_changed", id: "book_1", seq: 2 });
    const again = await connect({}, ["parley.v1", "bearer.pky_read"]);
    again.send({ type: "resume", id: "1", epoch, streams: { "@console": 0 } });
    await again.next({ type: "ack", id: "1" });
    for (const { frames } of [reader, again]) {
      expect(frames.filter(({ seq }) => seq !== undefined).map(({ type, seq }) => [type, seq])).toEqual([
        ["withheld", 1],
        ["resource_changed", 2],
      ]);
      expect(JSON.stringify(frames)).not.toContain("key_secret");
    }
  });

  test("a client that did not join a session learns that it has a new message, but not its content", async () => {
    const inside = await connectAndJoin();
    const outside = await connectSignedIn();
    await outside.next({ type: "ready" });
    events.publish(createMessageEvent("hello"));
    events.publish({ type: "resource_changed", durable: true, payload: { kind: "model" } });
    const event = await outside.next({ type: "session_activity" });
    expect(event).toEqual({ type: "session_activity", session_id: SESSION, timestamp: expect.any(String) });
    await inside.next({ type: "resource_changed" });
    expect(inside.frames.map(({ type }) => type)).not.toContain("session_activity");
  });

  test("a client that reconnects gets the missed events once and in order", async () => {
    const first = await connectAndJoin();
    for (const text of ["a", "b", "c"]) events.publish(createMessageEvent(text));
    await first.next({ seq: 3 });
    const second = await connectAndJoin(1);
    events.publish(createMessageEvent("d"));
    await second.next({ seq: 4 });
    expect(second.frames.filter(({ type }) => type === "new_message").map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });

  test("a client that was away too long, or knows the numbers of another process, is asked to fetch again", async () => {
    for (let count = 0; count < 510; count += 1) events.publish(createMessageEvent(String(count)));
    const late = await connectAndJoin(3);
    expect(await late.next({ type: "resync" })).toMatchObject({ session_id: SESSION });
    const other = await connectSignedIn();
    other.send({ type: "resume", id: "r", epoch: "another", streams: { [SESSION]: 510 } });
    expect(await other.next({ type: "resync" })).toMatchObject({ session_id: SESSION });
    expect(await other.next({ type: "joined_session" })).toMatchObject({ seq: 510 });
  });

  test("a client that joins during a reply gets the thinking and text so far", async () => {
    const card = {
      id: "card_1",
      parent_message_id: "msg_2",
      steps: [{ type: "thinking", text: "A guest" }],
      is_complete: false,
    } as const;
    running = {
      card,
      traceId: "gw_1",
      startedAt: "2026-01-06T10:15:00.000Z",
      stage: "answer",
      messageId: "msg_2",
      sender: "Mia",
      text: "Hi th",
    };
    const client = await connectAndJoin();
    expect(await client.next({ type: "joined_session" })).toMatchObject({
      running: { trace_id: "gw_1", message_id: "msg_2" },
    });
    expect(await client.next({ type: "thinking_card" })).toMatchObject({ session_id: SESSION, ...card });
    expect(await client.next({ type: "ai_stream_start" })).toMatchObject({
      message: { id: "msg_2", sender: "Mia", content: "Hi th" },
    });
  });

  test("an unknown session is named in the error", async () => {
    const client = await connectSignedIn();
    client.send({ type: "join_session", id: "j", session_id: "nobody" });
    const detail = { key: "not_found", params: { id: "nobody" } };
    expect(await client.next({ type: "ack" })).toMatchObject({ ok: false, code: "not_found", detail });
  });

  test("typing is shown to the others of the session, not to its sender", async () => {
    const [one, other] = [await connectAndJoin(), await connectAndJoin()];
    one.send({ type: "typing", id: "t", session_id: SESSION, active: true });
    expect(await other.next({ type: "typing" })).toMatchObject({ sender: "admin", active: true, is_ai: false });
    await one.next({ type: "ack", id: "t" });
    expect(one.frames.map(({ type }) => type)).not.toContain("typing");
  });

  test("log rows are sent to subscribers, at most twenty a second, and dropped ones are counted", async () => {
    const client = await connectSignedIn();
    client.send({ type: "subscribe", id: "s", topics: ["logs"] });
    await client.next({ type: "ack", id: "s" });
    const row: LogRow = { time: "", level: "info", source: "host", message: "x", context: {} };
    for (let count = 0; count < 50; count += 1) logRow(row);
    clock.advance(1000);
    logRow({ ...row, message: "last" });
    expect(await client.next({ message: "last" })).toMatchObject({ type: "log_row", dropped: 30 });
  });
});

describe("the end of a connection", () => {
  test("comes when its credential is revoked", async () => {
    const client = await connectSignedIn();
    await client.next({ type: "ready" });
    revoke(testCaller.credentialId);
    expect(await client.closed()).toBe(4401);
  });

  test("is checked with each message, even if no revocation was received", async () => {
    const client = await connectSignedIn();
    callers.clear();
    client.send({ type: "send_message", id: "2", session_id: SESSION, content: "hello", temp_id: "t-1" });
    expect(await client.closed()).toBe(4401);
    expect(chatRequests).toEqual([]);
  });

  test("comes with a redirect to another node when the process is drained, and not when it is the only one", async () => {
    const client = await connectSignedIn();
    await client.next({ type: "ready" });
    leave();
    expect(await client.closed()).toBe(1001);
    await (await connectSignedIn()).next({ type: "ready" });
  });

  test("comes with a request to reconnect when the service stops", async () => {
    const client = await connectSignedIn();
    await client.next({ type: "ready" });
    await stop();
    expect(await client.closed()).toBe(1001);
  });
});
