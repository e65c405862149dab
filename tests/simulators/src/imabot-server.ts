import { createPrivateKey, sign } from "node:crypto";
import type { WebSocket } from "ws";
import {
  type HttpAnswer,
  type HttpCall,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "./platform-server.ts";
import { createWebhookAnnouncement } from "./webhook.ts";

/** Response of the server to one send call, instead of executing it. */
export type ImaBotFault =
  | { readonly kind: "code"; readonly code: number; readonly status?: number; readonly message?: string }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" };

export interface ImaBotCall {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ImaBotSent {
  readonly id: string;
  /** `/v2/groups/<openid>` or `/v2/users/<openid>`. */
  readonly to: string;
  readonly text: string;
  readonly msgId: string;
  readonly msgSeq: number;
  /** File that the platform fetched for it. */
  readonly file?: Buffer;
}

/** Conversations are `private:<openid>` and `group:<openid>`. */
export interface ImaBotServer extends Platform<ImaBotCall> {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Planned faults, in order. */
  readonly faults: ImaBotFault[];
  /** Messages that people see; a repeated number of a reply is rejected. */
  readonly sent: readonly ImaBotSent[];
  /** Posts events to this webhook instead of the socket. */
  useWebhook(webhook: { readonly url: string }): void;
  /** Files of people by name, at `<address>/download/<name>`. */
  readonly files: Map<string, Buffer | "hang">;
  /** Resolves when a matching message exists. */
  seen(fits: (sent: ImaBotSent) => boolean): Promise<ImaBotSent>;
  /** Sends an event over the socket, now or when a client resumes. */
  push(type: string, data: object): void;
  /** Ends every connection: with a close code, or by a reset. */
  drop(code?: number): void;
  connections(): { readonly open: number; readonly identified: number; readonly resumed: number };
}

export const IMABOT_APP = { id: "102000001", secret: "DG5g3B4j9X2KOErG" };
const HEARTBEAT_MS = 1_000;

interface GatewayEvent {
  readonly op: 0;
  readonly s: number;
  readonly t: string;
  readonly d: object;
  readonly id: string;
}

/** Starts the official bot's platform on 127.0.0.1: tokens, calls and the gateway socket. */
export async function startImaBotServer(options: SimulatorOptions = {}): Promise<ImaBotServer> {
  const faults: ImaBotFault[] = [];
  const sent: ImaBotSent[] = [];
  const events: GatewayEvent[] = [];
  const files: ImaBotServer["files"] = new Map();
  const media = new Map<string, Buffer>();
  const ready = new Set<WebSocket>();
  let webhook: { readonly url: string } | undefined;
  let tokens = 0;
  let identified = 0;
  let resumed = 0;

  const storeMessage = (to: string, body: Readonly<Record<string, unknown>>): HttpAnswer => {
    const [msgId, msgSeq] = [String(body.msg_id ?? ""), Number(body.msg_seq ?? 0)];
    const isTaken = msgSeq > 0 && sent.some((one) => one.msgId === msgId && one.msgSeq === msgSeq);
    if (isTaken) return createFailure(40_054_005, "duplicate");
    const file = media.get(String((body.media as { file_info?: string } | undefined)?.file_info));
    const one = { id: `sent_${sent.length + 1}`, to, text: String(body.content), msgId, msgSeq, ...(file && { file }) };
    sent.push(one);
    server.changed();
    return { body: { id: one.id } };
  };
  /** Accepts earlier tokens too, because they are valid until they expire. */
  const isIssuedToken = (given: string | undefined) => {
    const number = /^QQBot t-(\d+)$/.exec(given ?? "")?.[1];
    return number !== undefined && Number(number) <= tokens;
  };
  /** Fetches the media of a message, as the platform does. */
  const fetchMedia = async (url: string): Promise<HttpAnswer> => {
    const response = await fetch(url).catch(() => undefined);
    if (!response?.ok) return createFailure(850_026, "富媒体文件下载失败");
    const file_info = `media_${media.size + 1}`;
    media.set(file_info, Buffer.from(await response.arrayBuffer()));
    return { body: { file_uuid: file_info, file_info, ttl: 0 } };
  };
  const download = (name: string): HttpAnswer => {
    const file = files.get(name);
    if (file === "hang") return "leave";
    return file ? { body: file } : { status: 404, body: "" };
  };
  const run = (
    { method, path, headers }: HttpCall,
    body: Readonly<Record<string, unknown>>,
  ): HttpAnswer | Promise<HttpAnswer> => {
    if (path.startsWith("/download/")) return download(path.slice("/download/".length));
    if (path === "/app/getAppAccessToken") {
      if (body.clientSecret !== IMABOT_APP.secret) return createFailure(100_016, "invalid secret", 200);
      tokens += 1;
      return { body: { access_token: `t-${tokens}`, expires_in: "7200" } };
    }
    if (!isIssuedToken(headers.authorization)) return createFailure(11_244, "token", 401);
    if (path === "/gateway/bot") {
      const session_start_limit = { total: 1_000, remaining: 999, reset_after: 1_000, max_concurrency: 1 };
      return { body: { url: `ws://${headers.host}/ws`, shards: 1, session_start_limit } };
    }
    if (path === "/users/@me") return { body: { id: "bot-1", username: "Parley" } };
    if (method === "DELETE") return { body: {} };
    if (path.endsWith("/files")) return fetchMedia(String(body.url));
    const to = path.replace(/\/messages$/, "");
    const fault = faults.shift();
    if (fault?.kind === "code") return createFailure(fault.code, fault.message ?? "fault", fault.status);
    if (to.includes("nobody")) return createFailure(11_253, "no permission", 403);
    const answer = storeMessage(to, body);
    return fault ? "drop" : answer;
  };
  const server: PlatformServer<ImaBotCall> = await startPlatformServer<ImaBotCall>({
    options,
    socketPath: "/ws",
    async serve(call) {
      const { method, path } = call;
      const body = call.body();
      server.record({ method, path, body });
      const isSend = path.endsWith("/messages");
      return await server.perform<HttpAnswer | Promise<HttpAnswer>>(
        isSend ? "messages" : path,
        isSend ? toConversation(path) : "",
        {
          done: () => run(call, body),
          tooMany: () => createFailure(22_009, "message limit exceed", 429),
          serverError: () => createFailure(0, "internal error", 500),
          lyingOk: isSend ? () => ({ body: { id: "sent_never" } }) : undefined,
          halfOpen: () => "leave",
        },
      );
    },
    connected(socket) {
      server.adopt(socket);
      socket.on("close", () => ready.delete(socket));
      server.send(socket, JSON.stringify({ op: 10, d: { heartbeat_interval: HEARTBEAT_MS } }));
    },
    heard(socket, text) {
      const { op, d } = JSON.parse(text.toString("utf8"));
      const send = (frame: object) => server.send(socket, JSON.stringify(frame));
      if (op === 1) send({ op: 11 });
      if (op === 2) {
        identified += 1;
        ready.add(socket);
        send({ op: 0, s: events.length, t: "READY", d: { session_id: "session-1" } });
      }
      if (op !== 6) return;
      resumed += 1;
      ready.add(socket);
      for (const event of events) if (event.s > d.seq) send(event);
      send({ op: 0, t: "RESUMED", d: {} });
    },
  });
  /** Sends an event with a new id each time, because the platform does not mark its repetitions. */
  const deliver = (type: string, data: object) => {
    const event = { op: 0 as const, s: events.length + 1, t: type, d: data, id: `${type}:${events.length}` };
    events.push(event);
    for (const socket of ready) server.send(socket, JSON.stringify(event));
  };
  const announce = (about: string, type: string, data: object) => {
    const to = webhook;
    if (to)
      return server.announce(
        about,
        createWebhookAnnouncement(() => ({ ...to, ...signFrame({ op: 0, t: type, d: data }) }), server.stopping),
      );
    return server.announce(about, {
      deliver: () => deliver(type, data),
      // The event is sent again to a client that resumes.
      halfOpen() {
        for (const socket of ready) server.silence(socket);
        deliver(type, data);
      },
    });
  };
  return {
    ...server.simulator,
    address: `http://${server.authority}`,
    files,
    faults,
    sent,
    useWebhook(given) {
      webhook = given;
    },
    seen: (fits) => server.simulator.waitFor(() => sent.find(fits)),
    push: (type, data) => void announce("", type, data),
    say(conversation, text, more = {}) {
      const [kind, openid] = conversation.split(":");
      const author = kind === "group" ? { member_openid: "M1" } : { user_openid: openid };
      const place = kind === "group" ? { group_openid: openid } : {};
      const type = kind === "group" ? "GROUP_AT_MESSAGE_CREATE" : "C2C_MESSAGE_CREATE";
      return announce(conversation, type, { id: `said_${server.nextId()}`, content: text, author, ...place, ...more });
    },
    shown: (conversation) => sent.filter(({ to }) => toConversation(to) === conversation).map(({ text }) => text),
    drop(code) {
      for (const socket of ready) code === undefined ? socket.terminate() : socket.close(code);
      ready.clear();
    },
    connections: () => ({ open: server.connections().open, identified, resumed }),
  };
}

/** PKCS #8 prefix of a 32-byte Ed25519 key. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs a webhook request like the platform, with the secret repeated to 32 bytes as key. */
function signFrame(frame: object) {
  const body = JSON.stringify(frame);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const seed = Buffer.from(IMABOT_APP.secret.repeat(32)).subarray(0, 32);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const headers = {
    "x-bot-appid": IMABOT_APP.id,
    "x-signature-timestamp": timestamp,
    "x-signature-ed25519": sign(null, Buffer.from(`${timestamp}${body}`), key).toString("hex"),
  };
  return { body, headers };
}

function createFailure(code: number, message: string, status = 400): HttpAnswer {
  return { status, body: { code, message } };
}

/** Returns the conversation of `/v2/users/<openid>`, `/v2/groups/<openid>` and paths below these. */
function toConversation(path: string): string {
  const [, , kind, openid = ""] = path.split("/");
  return `${kind === "groups" ? "group" : "private"}:${decodeURIComponent(openid)}`;
}
