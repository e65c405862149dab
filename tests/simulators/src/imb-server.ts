import { parseHtml } from "./imb-html.ts";
import { createUpdateQueue, type ImbWebhook, type StoredUpdate } from "./imb-updates.ts";
import { parseForm, type SentFile } from "./multipart-form.ts";
import {
  type HttpAnswer,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "./platform-server.ts";

/** Response of the server to one call of a method, instead of executing it. */
export type ImbFault =
  | { readonly kind: "error"; readonly code: number; readonly description: string; readonly parameters?: object }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" }
  /** Ends the connection without executing the call. */
  | { readonly kind: "reset-before" }
  /** Executes the call, and responds with a 502 that is not JSON. */
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
  /** Uploaded file. */
  readonly file?: SentFile;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ImbButton {
  readonly text: string;
  readonly callback_data?: string;
}

/** Conversations are chat ids: `501`, `-1001234`. */
export interface ImbServer extends Platform<ImbCall> {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Planned faults by method, in order. */
  readonly faults: { readonly method: string; readonly fault: ImbFault }[];
  /** Messages currently visible in chats. */
  readonly messages: ImbMessage[];
  /** Files of people by `file_id`; the bytes of `hang` never arrive. */
  readonly files: Map<string, Buffer | "hang">;
  readonly webhook: () => ImbWebhook | undefined;
  /** Sets the webhook like `setWebhook`, for any URL. Without one, updates wait until they are polled. */
  useWebhook(webhook: ImbWebhook): void;
  /** Returns the update for the press of a button below a message, by its person or another one; its id is new unless given. */
  toPress(message: ImbMessage, label: string, more?: { readonly from?: object; readonly id?: string }): object;
  /** Resolves when a matching message exists. */
  seen(fits: (message: ImbMessage) => boolean): Promise<ImbMessage>;
}

export interface ImbServerOptions extends SimulatorOptions {
  readonly token?: string;
}

export const BOT = { id: 900, is_bot: true, first_name: "Parley", username: "parley_bot" };
/** A chat that does not exist for the bot. */
const UNKNOWN_CHAT = 404;

type Body = Readonly<Record<string, unknown>>;

/** A Bot API server on 127.0.0.1 that records sent messages and can fail on demand. */
export async function startImbServer(options: ImbServerOptions = {}): Promise<ImbServer> {
  const { token = "42:secret" } = options;
  const faults: ImbServer["faults"] = [];
  const messages: ImbMessage[] = [];
  const files: ImbServer["files"] = new Map();

  const storeMessage = (body: Body, file?: SentFile) => {
    const message_id = server.nextId();
    const chat = Number(body.chat_id);
    messages.push({
      message_id,
      chat,
      text: String(body.text ?? body.caption ?? ""),
      ...(typeof body.photo === "string" && { photo: body.photo }),
      ...(file && { file }),
      body,
    });
    server.changed();
    return { message_id, chat: { id: chat }, date: 0 };
  };
  const methods: Readonly<Record<string, (body: Body, file?: SentFile) => unknown>> = {
    getMe: () => BOT,
    sendMessage: (body) => storeMessage(body),
    sendPhoto: storeMessage,
    sendDocument: storeMessage,
    sendAnimation: storeMessage,
    sendAudio: storeMessage,
    sendVoice: storeMessage,
    sendVideo: storeMessage,
    getFile({ file_id }) {
      const file = files.get(String(file_id));
      return { file_id, file_path: `media/${file_id}`, ...(Buffer.isBuffer(file) && { file_size: file.length }) };
    },
    sendChatAction: () => true,
    answerCallbackQuery: () => true,
    setWebhook(body) {
      updates.setWebhook(body as never);
      return true;
    },
    deleteWebhook() {
      updates.setWebhook(undefined);
      return true;
    },
    getWebhookInfo: () => ({ url: updates.webhook()?.url ?? "", pending_update_count: updates.countWaiting() }),
    editMessageText({ message_id, text }) {
      const at = messages.findIndex((one) => one.message_id === message_id);
      const old = messages[at];
      if (old) messages[at] = { ...old, text: String(text) };
      server.changed();
      return { message_id, chat: { id: old?.chat ?? 0 } };
    },
    editMessageReplyMarkup({ message_id, reply_markup }) {
      const at = messages.findIndex((one) => one.message_id === message_id);
      const old = messages[at];
      if (old) messages[at] = { ...old, body: { ...old.body, reply_markup } };
      server.changed();
      return { message_id, chat: { id: old?.chat ?? 0 } };
    },
    deleteMessage({ message_id }) {
      const at = messages.findIndex((one) => one.message_id === message_id);
      if (at >= 0) messages.splice(at, 1);
      return true;
    },
  };
  const createFakeSuccess = ({ chat_id }: Body) => ({ message_id: server.nextId(), chat: { id: chat_id }, date: 0 });
  const download = (id: string): HttpAnswer => {
    const file = files.get(id);
    if (file === "hang") return "leave";
    return file ? { body: file } : createFailure(404, "Not Found");
  };
  const run = (method: string, body: Body, file?: SentFile): HttpAnswer => {
    const rejected = findTextProblem(method, body);
    if (rejected) return rejected;
    const chat = body.chat_id;
    const isUnknown = "chat_id" in body && (!Number.isInteger(chat) || chat === UNKNOWN_CHAT);
    if (isUnknown) return createFailure(400, "Bad Request: chat not found");
    if (method === "getFile" && !files.has(String(body.file_id)))
      return createFailure(400, "Bad Request: invalid file_id");
    return { body: { ok: true, result: methods[method]?.(body, file) } };
  };
  /** Removes and returns the planned fault of this call; undefined for none. */
  const takePlannedFault = (method: string, body: Body, file?: SentFile): HttpAnswer | undefined => {
    const at = faults.findIndex((one) => one.method === method);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault?.kind === "error") return createFailure(fault.code, fault.description, fault.parameters);
    if (fault?.kind === "hang") return "leave";
    if (fault?.kind === "reset-before") return "drop";
    if (!fault) return undefined;
    run(method, body, file);
    return fault.kind === "reset-after" ? "drop" : { status: 502, body: "<html>Bad Gateway</html>" };
  };
  const server: PlatformServer<ImbCall> = await startPlatformServer<ImbCall>({
    options,
    async serve(call) {
      const [, opened, path] = /^\/file\/bot([^/]+)\/media\/(.+)$/.exec(call.path) ?? [];
      if (path !== undefined) return opened === token ? download(path) : createFailure(401, "Unauthorized");
      const [, given = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(call.path) ?? [];
      const { body, file } = await parseForm(call);
      server.record({ method, token: given, body });
      if (given !== token) return createFailure(401, "Unauthorized");
      if (method === "getUpdates") return takePlannedFault(method, body) ?? (await poll(body));
      if (!methods[method]) return createFailure(404, "Not Found");
      return (
        takePlannedFault(method, body, file) ??
        server.perform<HttpAnswer>(method, String(body.chat_id ?? ""), {
          done: () => run(method, body, file),
          tooMany: () => createFailure(429, "Too Many Requests: retry after 1", { retry_after: 1 }),
          serverError: () => createFailure(500, "Internal Server Error"),
          lyingOk: method.startsWith("get")
            ? undefined
            : () => ({ body: { ok: true, result: createFakeSuccess(body) } }),
          halfOpen: () => "leave",
        })
      );
    },
  });
  const updates = createUpdateQueue({
    stopping: server.stopping,
    waitFor: server.simulator.waitFor,
    changed: server.changed,
  });
  const readPoll = async ({ offset, timeout, limit }: Body): Promise<HttpAnswer> => {
    const result = await updates.poll(Number(offset ?? 0), Number(timeout ?? 0), Number(limit ?? 100));
    if (typeof result !== "string") return { body: { ok: true, result } };
    return createFailure(409, POLL_CONFLICTS[result]);
  };
  /** Answers a poll, or with a fault; an answer that is lost confirms nothing. */
  const poll = async (body: Body): Promise<HttpAnswer> =>
    server.perform<Promise<HttpAnswer> | HttpAnswer>("getUpdates", "", {
      done() {
        const answer = readPoll(body);
        // With a fault nobody waits for it, and the end of the simulator ends it.
        answer.catch(() => undefined);
        return answer;
      },
      tooMany: () => createFailure(429, "Too Many Requests: retry after 1", { retry_after: 1 }),
      serverError: () => createFailure(502, "Bad Gateway"),
      halfOpen: () => "drop",
    });
  const deliver = (update: StoredUpdate) => () => updates.deliver(update);
  return {
    ...server.simulator,
    address: `http://${server.authority}`,
    faults,
    messages,
    files,
    webhook: updates.webhook,
    useWebhook: updates.setWebhook,
    say(conversation, text, more = {}) {
      const update_id = server.nextId();
      const id = Number(conversation);
      const chat = id < 0 ? { id, type: "supergroup", title: "Cats" } : { id, type: "private" };
      // The id of a private chat is that of the person.
      const from = { id: id < 0 ? 501 : id, first_name: "Lin" };
      const date = Math.floor(Date.now() / 1_000);
      const update = { update_id, message: { message_id: update_id, date, from, chat, text, ...more } };
      // When half open, the response is lost, so the update arrives again.
      const halfOpen = async () => {
        await updates.deliver({ ...update });
        await updates.deliver({ ...update });
      };
      return server.announce(conversation, { deliver: deliver(update), halfOpen });
    },
    toPress({ message_id, chat: id, body }, label, { from, id: given } = {}) {
      const { inline_keyboard = [] } = (body.reply_markup ?? {}) as {
        readonly inline_keyboard?: readonly ImbButton[][];
      };
      const button = inline_keyboard.flat().find(({ text }) => text === label);
      if (!button) throw new Error(`the message has no button '${label}'`);
      const update_id = server.nextId();
      const chat = id < 0 ? { id, type: "supergroup", title: "Cats" } : { id, type: "private" };
      const message = { message_id, chat, from: BOT, reply_markup: body.reply_markup };
      const person = from ?? { id: id < 0 ? 501 : id, first_name: "Lin" };
      const query = { id: given ?? `cb-${update_id}`, from: person, data: button.callback_data, message };
      return { update_id, callback_query: query };
    },
    shown: (conversation) => messages.filter(({ chat }) => String(chat) === conversation).map(({ text }) => text),
    seen: (fits) => server.simulator.waitFor(() => messages.find(fits)),
  };
}

const POLL_CONFLICTS = {
  webhook:
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  other: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
} as const;
const MAX_TEXT = 4_096;

/** Returns the platform's error for an invalid text. */
function findTextProblem(method: string, { text, parse_mode }: Body): HttpAnswer | undefined {
  if (method !== "sendMessage" && method !== "editMessageText") return undefined;
  const parsed = parse_mode === "HTML" ? parseHtml(String(text ?? "")) : { text: String(text ?? "") };
  if ("problem" in parsed) return createFailure(400, `Bad Request: can't parse entities: ${parsed.problem}`);
  if (parsed.text.trim() === "") return createFailure(400, "Bad Request: message text is empty");
  return parsed.text.length > MAX_TEXT ? createFailure(400, "Bad Request: message is too long") : undefined;
}

function createFailure(code: number, description: string, parameters?: object): HttpAnswer {
  return { status: code, body: { ok: false, error_code: code, description, ...(parameters && { parameters }) } };
}
