import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

export interface ImaCall {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly echo: string;
}

/** What the bridge does with one call of an action, instead of answering it. */
export type ImaFault =
  | { readonly kind: "refuse"; readonly retcode: number; readonly message?: string }
  /** Does it, and never answers. */
  | { readonly kind: "mute" }
  /** Does it, and ends the connection. */
  | { readonly kind: "drop" }
  /** Says that it was taken over, not how it ended. */
  | { readonly kind: "async" };

export interface ImaSent {
  readonly message_id: number;
  /** `group:<id>` or `private:<id>`. */
  readonly to: string;
  readonly text: string;
  readonly segments: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
}

export interface ImaBridge extends AsyncDisposable {
  /** `ws://127.0.0.1:<port>/`, where the service dials. */
  readonly address: string;
  readonly selfId: number;
  readonly faults: { readonly action: string; readonly fault: ImaFault }[];
  readonly calls: readonly ImaCall[];
  readonly sent: readonly ImaSent[];
  readonly withdrawn: readonly unknown[];
  /** Connections that are open now, and how many there ever were. */
  connections(): { readonly open: number; readonly ever: number };
  /** Headers of the last connection. */
  lastHeaders(): IncomingHttpHeaders;
  /** Everything that goes out from now on is lost, and nothing that comes is read: a cable without an end. */
  freeze(): void;
  /** Resolves when a connection has been identified. */
  up(): Promise<void>;
  /** An event to all that are connected. */
  emit(event: object): void;
  /** Somebody says something; `to` is `group:<id>` or `private:<id>`. */
  say(to: string, text: string | object[], more?: object): void;
  /** Ends every connection: by a close frame, or at once. */
  drop(how?: "close" | "reset"): void;
  /** Dials the service instead, as bridges do in reverse mode. */
  dial(url: string, headers?: Readonly<Record<string, string>>): Promise<WebSocket>;
  seen(fits: (sent: ImaSent) => boolean): Promise<ImaSent>;
}

export interface ImaBridgeOptions {
  readonly token?: string;
  readonly selfId?: number;
  readonly role?: string;
  /** Message ids start here. */
  readonly firstId?: number;
}

/** A OneBot v11 bridge on 127.0.0.1. */
export async function startImaBridge(options: ImaBridgeOptions = {}): Promise<ImaBridge> {
  const { token, selfId = 10_001, role = "owner", firstId = 5_000 } = options;
  const faults: ImaBridge["faults"] = [];
  const calls: ImaCall[] = [];
  const sent: ImaSent[] = [];
  const said: object[] = [];
  const withdrawn: unknown[] = [];
  const sockets = new Set<WebSocket>();
  const watching = new Set<() => void>();
  let ever = 0;
  let identified = 0;
  let headers: IncomingHttpHeaders = {};
  let isFrozen = false;
  let lastId = firstId;
  const changed = () => {
    for (const look of [...watching]) look();
  };
  const until = (fits: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!fits()) return;
        watching.delete(look);
        resolve();
      };
      watching.add(look);
      look();
    });

  const keep = (to: string, params: Readonly<Record<string, unknown>>) => {
    lastId += 1;
    const segments = params.message as ImaSent["segments"];
    const text = segments
      .filter(({ type }) => type === "text")
      .map(({ data }) => data.text)
      .join("");
    sent.push({ message_id: lastId, to, text, segments });
    changed();
    return { message_id: lastId };
  };
  const history = (conversation: string) => ({
    messages: [
      ...said.filter((one) => conversationOf(one as never) === conversation),
      ...sent
        .filter(({ to }) => to === conversation)
        .map(({ message_id, segments }) => ({ message_id, user_id: selfId, message: segments, time: now() })),
    ],
  });
  const actions: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>> = {
    get_login_info() {
      identified += 1;
      queueMicrotask(changed);
      return { user_id: selfId, nickname: "Parley" };
    },
    get_status: () => ({ online: true, good: true }),
    send_group_msg: (params) => keep(`group:${params.group_id}`, params),
    send_private_msg: (params) => keep(`private:${params.user_id}`, params),
    delete_msg({ message_id }) {
      withdrawn.push(message_id);
      return {};
    },
    get_group_member_info: () => ({ role }),
    get_group_list: () => [{ group_id: 778, group_name: "Cats", member_count: 12 }],
    get_group_msg_history: ({ group_id }) => history(`group:${group_id}`),
    get_friend_msg_history: ({ user_id }) => history(`private:${user_id}`),
  };
  const answer = (socket: WebSocket, call: ImaCall) => {
    calls.push(call);
    const reply = (body: object) => {
      if (!isFrozen) socket.send(JSON.stringify({ ...body, echo: call.echo }));
    };
    const run = actions[call.action];
    if (!run) return reply({ status: "failed", retcode: 1404, data: null });
    const at = faults.findIndex(({ action }) => action === call.action);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault?.kind === "refuse") {
      return reply({ status: "failed", retcode: fault.retcode, data: null, message: fault.message ?? "" });
    }
    if (/^send_/.test(call.action) && Number(call.params.group_id ?? call.params.user_id) === 404) {
      return reply({ status: "failed", retcode: 1200, data: null, message: "not a member" });
    }
    const data = run(call.params);
    if (fault?.kind === "mute") return;
    if (fault?.kind === "drop") return socket.terminate();
    if (fault?.kind === "async") return reply({ status: "async", retcode: 1, data: null });
    reply({ status: "ok", retcode: 0, data });
  };
  const serve = (socket: WebSocket) => {
    ever += 1;
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      changed();
    });
    // `once` of whoever dials sees it too.
    socket.on("error", changed);
    socket.on("message", (text) => {
      if (!isFrozen) answer(socket, JSON.parse(String(text)));
    });
    changed();
  };
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, autoPong: true });
  server.on("connection", (socket, request) => {
    headers = request.headers;
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      socket.send(JSON.stringify({ status: "failed", retcode: 1403, data: null }));
      socket.close();
      return;
    }
    serve(socket);
  });
  await once(server, "listening");
  const emit = (event: object) => {
    if (isFrozen) return;
    const text = JSON.stringify({ time: now(), self_id: selfId, ...event });
    for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  return {
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    selfId,
    faults,
    calls,
    sent,
    withdrawn,
    connections: () => ({ open: sockets.size, ever }),
    lastHeaders: () => headers,
    freeze() {
      isFrozen = true;
    },
    up: () => until(() => identified > 0 && sockets.size > 0),
    emit,
    say(to, text, more = {}) {
      lastId += 1;
      const [kind, id = ""] = to.split(":");
      const message = typeof text === "string" ? [{ type: "text", data: { text } }] : text;
      const event = {
        post_type: "message",
        message_type: kind,
        sub_type: kind === "group" ? "normal" : "friend",
        message_id: lastId,
        user_id: kind === "group" ? 20_002 : Number(id),
        ...(kind === "group" && { group_id: Number(id) }),
        message,
        sender: { user_id: 20_002, nickname: "Lin" },
        ...more,
      };
      said.push({ time: now(), self_id: selfId, ...event });
      emit(event);
    },
    drop(how = "reset") {
      for (const socket of sockets) how === "close" ? socket.close() : socket.terminate();
    },
    async dial(url, more = {}) {
      const socket = new WebSocket(url, {
        headers: { "x-self-id": String(selfId), "x-client-role": "Universal", ...more },
      });
      serve(socket);
      await once(socket, "open");
      return socket;
    },
    async seen(fits) {
      await until(() => sent.some(fits));
      return sent.find(fits) as ImaSent;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      server.close();
      await once(server, "close");
    },
  };
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

function conversationOf({
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
