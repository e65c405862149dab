import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { decodeFrame, encodeFrame } from "./imc-frames.ts";

/** What the server does with one call that sends, instead of doing it. */
export type ImcFault =
  | { readonly kind: "code"; readonly code: number; readonly status?: number; readonly msg?: string }
  /** Does it, and ends the connection before the answer. */
  | { readonly kind: "reset-after" };

export interface ImcSent {
  readonly message_id: string;
  readonly chat: string;
  /** The message that is answered; "" for one of its own. */
  readonly replyTo: string;
  readonly text: string;
  readonly uuid: string;
}

export interface ImcServer extends AsyncDisposable {
  readonly address: string;
  readonly faults: ImcFault[];
  /** What people see; repeats of one uuid are one message. */
  readonly sent: readonly ImcSent[];
  readonly withdrawn: readonly string[];
  /** Tokens that were given out. */
  readonly tokens: () => number;
  /** Chats of messages that may be answered. */
  readonly chats: Map<string, string>;
  seen(fits: (sent: ImcSent) => boolean): Promise<ImcSent>;
  /** Long connections that are open now, and how many there ever were. */
  connections(): { readonly open: number; readonly ever: number };
  /** Ends every long connection. */
  drop(): void;
  /** Sends an event over the long connection, in so many parts; resolves with the code it was answered with. */
  push(event: object, parts?: number): Promise<number>;
  /** Codes that the next requests for a connection are refused with. */
  readonly refusals: number[];
}

export const IMC_APP = { id: "cli_9f5343c580712544", secret: "app-secret", botId: "ou_bot" };

/** The open platform's API on 127.0.0.1. */
export async function startImcServer(): Promise<ImcServer> {
  const faults: ImcFault[] = [];
  const sent: ImcSent[] = [];
  const withdrawn: string[] = [];
  const chats = new Map<string, string>();
  const watching = new Set<() => void>();
  const refusals: number[] = [];
  const sockets = new Set<WebSocket>();
  const acks = new Map<string, (code: number) => void>();
  let ever = 0;
  let pushed = 0;
  let tokens = 0;

  const keep = (chat: string, replyTo: string, body: { readonly content: string; readonly uuid: string }) => {
    const before = sent.find(({ uuid }) => uuid === body.uuid);
    if (before) return { message_id: before.message_id };
    const one = {
      message_id: `om_sent${sent.length + 1}`,
      chat,
      replyTo,
      text: JSON.parse(body.content).text,
      uuid: body.uuid,
    };
    sent.push(one);
    for (const look of [...watching]) look();
    return { message_id: one.message_id };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const body = JSON.parse((await textOf(request)) || "{}");
    const path = (request.url ?? "").replace(/^\/open-apis/, "").split("?")[0] ?? "";
    const answer = (json: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    if (request.url === "/callback/ws/endpoint") {
      const code = refusals.shift() ?? (body.AppSecret === IMC_APP.secret ? 0 : 514);
      const config = { PingInterval: 60, ReconnectInterval: 1, ReconnectNonce: 0, ReconnectCount: -1 };
      const data = { URL: `ws://${request.headers.host}/ws?device_id=d&service_id=7`, ClientConfig: config };
      return answer({ code, msg: code === 0 ? "" : "refused", data });
    }
    if (path === "/auth/v3/tenant_access_token/internal") {
      if (body.app_secret !== IMC_APP.secret) return answer({ code: 10_014, msg: "app secret invalid" });
      tokens += 1;
      return answer({ code: 0, tenant_access_token: `t-${tokens}`, expire: 7_200 });
    }
    if (request.headers.authorization !== `Bearer t-${tokens}`)
      return answer({ code: 99_991_663, msg: "token invalid" }, 400);
    if (path === "/bot/v3/info") return answer({ code: 0, bot: { open_id: IMC_APP.botId } });
    const reply = /^\/im\/v1\/messages\/([^/]+)\/reply$/.exec(path)?.[1];
    const removed = /^\/im\/v1\/messages\/([^/]+)$/.exec(path)?.[1];
    if (request.method === "DELETE" && removed) {
      withdrawn.push(removed);
      return answer({ code: 0 });
    }
    const fault = faults.shift();
    if (fault?.kind === "code") return answer({ code: fault.code, msg: fault.msg ?? "fault" }, fault.status ?? 200);
    const chat = reply === undefined ? String(body.receive_id) : (chats.get(reply) ?? "");
    if (!chat.startsWith("oc_")) return answer({ code: 230_002, msg: "The bot can not be outside the group." }, 400);
    const data = keep(chat, reply ?? "", body);
    if (fault?.kind === "reset-after") request.socket.destroy();
    else answer({ code: 0, msg: "success", data });
    return undefined;
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const wires = new WebSocketServer({ server, path: "/ws" });
  wires.on("connection", (socket) => {
    ever += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("message", (bytes: Buffer) => {
      const { method, headers, payload } = decodeFrame(bytes);
      if (method === 1) acks.get(headers.message_id ?? "")?.(JSON.parse(payload.toString("utf8")).code);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    sent,
    withdrawn,
    tokens: () => tokens,
    chats,
    refusals,
    connections: () => ({ open: sockets.size, ever }),
    drop() {
      for (const socket of sockets) socket.terminate();
    },
    push(event, parts = 1) {
      pushed += 1;
      const message_id = `m${pushed}`;
      const whole = Buffer.from(JSON.stringify(event));
      const size = Math.ceil(whole.length / parts);
      const [socket] = sockets;
      if (!socket) throw new Error("nobody is connected");
      const { promise, resolve } = Promise.withResolvers<number>();
      acks.set(message_id, resolve);
      // The last part first: what belongs together is not sent in order.
      for (let seq = parts - 1; seq >= 0; seq -= 1) {
        const headers = { type: "event", message_id, sum: String(parts), seq: String(seq), trace_id: "t" };
        socket.send(encodeFrame({ method: 1, headers, payload: whole.subarray(seq * size, (seq + 1) * size) }));
      }
      return promise;
    },
    seen: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = sent.find(fits);
          if (!found) return;
          watching.delete(look);
          resolve(found);
        };
        watching.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      wires.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A request as the platform makes it: sealed with the key and signed over its bytes. */
export function sealed(event: object, key: string, timestamp = String(Math.floor(Date.now() / 1_000))) {
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", createHash("sha256").update(key).digest(), iv);
  const blob = Buffer.concat([iv, cipher.update(JSON.stringify(event)), cipher.final()]).toString("base64");
  const body = JSON.stringify({ encrypt: blob });
  const nonce = randomBytes(6).toString("hex");
  const signature = createHash("sha256").update(`${timestamp}${nonce}${key}${body}`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-lark-request-timestamp": timestamp,
    "x-lark-request-nonce": nonce,
    "x-lark-signature": signature,
  };
  return { body, headers };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
