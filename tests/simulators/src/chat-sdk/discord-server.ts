import { generateKeyPairSync, sign } from "node:crypto";
import { parseForm } from "../multipart-form.ts";
import {
  type HttpAnswer,
  type HttpCall,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "../platform-server.ts";
import type { WebhookPost } from "../webhook.ts";
import { createDiscordGateway, type DiscordGateway } from "./discord-gateway.ts";
import { createDiscordFailure, createDiscordRoutes, DISCORD_BOT, DISCORD_THREAD_TYPE } from "./discord-routes.ts";

/** Response of the server to one send, instead of executing it. */
export type DiscordFault =
  | { readonly kind: "error"; readonly status: number; readonly body?: object }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" }
  | { readonly kind: "hang" };

export interface DiscordCall {
  /** Method and path, such as `POST /channels/7/messages`. */
  readonly call: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A message of the bot as people see it. */
export interface DiscordMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly text: string;
  readonly file?: Buffer;
  readonly components?: unknown;
}

/** Conversations are ids of the Chat SDK: `discord:@me:501` for a private chat, `discord:G1:C7:T9` for a thread. */
export interface DiscordServer
  extends Platform<DiscordCall>,
    Pick<DiscordGateway, "drop" | "forgetSession" | "counts" | "ready"> {
  /** `http://127.0.0.1:<port>/api/v10` */
  readonly address: string;
  /** Planned faults of sends, in order. */
  readonly faults: DiscordFault[];
  readonly messages: DiscordMessage[];
  /** Files of people by name, at `<authority>/attachments/<name>`. */
  readonly files: Map<string, Buffer>;
  /** Reactions of the bot: message and emoji. */
  readonly reactions: Set<string>;
  /** Sends an event over the gateway. */
  push(type: string, data: object): Promise<void>;
  /** Returns a signed request with an interaction, as Discord posts it. */
  createPost(interaction: object): WebhookPost;
  /** Resolves when a matching message of the bot exists. */
  seen(fits: (message: DiscordMessage) => boolean): Promise<DiscordMessage>;
}

const keys = generateKeyPairSync("ed25519");
export const DISCORD_APP = {
  token: "discord-token",
  applicationId: DISCORD_BOT.id,
  /** The raw key in hexadecimal digits, as Discord shows it. */
  publicKey: keys.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex"),
} as const;

type Body = Readonly<Record<string, unknown>>;

/** A Discord on 127.0.0.1: its API checks the token, its gateway brings messages, its interactions are signed. */
export async function startDiscordServer(options: SimulatorOptions = {}): Promise<DiscordServer> {
  const faults: DiscordFault[] = [];
  const messages: DiscordMessage[] = [];
  const files: DiscordServer["files"] = new Map();
  const reactions = new Set<string>();
  /** Parent channels by thread. */
  const threads = new Map<string, string>();
  const gateway = createDiscordGateway({ token: DISCORD_APP.token, user: DISCORD_BOT, sockets: () => server });
  const routes = createDiscordRoutes({ messages, threads, reactions, server: () => server });
  const run = (call: string, body: Body, file?: Buffer): HttpAnswer => {
    for (const [pattern, answer] of routes) {
      const found = pattern.exec(call);
      if (found) return answer(found.slice(1), body, file);
    }
    return createDiscordFailure(404, 0, "404: Not Found");
  };
  const server: PlatformServer<DiscordCall> = await startPlatformServer<DiscordCall>({
    options,
    socketPath: "/gateway",
    connected: gateway.connected,
    heard: gateway.receive,
    async serve(call) {
      const name = /^\/attachments\/(.+)$/.exec(call.path)?.[1];
      if (name !== undefined) return { body: files.get(name) ?? "" };
      const { path, body, file } = await readCall(call);
      server.record({ call: path, body });
      // The token in the address authorizes it.
      if (/^POST \/interactions\/[^/]+\/[^/]+\/callback$/.test(path)) return { body: "" };
      if (call.headers.authorization !== `Bot ${DISCORD_APP.token}`)
        return createDiscordFailure(401, 0, "401: Unauthorized");
      const isSend = /^POST \/channels\/[^/]+\/messages$/.test(path);
      const fault = isSend ? faults.shift() : undefined;
      if (fault) return performFault(fault, () => run(path, body, file));
      const [, channelId = ""] = /^\w+ \/channels\/([^/?]+)/.exec(path) ?? [];
      return server.perform<HttpAnswer>(isSend ? "messages" : path.replaceAll(/\d+/g, "n"), channelId, {
        done: () => run(path, body, file),
        tooMany: () => toThrottled(0.05),
        serverError: () => createDiscordFailure(500, 0, "500: Internal Server Error"),
        lyingOk: isSend ? () => ({ body: { id: String(server.nextId()) } }) : undefined,
        halfOpen: () => "leave",
      });
    },
  });
  const push = (type: string, data: object, about = "") =>
    server.announce(about, gateway.createAnnouncement(type, data));
  return {
    ...server.simulator,
    ...gateway,
    address: `http://${server.authority}/api/v10`,
    faults,
    messages,
    files,
    reactions,
    push,
    createPost,
    say(conversation, text, more = {}) {
      const message = createDiscordMessage(conversation, String(server.nextId()), text);
      const { thread, parent } = toChannel(conversation);
      if (thread !== undefined) threads.set(thread, parent);
      return push("MESSAGE_CREATE", { ...message, ...more }, conversation);
    },
    shown: (conversation) =>
      messages.filter((one) => one.channel_id === toChannel(conversation).id).map(({ text }) => text),
    seen: (fits) => server.simulator.waitFor(() => messages.find(fits)),
  };
}

async function readCall(call: HttpCall): Promise<{ path: string; body: Body; file?: Buffer }> {
  const path = `${call.method} ${call.path.replace(/^\/api\/v10/, "")}`;
  const { body, file } = await parseForm(call);
  const payload = body.payload_json;
  const given = typeof payload === "object" && payload !== null ? { ...payload } : body;
  return { path, body: given, ...(file && { file: file.bytes }) };
}

function performFault(fault: DiscordFault, run: () => HttpAnswer): HttpAnswer {
  if (fault.kind === "error") return { status: fault.status, body: fault.body ?? { message: "failed", code: 0 } };
  if (fault.kind === "hang") return "leave";
  run();
  return "drop";
}

/** Returns the channel of a conversation, and its parent when it is a thread. */
function toChannel(conversation: string): { id: string; guild: string; parent: string; thread?: string | undefined } {
  const [, guild = "", parent = "", thread] = conversation.split(":");
  return { id: thread ?? parent, guild, parent, thread };
}

/** Returns the event of a person's message. */
export function createDiscordMessage(
  conversation: string,
  id: string,
  content: string,
): Readonly<Record<string, unknown>> {
  const { id: channel_id, guild, thread } = toChannel(conversation);
  const isPrivate = guild === "@me";
  return {
    id,
    channel_id,
    channel_type: thread === undefined ? (isPrivate ? 1 : 0) : DISCORD_THREAD_TYPE,
    ...(!isPrivate && { guild_id: guild }),
    author: { id: `U${channel_id}`, username: "lin", global_name: "Lin" },
    content,
    timestamp: new Date().toISOString(),
    edited_timestamp: null,
    mentions: content.includes(`<@${DISCORD_APP.applicationId}>`) ? [DISCORD_BOT] : [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    type: 0,
  };
}

/** Signs an interaction as Discord does: the time and the body. */
function createPost(interaction: object): WebhookPost {
  const body = JSON.stringify(interaction);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = sign(null, Buffer.from(`${timestamp}${body}`), keys.privateKey).toString("hex");
  const headers = {
    "content-type": "application/json",
    "x-signature-timestamp": timestamp,
    "x-signature-ed25519": signature,
  };
  return { url: "", body, headers };
}

export function toDiscordThrottled(seconds: number): object {
  return { message: "You are being rate limited.", retry_after: seconds, global: false };
}

const toThrottled = (seconds: number): HttpAnswer => ({ status: 429, body: toDiscordThrottled(seconds) });
