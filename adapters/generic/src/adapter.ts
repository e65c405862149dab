import {
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  deliveryFailure,
  type Gateway,
  type LinkState,
  toSharedProblem,
  toWarnings,
  type WebhookAnswer,
} from "@parley/core";
import { createRateLimiter, sendThrottled } from "@parley/core/limits";
import { decodeBody, parseBody } from "./decode.ts";
import { genericGuide } from "./guide.ts";
import { postReply } from "./post-reply.ts";
import { createRequestGuard } from "./request-guard.ts";
import { type GenericSettings, genericSettings } from "./settings.ts";
import { createSyncAnswers, type SyncRequest } from "./sync-answers.ts";
import { genericTexts } from "./texts.ts";
import type { WaitingRequests } from "./waiting-requests.ts";

export interface GenericDeps {
  /** Returns the gateway, for channels that answer in the response to the request. */
  readonly gateway: () => Pick<Gateway, "outcome">;
  readonly clock: Clock;
  /** Returns the waiting requests of all nodes; undefined for a single process. */
  readonly requests?: () => WaitingRequests | undefined;
}

/** Creates the adapter for `generic` and every type without an adapter. */
export function createGenericAdapter(deps: GenericDeps): ChannelAdapter {
  return {
    type: "generic",
    title: { en: "Webhooks", zh: "Webhook" },
    transports: ["webhook"],
    capabilities: { supports_file_send: true },
    features: ["groups", "files_in", "files_out", "formatting"],
    guide: genericGuide,
    settings: genericSettings,
    // Without a configured secret, all requests are rejected.
    newSettings: (id) => ({
      auth: { type: "static", secret_env: `SVC_WEBHOOK_SECRET_${id.toUpperCase().replaceAll("-", "_")}` },
    }),
    // Receivers detect duplicates by the Idempotency-Key.
    idempotency: "native_key",
    open: (channel, io, signal) => open(deps, channel, io, signal),
  };
}

async function open(
  { gateway, clock, requests }: GenericDeps,
  channel: ChannelConfig,
  io: ChannelIo,
  signal: AbortSignal,
): Promise<ChannelLink> {
  signal.throwIfAborted();
  const settings = channel.config as unknown as GenericSettings;
  const guard = createRequestGuard(settings, io, () => clock.now());
  const closing = new AbortController();
  // No minimum interval: receivers limit the rate themselves, by answers with status 429.
  const rateLimiter = createRateLimiter({ burst: 1, everyMs: 0 });
  const syncAnswers = createSyncAnswers(gateway, io.files, closing.signal, {
    requests: settings.reply_mode === "sync" ? requests?.() : undefined,
    canPost: settings.outbound_url !== "",
    clock,
  });
  reportState(settings, io);

  const answerTo = async (request: SyncRequest, traceId: string, result: object): Promise<WebhookAnswer> => {
    const data = await request.answer(traceId);
    return { body: data ? { ...result, status: "built", queued: false, data } : result };
  };
  return {
    isOpen: settings.auth.type === "none",
    pace: (_message, waiting) => rateLimiter.turn("", waiting),
    sendsWhole: settings.reply_mode === "sync",
    async send(message, sending) {
      if (closing.signal.aborted) throw deliveryFailure("not_sent", "channel_closed", {});
      if (await syncAnswers.wasAnswered(message)) return { quality: "built" };
      if (settings.outbound_url === "") throw deliveryFailure("no_sender", "no_address", {});
      const posted = postReply(settings, io, message, () => clock.now(), [sending, closing.signal]);
      return sendThrottled(rateLimiter, "", posted);
    },
    async receive(request) {
      const signed = request.isVerified ? undefined : guard.check(request);
      const decoded = decodeBody(channel.id, parseBody(request), settings, signed);
      if ("problem" in decoded) {
        io.log.warn("a body could not be used", { problem: decoded.problem });
        return { body: toWebhookResult(channel.id, { status: "parse_failed", error: decoded.problem }) };
      }
      const isSync = settings.reply_mode === "sync" && decoded.message.addressed;
      if (isSync) syncAnswers.rejectOverLimit();
      await using waiting = isSync ? await syncAnswers.open(decoded.message.sessionId) : undefined;
      const accepted = await (request.accept ?? io.accept)(decoded.message);
      const { traceId, itemId, duplicated, queued, queueSize } = accepted;
      const result = toWebhookResult(channel.id, {
        trace_id: traceId,
        conversation_id: decoded.message.conversation.id,
        status: duplicated ? "duplicated" : queued ? "queued" : "ignored",
        ignored: !duplicated && !queued,
        duplicated,
        queued,
        data: queued ? { item_id: itemId, queue_size: queueSize } : null,
      });
      return waiting ? await answerTo(waiting, traceId, result) : { body: result };
    },
    async [Symbol.asyncDispose]() {
      closing.abort(deliveryFailure("not_sent", "channel_closed", {}));
    },
  };
}

/** Returns the answer to a webhook. */
function toWebhookResult(channelId: string, fields: Readonly<Record<string, unknown>>): object {
  return {
    ok: true,
    trace_id: null,
    channel_id: channelId,
    conversation_id: null,
    status: "ignored",
    error: null,
    ignored: false,
    duplicated: false,
    queued: false,
    data: null,
    ...fields,
  };
}

function toUnauthenticatedState(): Pick<LinkState, "error" | "detail"> {
  const { message: error, detail } = genericTexts.error("unavailable", "nobody");
  return { error, ...(detail && { detail }) };
}

function reportState({ auth, outbound_token_env, outbound_secret_env }: GenericSettings, io: ChannelIo): void {
  const named = [
    auth.type === "static" || auth.type === "hmac" ? auth.secret_env : "",
    outbound_token_env,
    outbound_secret_env,
  ];
  const missing = named.find((name) => name !== "" && !io.secret(name));
  const isUnnamed = (auth.type === "static" || auth.type === "hmac") && auth.secret_env === "";
  const problem = isUnnamed
    ? toUnauthenticatedState()
    : missing && toSharedProblem("variable_not_set", { variable: missing });
  io.report({
    connected: !problem,
    ...toWarnings(auth.type === "none" ? [genericTexts.error("unavailable", "open")] : []),
    ...(problem || {}),
  });
}
