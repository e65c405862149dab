import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

export type ImaBotFault =
  | { readonly kind: "code"; readonly code: number; readonly status?: number; readonly message?: string }
  /** Does it, and ends the connection before the answer. */
  | { readonly kind: "reset-after" };

export interface ImaBotSent {
  readonly id: string;
  /** `/v2/groups/<openid>` or `/v2/users/<openid>`. */
  readonly to: string;
  readonly text: string;
  readonly msgId: string;
  readonly msgSeq: number;
}

export interface ImaBotServer extends AsyncDisposable {
  readonly address: string;
  readonly faults: ImaBotFault[];
  readonly sent: readonly ImaBotSent[];
  seen(fits: (sent: ImaBotSent) => boolean): Promise<ImaBotSent>;
  /** Sends an event over the socket, now or when somebody resumes. */
  push(type: string, data: object): void;
  drop(code?: number): void;
  connections(): { readonly open: number; readonly identified: number; readonly resumed: number };
}

export const IMABOT_APP = { id: "102000001", secret: "DG5g3B4j9X2KOErG" };

/** The official bot's platform on 127.0.0.1: tokens, calls and the gateway socket. */
export async function startImaBotServer(): Promise<ImaBotServer> {
  const faults: ImaBotFault[] = [];
  const sent: ImaBotSent[] = [];
  const events: { readonly op: 0; readonly s: number; readonly t: string; readonly d: object; readonly id: string }[] =
    [];
  const ready = new Set<WebSocket>();
  const watching = new Set<() => void>();
  let tokens = 0;
  let identified = 0;
  let resumed = 0;

  const post = (to: string, body: Readonly<Record<string, unknown>>) => {
    const [msgId, msgSeq] = [String(body.msg_id ?? ""), Number(body.msg_seq ?? 0)];
    if (msgSeq > 0 && sent.some((one) => one.msgId === msgId && one.msgSeq === msgSeq)) return undefined;
    const one = { id: `sent_${sent.length + 1}`, to, text: String(body.content), msgId, msgSeq };
    sent.push(one);
    for (const look of [...watching]) look();
    return one;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const body = JSON.parse((await textOf(request)) || "{}");
    const path = request.url ?? "";
    const answer = (json: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    if (path === "/app/getAppAccessToken") {
      if (body.clientSecret !== IMABOT_APP.secret) return answer({ code: 100_016, message: "invalid secret" });
      tokens += 1;
      return answer({ access_token: `t-${tokens}`, expires_in: "7200" });
    }
    if (request.headers.authorization !== `QQBot t-${tokens}`) return answer({ code: 11_244, message: "token" }, 401);
    if (path === "/gateway/bot") {
      const session_start_limit = { total: 1_000, remaining: 999, reset_after: 1_000, max_concurrency: 1 };
      return answer({ url: `ws://${request.headers.host}/ws`, shards: 1, session_start_limit });
    }
    if (request.method === "DELETE") return answer({});
    const fault = faults.shift();
    if (fault?.kind === "code")
      return answer({ code: fault.code, message: fault.message ?? "fault" }, fault.status ?? 400);
    const to = path.replace(/\/messages$/, "");
    if (to.includes("nobody")) return answer({ code: 11_253, message: "no permission" }, 403);
    const kept = post(to, body);
    if (fault?.kind === "reset-after") return request.socket.destroy();
    return kept ? answer({ id: kept.id }) : answer({ code: 40_054_005, message: "duplicate" }, 400);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const wires = new WebSocketServer({ server, path: "/ws" });
  wires.on("connection", (socket) => {
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    send({ op: 10, d: { heartbeat_interval: 1_000 } });
    socket.on("close", () => ready.delete(socket));
    socket.on("message", (text) => {
      const { op, d } = JSON.parse(String(text));
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
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    sent,
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
    push(type, data) {
      const event = { op: 0 as const, s: events.length + 1, t: type, d: data, id: `${type}:${events.length}` };
      events.push(event);
      for (const socket of ready) if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event));
    },
    drop(code) {
      for (const socket of ready) code === undefined ? socket.terminate() : socket.close(code);
      ready.clear();
    },
    connections: () => ({ open: wires.clients.size, identified, resumed }),
    async [Symbol.asyncDispose]() {
      for (const socket of wires.clients) socket.terminate();
      wires.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
