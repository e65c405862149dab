import { createCipheriv, createHash, randomBytes } from "node:crypto";
import type { WebSocket } from "ws";
import { decodeFrame, encodeFrame } from "./imc-frames.ts";
import { parseForm, type SentFile } from "./multipart-form.ts";
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
export type ImcFault =
  | { readonly kind: "code"; readonly code: number; readonly status?: number; readonly msg?: string }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" };

export interface ImcSent {
  readonly message_id: string;
  readonly chat: string;
  /** The answered message; "" when it answers none. */
  readonly replyTo: string;
  /** Visible text; for a rich text its lines. */
  readonly text: string;
  /** Components of a card. */
  readonly card?: readonly ImcCardComponent[];
  /** Lines of a rich text as received. */
  readonly post?: readonly (readonly ImcPostElement[])[];
  readonly uuid: string;
  /** Previously uploaded file, referenced by its key. */
  readonly file?: SentFile;
}

/** A component of a card: a text, a button or a list. */
export interface ImcCardComponent {
  readonly tag: string;
  readonly content?: string;
  readonly text?: { readonly content: string };
  readonly behaviors?: readonly { readonly type: string; readonly value?: object; readonly default_url?: string }[];
  readonly options?: readonly { readonly text: { readonly content: string }; readonly value: string }[];
}

/** An element of a rich text. */
export interface ImcPostElement {
  readonly tag: string;
  readonly text?: string;
  readonly href?: string;
  readonly style?: readonly string[];
  readonly language?: string;
}

export interface ImcCall {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ImcWebhook {
  readonly url: string;
  readonly encryptKey: string;
  readonly verificationToken: string;
}

/** Conversations are chat ids: `oc_…`. */
export interface ImcServer extends Platform<ImcCall> {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Planned faults of send calls, in order. */
  readonly faults: ImcFault[];
  /** Messages that people see; a repeated uuid is the same message. */
  readonly sent: readonly ImcSent[];
  /** Files of people by key. */
  readonly files: Map<string, Buffer | "hang">;
  readonly withdrawn: readonly string[];
  /** Count of issued tokens. */
  readonly tokens: () => number;
  /** Chats by id of the messages that may be answered. */
  readonly chats: Map<string, string>;
  /** Names of each chat's members by open_id; other chats are not disclosed. */
  readonly members: Map<string, Readonly<Record<string, string>>>;
  /** Messages that can be queried, by id, in the platform's format. */
  readonly messages: Map<string, object>;
  /** Posts messages of people to this webhook; without one they use the long connection. */
  useWebhook(webhook: ImcWebhook): void;
  /** Resolves when a matching message exists. */
  seen(fits: (sent: ImcSent) => boolean): Promise<ImcSent>;
  /** Counts of open long connections, and of all so far. */
  connections(): { readonly open: number; readonly ever: number };
  /** Ends every long connection. */
  drop(): void;
  /** Sends an event over the long connection in this many parts; resolves with the code of the answer. */
  push(event: object, parts?: number): Promise<number>;
  /** Returns the event of a press of an item of a card, by its label; its id is new unless given. */
  toPress(sent: ImcSent, label: string, more?: { readonly from?: string; readonly id?: string }): object;
  /** Returns the answer to the last event over the long connection; undefined for none. */
  lastAnswer(): unknown;
  /** Codes of rejections for the next connection requests. */
  readonly rejections: number[];
}

export const IMC_APP = { id: "cli_9f5343c580712544", secret: "app-secret", botId: "ou_bot" };

/** Starts the open platform's API on 127.0.0.1. */
export async function startImcServer(options: SimulatorOptions = {}): Promise<ImcServer> {
  const faults: ImcFault[] = [];
  const sent: ImcSent[] = [];
  const withdrawn: string[] = [];
  const files: ImcServer["files"] = new Map();
  const uploads = new Map<string, SentFile>();
  const chats = new Map<string, string>();
  const members: ImcServer["members"] = new Map();
  const messages: ImcServer["messages"] = new Map();
  const rejections: number[] = [];
  const acks = new Map<string, number>();
  let webhook: ImcWebhook | undefined;
  let answered: unknown;
  let pushed = 0;
  let tokens = 0;

  const storeMessage = (chat: string, replyTo: string, { content, uuid = "" }: { content?: string; uuid?: string }) => {
    const before = sent.find((one) => one.uuid === uuid);
    if (before) return { message_id: before.message_id };
    const shown = JSON.parse(content ?? "{}");
    const file = uploads.get(shown.image_key ?? shown.file_key ?? "");
    const post: ImcSent["post"] = shown.zh_cn?.content;
    const card: ImcSent["card"] = shown.body?.elements;
    const one = {
      message_id: `om_sent${sent.length + 1}`,
      chat,
      replyTo,
      text: shown.text ?? (post ? toPostText(post) : toCardText(card)),
      ...(post && { post }),
      ...(card && { card }),
      uuid,
      ...(file && { file }),
    };
    sent.push(one);
    server.changed();
    return { message_id: one.message_id };
  };
  /** Accepts earlier tokens too, because they are valid until they expire. */
  const isIssuedToken = (given: string | undefined) => {
    const number = /^Bearer t-(\d+)$/.exec(given ?? "")?.[1];
    return number !== undefined && Number(number) <= tokens;
  };
  const upload = (file: SentFile): HttpAnswer => {
    const key = `${file.field === "image" ? "img" : "file"}_${uploads.size + 1}`;
    uploads.set(key, file);
    return { body: { code: 0, data: { [`${file.field}_key`]: key } } };
  };
  const download = (key: string): HttpAnswer => {
    const file = files.get(key);
    if (file === "hang") return "leave";
    return file ? { body: file } : createFailure(234_003, "File not in msg.");
  };
  /** Returns the response to a query about people and messages; undefined for other calls. */
  const answerQuery = (path: string): HttpAnswer | undefined => {
    const chat = /^\/im\/v1\/chats\/([^/]+)\/members$/.exec(path)?.[1];
    const id = /^\/im\/v1\/messages\/([^/]+)$/.exec(path)?.[1];
    const items =
      chat !== undefined ? toMembers(members.get(chat)) : id && messages.has(id) && [messages.get(id)].flat();
    if (items) return { body: { code: 0, data: { items } } };
    return chat === undefined && id === undefined
      ? undefined
      : createFailure(230_027, "Lack of necessary permissions.");
  };
  const run = ({ method, headers }: HttpCall, { path, chat, replyTo, body, file }: ParsedCall): HttpAnswer => {
    if (path === "/callback/ws/endpoint") {
      const code = rejections.shift() ?? (body.AppSecret === IMC_APP.secret ? 0 : 514);
      const config = { PingInterval: 60, ReconnectInterval: 1, ReconnectNonce: 0, ReconnectCount: -1 };
      const data = { URL: `ws://${headers.host}/ws?device_id=d&service_id=7`, ClientConfig: config };
      return { body: { code, msg: code === 0 ? "" : "refused", data } };
    }
    if (path === "/auth/v3/tenant_access_token/internal") {
      if (body.app_secret !== IMC_APP.secret) return createFailure(10_014, "app secret invalid", 200);
      tokens += 1;
      return { body: { code: 0, tenant_access_token: `t-${tokens}`, expire: 7_200 } };
    }
    if (!isIssuedToken(headers.authorization)) return createFailure(99_991_663, "token invalid");
    if (path === "/bot/v3/info") return { body: { code: 0, bot: { open_id: IMC_APP.botId } } };
    if (file) return upload(file);
    const resource = /^\/im\/v1\/messages\/[^/]+\/resources\/([^/]+)$/.exec(path)?.[1];
    if (resource) return download(resource);
    const removed = /^\/im\/v1\/messages\/([^/]+)$/.exec(path)?.[1];
    if (method === "DELETE" && removed) {
      withdrawn.push(removed);
      return { body: { code: 0 } };
    }
    const answer = method === "GET" ? answerQuery(path) : undefined;
    if (answer) return answer;
    const fault = faults.shift();
    if (fault?.kind === "code") return createFailure(fault.code, fault.msg ?? "fault", fault.status ?? 200);
    if (!chat.startsWith("oc_")) return createFailure(230_002, "The bot can not be outside the group.");
    const data = storeMessage(chat, replyTo, body);
    return fault ? "drop" : { body: { code: 0, msg: "success", data } };
  };
  const server: PlatformServer<ImcCall> = await startPlatformServer<ImcCall>({
    options,
    socketPath: "/ws",
    async serve(call) {
      const meant = await parseCall(call, chats);
      const { path, isSend, chat, body } = meant;
      server.record({ method: call.method, path, body });
      return server.perform<HttpAnswer>(isSend ? "messages" : path, chat, {
        done: () => run(call, meant),
        tooMany: () => createFailure(99_991_400, "request trigger frequency limit", 429),
        serverError: () => createFailure(500, "internal error", 500),
        lyingOk: isSend ? () => ({ body: { code: 0, data: { message_id: "om_never" } } }) : undefined,
        halfOpen: () => "leave",
      });
    },
    connected: (socket) => server.adopt(socket),
    heard(_socket, frame) {
      const { method, headers, payload } = decodeFrame(frame);
      if (method !== 1) return;
      const { code, data } = JSON.parse(payload.toString("utf8"));
      answered = data === undefined ? undefined : JSON.parse(Buffer.from(data, "base64").toString("utf8"));
      acks.set(headers.message_id ?? "", code);
      server.changed();
    },
  });
  /** Sends an event over the current connection, or over the next one when it ends before the answer. */
  const deliver = async (event: object, parts: number): Promise<number> => {
    const { waitFor } = server.simulator;
    for (;;) {
      const socket = await waitFor(() => [...server.sockets][0]);
      const message_id = pushOver(socket, event, parts);
      const code = await waitFor(() => acks.get(message_id) ?? (server.sockets.has(socket) ? undefined : "ended"));
      if (typeof code === "number") return code;
    }
  };
  const pushOver = (socket: WebSocket, event: object, parts: number): string => {
    pushed += 1;
    const message_id = `m${pushed}`;
    const whole = Buffer.from(JSON.stringify(event));
    const size = Math.ceil(whole.length / parts);
    // The last part goes first, because the platform does not send parts in order.
    for (let seq = parts - 1; seq >= 0; seq -= 1) {
      const headers = { type: "event", message_id, sum: String(parts), seq: String(seq), trace_id: "t" };
      server.send(socket, encodeFrame({ method: 1, headers, payload: whole.subarray(seq * size, (seq + 1) * size) }));
    }
    return message_id;
  };
  const push = async (event: object, parts = 1, about = ""): Promise<number> => {
    if (server.sockets.size === 0) throw new Error("nobody is connected");
    const codes: number[] = [];
    const once = async () => void codes.push(await deliver(event, parts));
    await server.announce(about, {
      deliver: once,
      halfOpen() {
        for (const socket of server.sockets) server.silence(socket);
        return once();
      },
    });
    return codes[0] ?? 0;
  };
  return {
    ...server.simulator,
    address: `http://${server.authority}`,
    faults,
    sent,
    files,
    withdrawn,
    tokens: () => tokens,
    chats,
    members,
    messages,
    rejections,
    useWebhook(given) {
      webhook = given;
    },
    async say(conversation, text, more = {}) {
      const id = server.nextId();
      const message_id = `om_said${id}`;
      chats.set(message_id, conversation);
      const message = { chat_id: conversation, chat_type: "p2p", message_type: "text" };
      const event = {
        schema: "2.0",
        header: {
          event_id: `said_${id}`,
          event_type: "im.message.receive_v1",
          token: webhook?.verificationToken,
          app_id: IMC_APP.id,
        },
        event: {
          sender: { sender_id: { open_id: conversation.replace("oc_", "ou_") }, sender_type: "user" },
          message: { message_id, ...message, content: JSON.stringify({ text }), ...more },
        },
      };
      if (!webhook) return void (await push(event, 1, conversation));
      const { url, encryptKey } = webhook;
      const posted = () => ({ url, ...encryptEvent(event, encryptKey) });
      await server.announce(conversation, createWebhookAnnouncement(posted, server.stopping));
    },
    shown: (conversation) => sent.filter(({ chat }) => chat === conversation).map(({ text }) => text),
    connections: server.connections,
    drop() {
      for (const socket of server.sockets) socket.terminate();
    },
    push: (event, parts) => push(event, parts),
    lastAnswer: () => answered,
    toPress({ message_id, chat, card = [] }, label, { from = "ou_lin", id = `press_${server.nextId()}` } = {}) {
      const action = findAction(card, label);
      if (!action) throw new Error(`the card has nothing to press named '${label}'`);
      const header = { event_id: id, event_type: "card.action.trigger", token: "vt", app_id: IMC_APP.id };
      const context = { open_message_id: message_id, open_chat_id: chat };
      return {
        schema: "2.0",
        header,
        event: { operator: { open_id: from }, token: "c-1", action, host: "im_message", context },
      };
    },
    seen: (fits) => server.simulator.waitFor(() => sent.find(fits)),
  };
}

/** A parsed call. */
interface ParsedCall {
  /** Path below `/open-apis`. */
  readonly path: string;
  readonly isSend: boolean;
  /** The chat; "" when the call names none or an unknown one. */
  readonly chat: string;
  /** The answered message; "" when it answers none. */
  readonly replyTo: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly file?: SentFile;
}

async function parseCall(call: HttpCall, chats: ReadonlyMap<string, string>): Promise<ParsedCall> {
  const { body, file } = await parseForm(call);
  const path = call.path.replace(/^\/open-apis/, "").split("?")[0] ?? "";
  const replyTo = /^\/im\/v1\/messages\/([^/]+)\/reply$/.exec(path)?.[1] ?? "";
  const isSend = call.method === "POST" && path.startsWith("/im/v1/messages");
  const chat = !isSend ? "" : replyTo === "" ? String(body.receive_id) : (chats.get(replyTo) ?? "");
  return { path, isSend, chat, replyTo, body, ...(file && { file }) };
}

function toMembers(names: Readonly<Record<string, string>> | undefined) {
  return names && Object.entries(names).map(([member_id, name]) => ({ member_id, member_id_type: "open_id", name }));
}

function toPostText(lines: NonNullable<ImcSent["post"]>): string {
  return lines.map((line) => line.map(({ tag, text = "" }) => (tag === "hr" ? "———" : text)).join("")).join("\n");
}

function toCardText(card: ImcSent["card"]): string {
  return (card ?? []).flatMap(({ content }) => content ?? []).join("\n");
}

/** Returns the action of a press as the platform describes it: the value of a button, or the chosen option of a list. */
function findAction(card: NonNullable<ImcSent["card"]>, label: string): object | undefined {
  for (const { tag, text, behaviors = [], options = [] } of card) {
    const callback = behaviors.find(({ type }) => type === "callback");
    if (tag === "button" && text?.content === label && callback) return { tag, value: callback.value };
    const option = options.find((one) => one.text.content === label);
    if (option) return { tag, option: option.value };
  }
  return undefined;
}

function createFailure(code: number, msg: string, status = 400): HttpAnswer {
  return { status, body: { code, msg } };
}

/** Encrypts an event with the key and signs the bytes of the request, like the platform. */
export function encryptEvent(event: object, key: string, timestamp = String(Math.floor(Date.now() / 1_000))) {
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
