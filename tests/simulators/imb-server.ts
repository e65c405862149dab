import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with one call of a method, instead of doing it. */
export type ImbFault =
  | { readonly kind: "error"; readonly code: number; readonly description: string; readonly parameters?: object }
  /** Does it, and ends the connection before the answer. */
  | { readonly kind: "reset-after" }
  /** Ends the connection without doing it. */
  | { readonly kind: "reset-before" }
  /** Does it, and answers what is not JSON with a 502. */
  | { readonly kind: "gateway-page" }
  | { readonly kind: "hang" };

export interface ImbCall {
  readonly method: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ImbMessage {
  readonly message_id: number;
  readonly chat: number;
  readonly text: string;
  readonly photo?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ImbServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Faults to come, per method, in order. */
  readonly faults: { readonly method: string; readonly fault: ImbFault }[];
  readonly calls: readonly ImbCall[];
  /** What people see in their chats now. */
  readonly messages: ImbMessage[];
  readonly webhook: () => { readonly url: string; readonly secret_token?: string } | undefined;
  /** Resolves when a message that fits is there. */
  seen(fits: (message: ImbMessage) => boolean): Promise<ImbMessage>;
}

export const BOT = { id: 900, is_bot: true, first_name: "Parley", username: "parley_bot" };
/** Ids of chats that do not exist for the bot. */
const UNKNOWN_CHATS = new Set([Number.NaN]);

/** A Bot API server on 127.0.0.1: keeps what the bot sends, and fails as it is told. */
export async function startImbServer({ token = "42:secret" }: { readonly token?: string } = {}): Promise<ImbServer> {
  const faults: ImbServer["faults"] = [];
  const calls: ImbCall[] = [];
  const messages: ImbMessage[] = [];
  const watching = new Set<() => void>();
  let webhook: { readonly url: string; readonly secret_token?: string } | undefined;
  let lastId = 100;

  const post = (body: Readonly<Record<string, unknown>>) => {
    lastId += 1;
    const chat = Number(body.chat_id);
    messages.push({
      message_id: lastId,
      chat,
      text: String(body.text ?? body.caption ?? ""),
      ...(typeof body.photo === "string" && { photo: body.photo }),
      body,
    });
    for (const look of watching) look();
    return { message_id: lastId, chat: { id: chat }, date: 0 };
  };
  const methods: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>> = {
    getMe: () => BOT,
    sendMessage: post,
    sendPhoto: post,
    sendDocument: post,
    sendChatAction: () => true,
    answerCallbackQuery: () => true,
    setWebhook(body) {
      webhook = body as never;
      return true;
    },
    getWebhookInfo: () => ({ url: webhook?.url ?? "", pending_update_count: 0 }),
    editMessageText({ message_id, text }) {
      const at = messages.findIndex((one) => one.message_id === message_id);
      const old = messages[at];
      if (old) messages[at] = { ...old, text: String(text) };
      for (const look of watching) look();
      return { message_id, chat: { id: old?.chat ?? 0 } };
    },
    deleteMessage({ message_id }) {
      const at = messages.findIndex((one) => one.message_id === message_id);
      if (at >= 0) messages.splice(at, 1);
      return true;
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const [, given = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const body = JSON.parse((await bytesOf(request)) || "{}");
    calls.push({ method, token: given, body });
    const answer = (status: number, json: object) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    };
    const fail = (code: number, description: string, parameters?: object) =>
      answer(code, { ok: false, error_code: code, description, ...(parameters && { parameters }) });
    if (given !== token) return fail(401, "Unauthorized");
    const run = methods[method];
    if (!run) return fail(404, "Not Found");
    const at = faults.findIndex((one) => one.method === method);
    const [planned] = at < 0 ? [] : faults.splice(at, 1);
    const fault = planned?.fault;
    if (fault?.kind === "error") return fail(fault.code, fault.description, fault.parameters);
    if (fault?.kind === "hang") return;
    if (fault?.kind === "reset-before") return void request.socket.destroy();
    if (
      "chat_id" in body &&
      (UNKNOWN_CHATS.has(body.chat_id) || !Number.isInteger(body.chat_id) || body.chat_id === 404)
    ) {
      return fail(400, "Bad Request: chat not found");
    }
    const result = run(body);
    if (fault?.kind === "reset-after") return void request.socket.destroy();
    if (fault?.kind === "gateway-page") return void response.writeHead(502).end("<html>Bad Gateway</html>");
    answer(200, { ok: true, result });
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    calls,
    messages,
    webhook: () => webhook,
    seen: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = messages.find(fits);
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

async function bytesOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
