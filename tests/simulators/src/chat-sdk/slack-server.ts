import { createHmac } from "node:crypto";
import {
  type HttpAnswer,
  type HttpCall,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "../platform-server.ts";
import { createWebhookAnnouncement, type WebhookPost } from "../webhook.ts";

/** Response of the server to one call of a method, instead of executing it. */
export type SlackFault =
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "throttle"; readonly seconds: number }
  | { readonly kind: "status"; readonly status: number }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" }
  | { readonly kind: "hang" };

export interface SlackCall {
  readonly method: string;
  readonly body: Readonly<Record<string, string>>;
}

/** A message of the bot as people see it. */
export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts: string;
  readonly user: string;
  readonly text: string;
  readonly file?: Buffer;
  /** Blocks of a message with elements, as JSON. */
  readonly blocks?: string;
}

export interface SlackWebhook {
  readonly url: string;
  readonly signingSecret: string;
}

/** Conversations are ids of the Chat SDK: `slack:D501:` for a private chat, `slack:C77:1700.01` for a thread. */
export interface SlackServer extends Platform<SlackCall> {
  /** `http://127.0.0.1:<port>/api/` */
  readonly address: string;
  /** Planned faults by method, in order. */
  readonly faults: { readonly method: string; readonly fault: SlackFault }[];
  readonly messages: SlackMessage[];
  /** Files of people by the last part of their address. */
  readonly files: Map<string, Buffer>;
  useWebhook(webhook: SlackWebhook): void;
  /** Returns a signed request with an event, as Slack posts it. */
  createPost(event: object, more?: { readonly eventId?: string; readonly retry?: number }): WebhookPost;
  /** Returns a signed request with an interaction, as Slack posts it. */
  createInteraction(payload: object): WebhookPost;
  /** Resolves when a matching message of the bot exists. */
  seen(fits: (message: SlackMessage) => boolean): Promise<SlackMessage>;
}

export const SLACK_APP = {
  token: "xoxb-secret",
  botId: "B0BOT",
  userId: "U0BOT",
  signingSecret: "signing-secret",
} as const;
const TEAM = "T0TEAM";
const MAX_MARKDOWN = 12_000;

type Body = Readonly<Record<string, string>>;

/** A Slack Web API on 127.0.0.1 that checks the token, records messages and signs its events. */
export async function startSlackServer(options: SimulatorOptions = {}): Promise<SlackServer> {
  const faults: SlackServer["faults"] = [];
  const messages: SlackMessage[] = [];
  const files: SlackServer["files"] = new Map();
  const uploads = new Map<string, Buffer>();
  let webhook: SlackWebhook = { url: "", signingSecret: SLACK_APP.signingSecret };

  const createTs = () => `${Math.floor(Date.now() / 1000)}.${String(server.nextId()).padStart(6, "0")}`;
  const post = (message: Omit<SlackMessage, "ts" | "user">) => {
    const stored = { ...message, ts: createTs(), user: SLACK_APP.userId };
    messages.push(stored);
    server.changed();
    return { ok: true, channel: stored.channel, ts: stored.ts };
  };
  const methods: Readonly<Record<string, (body: Body) => object>> = {
    "auth.test": () => ({
      ok: true,
      user_id: SLACK_APP.userId,
      user: "parley",
      bot_id: SLACK_APP.botId,
      team_id: TEAM,
    }),
    "users.info"({ user }) {
      const [name, display_name] = user === SLACK_APP.userId ? ["parley", "Parley the Bot"] : ["lin", "Lin"];
      return { ok: true, user: { id: user, name, profile: { display_name } } };
    },
    "conversations.info": ({ channel }) => ({ ok: true, channel: { id: channel, name: "cats" } }),
    "chat.postMessage": ({ channel = "", thread_ts = "", markdown_text, text = "", blocks }) =>
      post({ channel, thread_ts, text: markdown_text ?? text, ...(blocks && { blocks }) }),
    "chat.update"({ ts, markdown_text, text }) {
      const at = messages.findIndex((one) => one.ts === ts);
      const old = messages[at];
      if (!old) return { ok: false, error: "message_not_found" };
      messages[at] = { ...old, text: markdown_text ?? text ?? "" };
      server.changed();
      return { ok: true, channel: old.channel, ts };
    },
    "chat.delete"({ ts }) {
      const at = messages.findIndex((one) => one.ts === ts);
      if (at < 0) return { ok: false, error: "message_not_found" };
      messages.splice(at, 1);
      server.changed();
      return { ok: true };
    },
    "conversations.history": ({ channel }) => listHistory(messages.filter((one) => one.channel === channel)),
    "conversations.replies": ({ channel, ts }) =>
      ts ? listHistory(messages.filter((one) => one.channel === channel && one.thread_ts === ts)) : INVALID,
    "assistant.threads.setStatus": () => ({ ok: true }),
    "reactions.add": () => ({ ok: true }),
    "files.getUploadURLExternal"() {
      const id = `F${server.nextId()}`;
      return { ok: true, upload_url: `http://${server.authority}/upload/${id}`, file_id: id };
    },
    "files.completeUploadExternal"({ files: list = "[]", channel_id: channel = "", thread_ts = "" }) {
      const [file] = JSON.parse(list) as readonly { id: string; title?: string }[];
      const bytes = uploads.get(file?.id ?? "");
      if (bytes) post({ channel, thread_ts, text: "", file: bytes });
      return { ok: true, files: [{ id: file?.id }] };
    },
  };
  const run = (method: string, body: Body): HttpAnswer => {
    const problem = method.startsWith("chat.") ? findProblem(method, body) : undefined;
    return { body: problem === undefined ? methods[method]?.(body) : { ok: false, error: problem } };
  };
  const takePlannedFault = (method: string, body: Body): HttpAnswer | undefined => {
    const at = faults.findIndex((one) => one.method === method);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault?.kind === "error") return { body: { ok: false, error: fault.error } };
    if (fault?.kind === "throttle") return toThrottled(fault.seconds);
    if (fault?.kind === "status") return { status: fault.status, body: "unavailable" };
    if (fault?.kind === "hang") return "leave";
    if (!fault) return undefined;
    run(method, body);
    return "drop";
  };
  const server: PlatformServer<SlackCall> = await startPlatformServer<SlackCall>({
    options,
    async serve(call) {
      const isAllowed = call.headers.authorization === `Bearer ${SLACK_APP.token}`;
      const [, kind, name = ""] = /^\/(api|upload|files-pri)\/([^?]+)/.exec(call.path) ?? [];
      if (kind === "upload") return storeUpload(uploads, name, call);
      if (kind === "files-pri") return isAllowed ? { body: files.get(name) ?? "" } : { status: 401, body: "" };
      const body = Object.fromEntries(new URLSearchParams(call.raw.toString("utf8")));
      server.record({ method: name, body });
      if (!isAllowed) return { body: { ok: false, error: "invalid_auth" } };
      if (!methods[name]) return { body: { ok: false, error: "unknown_method" } };
      const planned = takePlannedFault(name, body);
      if (planned) return planned;
      return server.perform<HttpAnswer>(name, toConversation(body), {
        done: () => run(name, body),
        tooMany: () => toThrottled(1),
        serverError: () => ({ status: 500, body: "unavailable" }),
        lyingOk:
          name === "chat.postMessage"
            ? () => ({ body: { ok: true, channel: body.channel, ts: createTs() } })
            : undefined,
        halfOpen: () => "leave",
      });
    },
  });
  const createPost: SlackServer["createPost"] = (event, { eventId = `Ev${server.nextId()}`, retry = 0 } = {}) => {
    const authorizations = [{ team_id: TEAM, user_id: SLACK_APP.userId, is_bot: true }];
    const given = { type: "event_callback", team_id: TEAM, event_id: eventId, authorizations, event };
    const body = JSON.stringify("type" in event && event.type === "url_verification" ? event : given);
    return { url: webhook.url, body, headers: sign(body, webhook.signingSecret, retry) };
  };
  return {
    ...server.simulator,
    address: `http://${server.authority}/api/`,
    faults,
    messages,
    files,
    createPost,
    createInteraction(payload) {
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const headers = { ...sign(body, webhook.signingSecret, 0), "content-type": "application/x-www-form-urlencoded" };
      return { url: webhook.url, body, headers };
    },
    useWebhook(given) {
      webhook = given;
    },
    say(conversation, text, more = {}) {
      const event = { ...createSlackMessage(conversation, createTs(), text), ...more };
      const eventId = `Ev${server.nextId()}`;
      let retry = -1;
      const announce = createWebhookAnnouncement(() => {
        retry += 1;
        return createPost(event, { eventId, retry });
      }, server.stopping);
      return server.announce(conversation, announce);
    },
    shown: (conversation) => messages.filter((one) => toThread(one) === conversation).map(({ text }) => text),
    seen: (fits) => server.simulator.waitFor(() => messages.find(fits)),
  };
}

/** Returns the event of a person's message, with the text as Slack escapes it. */
export function createSlackMessage(conversation: string, ts: string, text: string): Readonly<Record<string, unknown>> {
  const [, channel = "", thread_ts = ""] = conversation.split(":");
  return {
    type: "message",
    channel,
    channel_type: channel.startsWith("D") ? "im" : "channel",
    user: `U${channel}`,
    ts,
    text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    team: TEAM,
    ...(thread_ts && { thread_ts }),
  };
}

/** Signs a body as Slack does (`v0`). */
function sign(body: string, secret: string, retry: number): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return {
    "content-type": "application/json",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${signature}`,
    ...(retry > 0 && { "x-slack-retry-num": String(retry), "x-slack-retry-reason": "http_error" }),
  };
}

const INVALID = { ok: false, error: "invalid_arguments" };

function findProblem(method: string, { channel = "", markdown_text, text }: Body): string | undefined {
  if (!/^[CD]\w+$/.test(channel) || channel === "C404") return "channel_not_found";
  if (method === "chat.delete") return undefined;
  const shown = markdown_text ?? text ?? "";
  if (shown.trim() === "") return "no_text";
  return shown.length > MAX_MARKDOWN ? "msg_too_long" : undefined;
}

function listHistory(found: readonly SlackMessage[]): object {
  return { ok: true, has_more: false, messages: found.map((one) => ({ ...one, type: "message" })).reverse() };
}

function storeUpload(uploads: Map<string, Buffer>, id: string, { raw, headers }: HttpCall): HttpAnswer {
  const boundary = /boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1];
  const start = raw.indexOf("\r\n\r\n") + 4;
  uploads.set(id, boundary ? raw.subarray(start, raw.indexOf(`\r\n--${boundary}`, start)) : raw);
  return { body: "OK" };
}

const toThrottled = (seconds: number): HttpAnswer => ({
  status: 429,
  headers: { "retry-after": String(seconds) },
  body: { ok: false, error: "ratelimited" },
});
const toConversation = ({ channel = "", thread_ts = "" }: Body) => `slack:${channel}:${thread_ts}`;
const toThread = ({ channel, thread_ts }: SlackMessage) => `slack:${channel}:${thread_ts}`;
