import {
  AppError,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  DeliveryError,
  deadline,
  type Gateway,
  type TurnOutcome,
  type WebhookAnswer,
} from "@parley/core";
import { decodeBody, parseBody } from "./decode.ts";
import { createGate } from "./gate.ts";
import { postReply } from "./post.ts";
import { type GenericSettings, genericSettings } from "./settings.ts";

const SYNC_MS = 60_000;
const MAX_SYNC = 50;

export interface GenericParts {
  /** For channels that answer with the answer to the request. */
  readonly gateway: () => Pick<Gateway, "outcome">;
  readonly clock: Clock;
}

/** Serves `generic` and every type that no other package serves. */
export function genericAdapter(parts: GenericParts): ChannelAdapter {
  return {
    type: "generic",
    transports: ["webhook"],
    capabilities: { supports_file_send: true },
    settings: genericSettings,
    // Receivers know a repeat by its Idempotency-Key.
    idempotency: "native_key",
    open: (channel, io, signal) => open(parts, channel, io, signal),
  };
}

async function open(
  { gateway, clock }: GenericParts,
  channel: ChannelConfig,
  io: ChannelIo,
  signal: AbortSignal,
): Promise<ChannelLink> {
  signal.throwIfAborted();
  const settings = channel.config as unknown as GenericSettings;
  const gate = createGate(settings, io, () => clock.now());
  const closing = new AbortController();
  /** Turns whose answer goes out with the answer to the request. */
  const answered = new Set<string>();
  report(settings, io);

  const answerTo = async (accepted: { readonly traceId: string }, result: object): Promise<WebhookAnswer> => {
    using limit = deadline(SYNC_MS, closing.signal);
    try {
      const outcome = await gateway().outcome(accepted.traceId, limit.signal);
      return { body: { ...result, status: "built", queued: false, data: { response_content: textOf(outcome) } } };
    } catch (error) {
      // It takes longer than a request may wait: it goes on like any other.
      if (AppError.is(error) && error.code === "timed_out") return { body: result };
      throw error;
    } finally {
      answered.delete(accepted.traceId);
    }
  };
  return {
    isOpen: settings.auth.type === "none",
    async send(message, sending) {
      if (closing.signal.aborted) throw new DeliveryError("not_sent", "the channel is closed");
      if (answered.has(message.traceId)) return { quality: "accepted" };
      if (settings.outbound_url === "") throw new DeliveryError("no_sender", "the channel has no address for answers");
      return postReply(settings, io, message, () => clock.now(), [sending, closing.signal]);
    },
    async receive(request) {
      const { nonce } = request.isVerified ? { nonce: undefined } : gate.check(request);
      const decoded = decodeBody(channel.id, parseBody(request), settings, nonce);
      if ("problem" in decoded) {
        io.log.warn("a body could not be used", { problem: decoded.problem });
        return { body: resultOf(channel.id, { status: "parse_failed", error: decoded.problem }) };
      }
      const isSync = settings.reply_mode === "sync" && decoded.message.addressed;
      if (isSync && answered.size >= MAX_SYNC)
        throw new AppError("unavailable", "too many requests wait for their answer", { retryAfterS: 5 });
      const accepted = await io.accept(decoded.message);
      const { traceId, itemId, duplicated, queued, queueSize } = accepted;
      if (isSync) answered.add(traceId);
      const result = resultOf(channel.id, {
        trace_id: traceId,
        conversation_id: decoded.message.conversation.id,
        status: duplicated ? "duplicated" : queued ? "queued" : "ignored",
        ignored: !duplicated && !queued,
        duplicated,
        queued,
        data: queued ? { item_id: itemId, queue_size: queueSize } : null,
      });
      return isSync ? answerTo(accepted, result) : { body: result };
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DeliveryError("not_sent", "the channel is closed"));
    },
  };
}

/** The answer to a webhook (contract gateway §3). */
function resultOf(channelId: string, fields: Readonly<Record<string, unknown>>): object {
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

function textOf({ replies, notice, error }: TurnOutcome): string {
  if (error && replies.length === 0) throw new AppError("upstream_failed", error.error);
  return replies.map(({ content }) => content).join("\n\n") || notice;
}

function report({ auth, outbound_token_env, outbound_secret_env }: GenericSettings, io: ChannelIo): void {
  const named = [
    auth.type === "static" || auth.type === "hmac" ? auth.secret_env : "",
    outbound_token_env,
    outbound_secret_env,
  ];
  const missing = named.find((name) => name !== "" && !io.secret(name));
  const isUnnamed = (auth.type === "static" || auth.type === "hmac") && auth.secret_env === "";
  const problem = isUnnamed
    ? "auth.secret_env is not set: everybody is refused"
    : missing && `the variable ${missing} is not set`;
  io.report({
    connected: !problem,
    warnings: auth.type === "none" ? ["the webhook is open: everybody may post here"] : [],
    ...(problem && { error: problem }),
  });
}
