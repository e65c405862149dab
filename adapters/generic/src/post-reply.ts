import { randomBytes } from "node:crypto";
import {
  type ChannelIo,
  type DeliveryError,
  deadline,
  deliveryFailure,
  isStoredUrl,
  type OutboundMessage,
  type Receipt,
} from "@parley/core";
import { connectionFailure } from "@parley/core/channels";
import type { GenericSettings } from "./settings.ts";
import { signBody } from "./signature.ts";

const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_S = 3_600;
/** Lifetime of links to files, which receivers may fetch later. */
const LINK_TTL_S = 3_600;

/** Posts one answer to the channel's address. Throws `DeliveryError`. */
export async function postReply(
  settings: GenericSettings,
  io: ChannelIo,
  message: OutboundMessage,
  now: () => number,
  signals: readonly AbortSignal[],
): Promise<Receipt> {
  const { outbound_url, outbound_token_env, outbound_secret_env, timeout_s } = settings;
  const body = Buffer.from(JSON.stringify(buildBody(message, io.files, now())));
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "parley",
    "idempotency-key": message.deliveryId,
    "x-svc-channel": message.channelId,
    "x-svc-trace-id": message.traceId,
  };
  if (outbound_token_env !== "") headers.authorization = `Bearer ${readSecret(io, outbound_token_env)}`;
  if (outbound_secret_env !== "") {
    const signed = { timestamp: String(Math.floor(now() / 1_000)), nonce: randomBytes(16).toString("hex") };
    headers["x-svc-timestamp"] = signed.timestamp;
    headers["x-svc-nonce"] = signed.nonce;
    headers["x-svc-signature"] = signBody(readSecret(io, outbound_secret_env), signed, body);
  }
  using limit = deadline(timeout_s * 1_000, ...signals);
  let response: Response;
  let text: string;
  try {
    response = await io.fetch(outbound_url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: limit.signal,
    });
    text = (await response.text()).slice(0, MAX_RESPONSE_BYTES);
  } catch (error) {
    // The receiver detects a duplicate by its key.
    throw connectionFailure("the receiver", error, "unavailable");
  }
  // A 409 means that the receiver already has the message.
  if (response.ok || response.status === 409) return parseReceipt(text);
  throw toDeliveryError(response);
}

function buildBody(
  { deliveryId, traceId, channelId, conversation, sessionId, text, attachments, replyTo, part, parts }: OutboundMessage,
  files: ChannelIo["files"],
  nowMs: number,
): object {
  return {
    delivery_id: deliveryId,
    trace_id: traceId,
    channel_id: channelId,
    session_id: sessionId,
    conversation_id: conversation.id,
    user_id: conversation.isGroup ? null : conversation.id,
    type: "message",
    content: text,
    attachments: attachments.map(({ type, url, name, mime_type: mime, meta }) => ({
      type,
      url: isStoredUrl(url) ? files.link(url, LINK_TTL_S) : url,
      name,
      mime,
      meta,
    })),
    reply_to: replyTo ?? null,
    part: { no: part, count: parts },
    created_at: new Date(nowMs).toISOString(),
  };
}

function readSecret(io: ChannelIo, variable: string): string {
  const secret = io.secret(variable);
  if (secret === undefined) throw deliveryFailure("auth", "variable", { variable });
  return secret;
}

function parseReceipt(text: string): Receipt {
  try {
    const id: unknown = JSON.parse(text)?.message_id;
    if (typeof id === "string" || typeof id === "number")
      return { platformMessageId: String(id), quality: "confirmed" };
  } catch (error) {
    // Receivers may respond in any format; only an id is read.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { quality: "confirmed" };
}

function toDeliveryError({ status, headers }: Response): DeliveryError {
  const details = { status };
  const options = { platformCode: String(status) };
  if (status === 429) {
    const wait = parseRetryAfter(headers.get("retry-after"));
    return deliveryFailure("throttled", "receiver", details, {
      ...options,
      ...(wait !== undefined && { retryAfterMs: wait }),
    });
  }
  if (status === 408 || status === 425 || status >= 500)
    return deliveryFailure("unavailable", "receiver", details, options);
  if (status === 401 || status === 403) return deliveryFailure("auth", "receiver", details, options);
  const isRedirect = status >= 300 && status < 400;
  return deliveryFailure("permanent", isRedirect ? "receiver_redirects" : "receiver", details, options);
}

function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S) * 1_000 : undefined;
}
