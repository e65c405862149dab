import { createHmac } from "node:crypto";
import { parseForm } from "../multipart-form.ts";
import {
  type HttpAnswer,
  type Platform,
  type PlatformServer,
  type SimulatorOptions,
  startPlatformServer,
} from "../platform-server.ts";
import { createWebhookAnnouncement, type WebhookPost } from "../webhook.ts";

/** Response of the server to one send, instead of executing it. */
export type WhatsAppFault =
  | { readonly kind: "error"; readonly status: number; readonly code: number }
  /** Executes the call and ends the connection before the answer. */
  | { readonly kind: "reset-after" }
  | { readonly kind: "hang" };

export interface WhatsAppCall {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A message of the bot as people see it. */
export interface WhatsAppMessage {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly file?: Buffer;
}

/** Conversations are ids of the Chat SDK: `whatsapp:<phone number id>:<person>`. */
export interface WhatsAppServer extends Platform<WhatsAppCall> {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Planned faults of sends, in order. */
  readonly faults: WhatsAppFault[];
  readonly messages: WhatsAppMessage[];
  useWebhook(url: string): void;
  /** Returns a signed request with a message, as Meta posts it. */
  createPost(conversation: string, message: object): WebhookPost;
  /** Resolves when a matching message of the bot exists. */
  seen(fits: (message: WhatsAppMessage) => boolean): Promise<WhatsAppMessage>;
}

export const WHATSAPP_APP = { accessToken: "wa-access", appSecret: "wa-secret", phoneNumberId: "1550" } as const;
const MAX_TEXT = 4_096;

type Body = Readonly<Record<string, unknown>>;

/** A WhatsApp Cloud API on 127.0.0.1 that checks the token, records messages and signs its events. */
export async function startWhatsAppServer(options: SimulatorOptions = {}): Promise<WhatsAppServer> {
  const faults: WhatsAppFault[] = [];
  const messages: WhatsAppMessage[] = [];
  const uploads = new Map<string, Buffer>();
  let webhookUrl = "";

  const send = (body: Body): HttpAnswer => {
    const to = String(body.to ?? body.recipient ?? "");
    const text = readText(body.text, "body");
    if (!/^\d+$/.test(to)) return createFailure(400, 131_026);
    if (body.type === "text" && (text.trim() === "" || text.length > MAX_TEXT)) return createFailure(400, 100);
    const file = uploads.get(readText(body.document, "id") || readText(body.image, "id"));
    const id = `wamid.${server.nextId()}`;
    messages.push({ id, to, text, ...(file && { file }) });
    server.changed();
    return { body: { messaging_product: "whatsapp", messages: [{ id }] } };
  };
  const takePlannedFault = (body: Body): HttpAnswer | undefined => {
    const fault = faults.shift();
    if (!fault) return undefined;
    if (fault.kind === "error") return createFailure(fault.status, fault.code);
    if (fault.kind === "hang") return "leave";
    send(body);
    return "drop";
  };
  const server: PlatformServer<WhatsAppCall> = await startPlatformServer<WhatsAppCall>({
    options,
    async serve(call) {
      const { body, file } = await parseForm(call);
      server.record({ path: call.path, body });
      if (call.headers.authorization !== `Bearer ${WHATSAPP_APP.accessToken}`) return createFailure(401, 190);
      if (call.path.endsWith("/media") && file) {
        const id = `m${server.nextId()}`;
        uploads.set(id, file.bytes);
        return { body: { id } };
      }
      if (!call.path.endsWith(`/${WHATSAPP_APP.phoneNumberId}/messages`)) return createFailure(404, 100);
      // A read receipt or a typing indicator.
      if (body.status === "read") return { body: { success: true } };
      return (
        takePlannedFault(body) ??
        server.perform<HttpAnswer>("messages", `whatsapp:${WHATSAPP_APP.phoneNumberId}:${body.to}`, {
          done: () => send(body),
          tooMany: () => createFailure(429, 130_429),
          serverError: () => createFailure(500, 131_000),
          halfOpen: () => "leave",
        })
      );
    },
  });
  const createPost: WhatsAppServer["createPost"] = (conversation, message) => {
    const from = conversation.split(":")[2] ?? "";
    const value = {
      messaging_product: "whatsapp",
      metadata: { phone_number_id: WHATSAPP_APP.phoneNumberId },
      contacts: [{ wa_id: from, profile: { name: "Lin" } }],
      messages: [{ from, timestamp: String(Math.floor(Date.now() / 1_000)), type: "text", ...message }],
    };
    const body = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "1", changes: [{ field: "messages", value }] }],
    });
    const signature = createHmac("sha256", WHATSAPP_APP.appSecret).update(body).digest("hex");
    return {
      url: webhookUrl,
      body,
      headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` },
    };
  };
  return {
    ...server.simulator,
    address: `http://${server.authority}`,
    faults,
    messages,
    createPost,
    useWebhook(url) {
      webhookUrl = url;
    },
    say(conversation, text, more = {}) {
      const message = { id: `wamid.in.${server.nextId()}`, text: { body: text }, ...more };
      return server.announce(
        conversation,
        createWebhookAnnouncement(() => createPost(conversation, message), server.stopping),
      );
    },
    shown: (conversation) => messages.filter(({ to }) => to === conversation.split(":")[2]).map(({ text }) => text),
    seen: (fits) => server.simulator.waitFor(() => messages.find(fits)),
  };
}

function readText(value: unknown, field: string): string {
  const text: unknown = typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;
  return typeof text === "string" ? text : "";
}

function createFailure(status: number, code: number): HttpAnswer {
  return { status, body: { error: { message: `(#${code}) rejected`, type: "OAuthException", code, fbtrace_id: "t" } } };
}
