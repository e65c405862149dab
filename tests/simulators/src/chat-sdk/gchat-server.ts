import { generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import {
  type HttpAnswer,
  type HttpCall,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "../platform-server.ts";
import { createWebhookAnnouncement, type WebhookPost } from "../webhook.ts";

/** Response of the server to one send, instead of executing it. */
export type GchatFault =
  | { readonly kind: "status"; readonly status: number }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" }
  | { readonly kind: "hang" };

export interface GchatCall {
  /** Method and path without query, such as `POST /v1/spaces/501/messages`. */
  readonly call: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A message of the bot as people see it. */
export interface GchatMessage {
  readonly name: string;
  readonly space: string;
  readonly thread: string;
  readonly text: string;
  readonly requestId: string;
  readonly cards?: unknown;
}

/** Claims of the token of a request; default: for the project number, signed by the Chat service itself. */
export interface GchatTokenOptions {
  readonly audience?: string;
  readonly issuer?: string;
  readonly email?: string;
  readonly isForged?: boolean;
}

/** Conversations are ids of the Chat SDK: `gchat:spaces/501:dm`, and for a thread as `toGchatThread` returns it. */
export interface GchatServer extends Platform<GchatCall> {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Planned faults of sends, in order. */
  readonly faults: GchatFault[];
  readonly messages: GchatMessage[];
  /** Files of people by resource name. */
  readonly files: Map<string, Buffer>;
  useWebhook(url: string): void;
  /** Returns the event of a person's message. */
  createMessage(conversation: string, message: object): object;
  /** Returns a request with an event, and a token as Google signs it. */
  createPost(event: object, token?: GchatTokenOptions): WebhookPost;
  /** Resolves when a matching message of the bot exists. */
  seen(fits: (message: GchatMessage) => boolean): Promise<GchatMessage>;
}

const CHAT_ACCOUNT = "chat@system.gserviceaccount.com";
const createKeys = () => generateKeyPairSync("rsa", { modulusLength: 2_048 });
const googleKeys = createKeys();
const accountKeys = createKeys();
const forgedKeys = createKeys();
const toPem = (key: KeyObject, type: "spki" | "pkcs8") => String(key.export({ type, format: "pem" }));

export const GCHAT_APP = {
  projectNumber: "4711",
  botUserId: "users/900",
  credentials: JSON.stringify({
    client_email: "parley@project.iam.gserviceaccount.com",
    private_key: toPem(accountKeys.privateKey, "pkcs8"),
    project_id: "project",
  }),
} as const;
const ACCESS_TOKEN = "google-access";
const MAX_TEXT = 4_096;

type Body = Readonly<Record<string, unknown>>;

/** A Google on 127.0.0.1: tokens for a service account, keys of its signatures, and the Chat API. */
export async function startGchatServer(options: SimulatorOptions = {}): Promise<GchatServer> {
  const faults: GchatFault[] = [];
  const messages: GchatMessage[] = [];
  const files: GchatServer["files"] = new Map();
  let webhookUrl = "";
  const run = createApi(messages, files, () => server);
  const server: PlatformServer<GchatCall> = await startPlatformServer<GchatCall>({
    options,
    async serve(call) {
      const { pathname, searchParams: query } = new URL(call.path, "http://localhost");
      if (pathname === "/token") return issueToken(call.raw.toString("utf8"));
      if (/^\/(oauth2\/v1\/certs|service_accounts\/)/.test(pathname))
        return { body: { key: toPem(googleKeys.publicKey, "spki") } };
      const name = `${call.method} ${pathname}`;
      const body = readBody(call);
      server.record({ call: name, body });
      if (call.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return createFailure(401);
      const isSend = /^POST .*\/messages$/.test(name);
      const fault = isSend ? faults.shift() : undefined;
      if (fault?.kind === "status") return createFailure(fault.status);
      if (fault?.kind === "hang") return "leave";
      if (fault) return drop(run(name, body, query));
      return server.perform<HttpAnswer>(isSend ? "messages" : name, pathname, {
        done: () => run(name, body, query),
        tooMany: () => createFailure(429),
        serverError: () => createFailure(500),
        lyingOk: isSend ? () => ({ body: { name: `spaces/0/messages/${server.nextId()}` } }) : undefined,
        halfOpen: () => "leave",
      });
    },
  });
  const createPost: GchatServer["createPost"] = (event, token = {}) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${createToken(token)}` };
    return { url: webhookUrl, body: JSON.stringify(event), headers };
  };
  return {
    ...server.simulator,
    address: `http://${server.authority}`,
    faults,
    messages,
    files,
    createMessage,
    createPost,
    useWebhook(url) {
      webhookUrl = url;
    },
    say(conversation, text, more = {}) {
      const name = `${toSpace(conversation)}/messages/in-${server.nextId()}`;
      const event = createMessage(conversation, { name, text, ...more });
      return server.announce(
        conversation,
        createWebhookAnnouncement(() => createPost(event), server.stopping),
      );
    },
    shown: (conversation) =>
      messages
        .filter(({ space, thread }) => space === toSpace(conversation) && thread === toThreadName(conversation))
        .map(({ text }) => text),
    seen: (fits) => server.simulator.waitFor(() => messages.find(fits)),
  };
}

/** Returns the id of the conversation of a thread. */
export function toGchatThread(space: string, thread: string): string {
  return `gchat:${space}:${Buffer.from(`${space}/threads/${thread}`).toString("base64url")}`;
}

function createMessage(conversation: string, message: object): object {
  const name = toSpace(conversation);
  const isPrivate = conversation.endsWith(":dm");
  const thread = isPrivate ? {} : { thread: { name: toThreadName(conversation) } };
  const sender = { name: `users/${name.slice("spaces/".length)}`, displayName: "Lin", type: "HUMAN" };
  const space = { name, type: isPrivate ? "DM" : "ROOM" };
  const given = { sender, createTime: new Date().toISOString(), ...thread, ...message };
  return { chat: { messagePayload: { space, message: given } } };
}

/** Returns what runs calls of the Chat API; a `requestId` that was used returns its message again. */
function createApi(
  messages: GchatMessage[],
  files: ReadonlyMap<string, Buffer>,
  server: () => Pick<PlatformServer<GchatCall>, "nextId" | "changed">,
) {
  const create = (space: string, { text = "", thread, cardsV2: cards }: Body, requestId: string): HttpAnswer => {
    const known = messages.find((one) => requestId !== "" && one.requestId === requestId);
    if (known) return { body: toApiMessage(known) };
    if (space.endsWith("404")) return createFailure(404);
    if (String(text).length > MAX_TEXT || (text === "" && !cards)) return createFailure(400);
    const threadName: unknown = typeof thread === "object" && thread !== null ? Reflect.get(thread, "name") : "";
    const name = `${space}/messages/${server().nextId()}`;
    const message = { name, space, thread: String(threadName), text: String(text), requestId };
    messages.push({ ...message, ...(cards !== undefined && { cards }) });
    server().changed();
    return { body: toApiMessage(message) };
  };
  return (call: string, body: Body, query: URLSearchParams): HttpAnswer => {
    const [, method = "", resource = ""] = /^(\w+) \/v1\/(.+)$/.exec(call) ?? [];
    const space = /^(.+)\/messages$/.exec(resource)?.[1];
    if (method === "POST" && space) return create(space, body, query.get("requestId") ?? "");
    if (method === "GET" && space)
      return {
        body: {
          messages: messages
            .filter((one) => one.space === space)
            .map(toApiMessage)
            .reverse(),
        },
      };
    if (method === "GET" && resource.startsWith("media/")) return { body: files.get(resource.slice(6)) ?? "" };
    const at = messages.findIndex(({ name }) => name === resource);
    const old = messages[at];
    if (!old) return createFailure(404);
    if (method === "DELETE") messages.splice(at, 1);
    else messages[at] = { ...old, text: String(body.text ?? "") };
    server().changed();
    return { body: toApiMessage(old) };
  };
}

const toSpace = (conversation: string) => conversation.split(":")[1] ?? "";

function toThreadName(conversation: string): string {
  const [, , thread = ""] = conversation.split(":");
  return thread === "" || thread === "dm" ? "" : Buffer.from(thread, "base64url").toString("utf8");
}

function toApiMessage({ name, thread, text }: GchatMessage): object {
  const sender = { name: GCHAT_APP.botUserId, type: "BOT" };
  return { name, text, sender, createTime: new Date().toISOString(), ...(thread && { thread: { name: thread } }) };
}

function readBody(call: HttpCall): Body {
  return call.headers["content-type"]?.includes("json") ? call.body() : {};
}

function drop(_answer: HttpAnswer): HttpAnswer {
  return "drop";
}

/** Answers a request of the service account, which signs it by its key. */
function issueToken(form: string): HttpAnswer {
  const assertion = new URLSearchParams(form).get("assertion") ?? "";
  const [head = "", payload = "", signature = ""] = assertion.split(".");
  const signed = Buffer.from(`${head}.${payload}`);
  const isSigned = verify("RSA-SHA256", signed, accountKeys.publicKey, Buffer.from(signature, "base64url"));
  if (!isSigned) return { status: 400, body: { error: "invalid_grant" } };
  return { body: { access_token: ACCESS_TOKEN, expires_in: 3_600, token_type: "Bearer" } };
}

/** Returns a token as Google signs it. */
function createToken({ audience, issuer = CHAT_ACCOUNT, email, isForged = false }: GchatTokenOptions): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const payload = {
    iss: issuer,
    aud: audience ?? GCHAT_APP.projectNumber,
    iat: seconds - 10,
    exp: seconds + 600,
    ...(email && { email, email_verified: true }),
  };
  const signed = `${encode({ alg: "RS256", kid: "key", typ: "JWT" })}.${encode(payload)}`;
  const key = isForged ? forgedKeys.privateKey : googleKeys.privateKey;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

function createFailure(status: number): HttpAnswer {
  return { status, body: { error: { code: status, message: `failed with ${status}`, status: "FAILED" } } };
}
