import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

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
}

export const IMC_APP = { id: "cli_9f5343c580712544", secret: "app-secret", botId: "ou_bot" };

/** The open platform's API on 127.0.0.1. */
export async function startImcServer(): Promise<ImcServer> {
  const faults: ImcFault[] = [];
  const sent: ImcSent[] = [];
  const withdrawn: string[] = [];
  const chats = new Map<string, string>();
  const watching = new Set<() => void>();
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    sent,
    withdrawn,
    tokens: () => tokens,
    chats,
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
