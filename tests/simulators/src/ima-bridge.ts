import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { WebSocket } from "ws";
import { type Platform, type PlatformServer, type SimulatorOptions, startPlatformServer } from "./platform-server.ts";

export interface ImaCall {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly echo: string;
}

/** Response of the bridge to one call of an action, instead of the normal one. */
export type ImaFault =
  | { readonly kind: "refuse"; readonly retcode: number; readonly message?: string }
  /** Executes the call and never answers. */
  | { readonly kind: "mute" }
  /** Executes the call and closes the connection. */
  | { readonly kind: "drop" }
  /** Answers that the call was accepted, without its outcome. */
  | { readonly kind: "async" };

export interface ImaSent {
  readonly message_id: number;
  /** `group:<id>` or `private:<id>`. */
  readonly to: string;
  readonly text: string;
  readonly segments: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}

/** Conversations are `group:<id>` and `private:<id>`. */
export interface ImaBridge extends Platform<ImaCall> {
  /** `ws://127.0.0.1:<port>/`, where the service dials. */
  readonly address: string;
  readonly selfId: number;
  /** Planned faults by action, in order. */
  readonly faults: { readonly action: string; readonly fault: ImaFault }[];
  readonly sent: readonly ImaSent[];
  readonly withdrawn: readonly unknown[];
  /** Files of people by segment name; also at `<http address>/download/<name>`. */
  readonly files: Map<string, Buffer | "hang">;
  /** Nodes of forwarded messages by id. */
  readonly forwards: Map<string, readonly object[]>;
  /** Members of groups by id, with what the bridge reports about them besides the role. */
  readonly members: Map<string, { readonly card?: string; readonly nickname?: string }>;
  /** Address of file downloads. */
  readonly httpAddress: string;
  /** Files uploaded to conversations, oldest first. */
  readonly uploads: readonly { readonly to: string; readonly name: string; readonly bytes: Buffer }[];
  /** Counts of open connections, and of all so far. */
  connections(): { readonly open: number; readonly ever: number };
  /** Headers of the last connection. */
  lastHeaders(): IncomingHttpHeaders;
  /** Drops all outgoing data and reads nothing, as with a broken cable. */
  freeze(): void;
  /** Resolves when a connection has identified itself. */
  up(): Promise<void>;
  /** Sends an event to all connections. */
  emit(event: object): void;
  /** Sends a message of a person: a text, or segments. */
  say(to: string, text: string | object[], more?: object): Promise<void>;
  /** Ends every connection: by a close frame, or by a reset. */
  drop(how?: "close" | "reset"): void;
  /** Dials the service instead, as bridges do in reverse mode. */
  dial(url: string, headers?: Readonly<Record<string, string>>): Promise<WebSocket>;
  seen(fits: (sent: ImaSent) => boolean): Promise<ImaSent>;
}

export interface ImaBridgeOptions extends SimulatorOptions {
  readonly token?: string;
  readonly selfId?: number;
  readonly role?: string;
}

type Params = Readonly<Record<string, unknown>>;

/** Starts a OneBot v11 bridge on 127.0.0.1. */
export async function startImaBridge(options: ImaBridgeOptions = {}): Promise<ImaBridge> {
  const { token, selfId = 10_001, role = "owner" } = options;
  const faults: ImaBridge["faults"] = [];
  const sent: ImaSent[] = [];
  const sentContents: object[] = [];
  const withdrawn: unknown[] = [];
  const files: ImaBridge["files"] = new Map();
  const forwards: ImaBridge["forwards"] = new Map();
  const members: ImaBridge["members"] = new Map();
  const uploads: { to: string; name: string; bytes: Buffer }[] = [];
  let identified = 0;
  let headers: IncomingHttpHeaders = {};
  let isFrozen = false;

  const storeMessage = (to: string, params: Params) => {
    const message_id = server.nextId();
    const segments = params.message as ImaSent["segments"];
    const text = segments
      .filter(({ type }) => type === "text")
      .map(({ data }) => data.text)
      .join("");
    sent.push({ message_id, to, text, segments });
    server.changed();
    return { message_id };
  };
  const history = (conversation: string) => ({
    messages: [
      ...sentContents.filter((one) => toEventConversation(one as never) === conversation),
      ...sent
        .filter(({ to }) => to === conversation)
        .map(({ message_id, segments }) => ({ message_id, user_id: selfId, message: segments, time: nowInSeconds() })),
    ],
  });
  /** Returns the answer with a file; undefined when the bridge never answers. */
  const readFile = (name: unknown): object | undefined => {
    const file = files.get(String(name));
    if (file === "hang") return undefined;
    if (!file) throw new Error("no such file");
    return { file: `/bridge/cache/${name}`, file_name: String(name), base64: file.toString("base64") };
  };
  const toDownloadUrl = (name: unknown) => ({ url: `http://${server.authority}/download/${name}` });
  const upload = (to: string, { file, name }: Params) => {
    const bytes = Buffer.from(String(file).replace(/^base64:\/\//, ""), "base64");
    uploads.push({ to, name: String(name), bytes });
    server.changed();
    return {};
  };
  const findMessage = (id: unknown): object => {
    const found =
      sentContents.find((one) => (one as { message_id: unknown }).message_id === id) ??
      sent
        .map(({ message_id, segments: message }) => ({ message_id, message, sender: { nickname: "Parley" } }))
        .find(({ message_id }) => message_id === id);
    if (!found) throw new Error("no such message");
    return found;
  };
  const actions: Readonly<Record<string, (params: Params) => object | undefined>> = {
    get_image: ({ file }) => readFile(file),
    get_record: ({ file }) => readFile(file),
    get_file: ({ file }) => readFile(file),
    get_group_file_url: ({ file_id }) => toDownloadUrl(file_id),
    get_private_file_url: ({ file_id }) => toDownloadUrl(file_id),
    upload_group_file: (params) => upload(`group:${params.group_id}`, params),
    upload_private_file: (params) => upload(`private:${params.user_id}`, params),
    get_msg: ({ message_id }) => findMessage(message_id),
    get_forward_msg: ({ id }) => ({ messages: forwards.get(String(id)) ?? [] }),
    get_login_info() {
      identified += 1;
      queueMicrotask(server.changed);
      return { user_id: selfId, nickname: "Parley" };
    },
    get_status: () => ({ online: true, good: true }),
    send_group_msg: (params) => storeMessage(`group:${params.group_id}`, params),
    send_private_msg: (params) => storeMessage(`private:${params.user_id}`, params),
    send_msg: (params) =>
      storeMessage(params.group_id === undefined ? `private:${params.user_id}` : `group:${params.group_id}`, params),
    ".handle_quick_operation": ({ context, operation }) => {
      const { group_id, user_id } = context as Params;
      const { reply } = operation as Params;
      const message = typeof reply === "string" ? [{ type: "text", data: { text: reply } }] : reply;
      storeMessage(group_id === undefined ? `private:${user_id}` : `group:${group_id}`, { message });
      return {};
    },
    delete_msg({ message_id }) {
      withdrawn.push(message_id);
      return {};
    },
    get_group_member_info: ({ user_id }) => ({ role, user_id, ...members.get(String(user_id)) }),
    get_group_list: () => [{ group_id: 778, group_name: "Cats", member_count: 12 }],
    get_group_msg_history: ({ group_id }) => history(`group:${group_id}`),
    get_friend_msg_history: ({ user_id }) => history(`private:${user_id}`),
  };
  /** Returns the response to a call; undefined for none. */
  const run = (socket: WebSocket, { action, params }: ImaCall): object | undefined => {
    const perform = actions[action];
    if (!perform) return createFailure(1404);
    const at = faults.findIndex((one) => one.action === action);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault?.kind === "refuse") return createFailure(fault.retcode, fault.message);
    if (/^send_/.test(action) && Number(params.group_id ?? params.user_id) === 404)
      return createFailure(1200, "not a member");
    const data = tryPerform(() => perform(params));
    if (data === undefined) return undefined;
    if (data instanceof Error) return createFailure(1200, data.message);
    if (fault?.kind === "drop") socket.terminate();
    if (fault?.kind === "drop" || fault?.kind === "mute") return undefined;
    if (fault?.kind === "async") return { status: "async", retcode: 1, data: null };
    return { status: "ok", retcode: 0, data };
  };
  const createFakeSuccess = () => ({ status: "ok", retcode: 0, data: { message_id: server.nextId() } });
  const answer = async (socket: WebSocket, call: ImaCall) => {
    server.record(call);
    const { action, params } = call;
    const reply = await server.perform<object | undefined>(action, toConversation(params), {
      done: () => run(socket, call),
      tooMany: () => createFailure(1200, "too many messages, slow down"),
      // Real bridges report a timeout for messages that were sent after all.
      serverError: (isDone) => createFailure(1200, isDone ? "sendMsg timeout" : "internal error"),
      lyingOk: action.startsWith("get_") ? undefined : createFakeSuccess,
      halfOpen() {
        server.silence(socket);
        return undefined;
      },
    });
    if (reply) server.send(socket, JSON.stringify({ ...reply, echo: call.echo }));
  };
  const server: PlatformServer<ImaCall> = await startPlatformServer<ImaCall>({
    options,
    serve({ path }) {
      const file = files.get(/^\/download\/(.+)$/.exec(path)?.[1] ?? "");
      if (file === "hang") return "leave";
      return file ? { body: file } : { status: 404, body: "" };
    },
    connected(socket, request) {
      headers = request.headers;
      const asked = new URL(request.url ?? "/", "ws://bridge").searchParams.get("access_token");
      const isKnown = token === undefined || headers.authorization === `Bearer ${token}` || asked === token;
      if (isKnown) return serve(socket);
      socket.send(JSON.stringify(createFailure(1403)));
      socket.close();
    },
    heard(socket, text) {
      answer(socket, JSON.parse(text.toString("utf8"))).catch(() => socket.terminate());
    },
  });
  const serve = (socket: WebSocket) => {
    server.adopt(socket);
    if (isFrozen) server.silence(socket);
  };
  const silence = () => {
    for (const socket of server.sockets) server.silence(socket);
  };
  const emit = (event: object) => {
    const text = JSON.stringify({ time: nowInSeconds(), self_id: selfId, ...event });
    for (const socket of server.sockets) server.send(socket, text);
  };
  return {
    ...server.simulator,
    address: `ws://${server.authority}/`,
    selfId,
    faults,
    sent,
    withdrawn,
    files,
    forwards,
    members,
    uploads,
    httpAddress: `http://${server.authority}`,
    connections: server.connections,
    lastHeaders: () => headers,
    freeze() {
      isFrozen = true;
      silence();
    },
    up: async () => void (await server.simulator.waitFor(() => identified > 0 && server.sockets.size > 0)),
    emit,
    say(to, text, more = {}) {
      const [kind, id = ""] = to.split(":");
      const ownMessage = typeof text === "string" ? [{ type: "text", data: { text } }] : text;
      const { message = ownMessage } = more as { message?: object[] | object | string };
      const user_id = kind === "group" ? 20_002 : Number(id);
      const event = {
        post_type: "message",
        message_type: kind,
        sub_type: kind === "group" ? "normal" : "friend",
        message_id: server.nextId(),
        user_id,
        ...(kind === "group" && { group_id: Number(id), anonymous: null }),
        message,
        raw_message: toRawMessage(message),
        font: 0,
        sender: createSender(kind, (more as { user_id?: number }).user_id ?? user_id),
        ...more,
      };
      sentContents.push({ time: nowInSeconds(), self_id: selfId, ...event });
      return server.announce(to, { deliver: () => emit(event), halfOpen: silence });
    },
    shown: (conversation) => sent.filter(({ to }) => to === conversation).map(({ text }) => text),
    drop(how = "reset") {
      for (const socket of server.sockets) how === "close" ? socket.close() : socket.terminate();
    },
    async dial(url, more = {}) {
      const socket = new WebSocket(url, {
        autoPong: false,
        headers: { "x-self-id": String(selfId), "x-client-role": "Universal", ...more },
      });
      serve(socket);
      await once(socket, "open");
      return socket;
    },
    seen: (fits) => server.simulator.waitFor(() => sent.find(fits)),
  };
}

function createSender(kind: string | undefined, user_id: number): object {
  const sender = { user_id, nickname: "Lin", sex: "unknown", age: 0 };
  return kind === "group" ? { ...sender, card: "", area: "", level: "1", role: "member", title: "" } : sender;
}

/** Formats a message as text with codes, which OneBot v11 always sends next to the segments. */
function toRawMessage(message: object[] | object | string): string {
  if (typeof message === "string") return message;
  return ([message].flat() as ImaSent["segments"])
    .map(({ type, data = {} }) => {
      if (type === "text") return escapeCode(String(data.text ?? ""));
      const values = Object.entries(data).map(
        ([key, value]) => `,${key}=${escapeCode(String(value)).replaceAll(",", "&#44;")}`,
      );
      return `[CQ:${type}${values.join("")}]`;
    })
    .join("");
}

function escapeCode(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("[", "&#91;").replaceAll("]", "&#93;");
}

function tryPerform(perform: () => object | undefined): object | undefined {
  try {
    return perform();
  } catch (error) {
    return error as Error;
  }
}

function createFailure(retcode: number, message = ""): object {
  return { status: "failed", retcode, data: null, message };
}

/** Returns the conversation that a call names; "" for none. */
function toConversation({ group_id, user_id }: Params): string {
  if (group_id !== undefined) return `group:${group_id}`;
  return user_id === undefined ? "" : `private:${user_id}`;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function toEventConversation({
  message_type,
  group_id,
  user_id,
}: {
  message_type: string;
  group_id?: number;
  user_id: number;
}): string {
  return message_type === "group" ? `group:${group_id}` : `private:${user_id}`;
}
