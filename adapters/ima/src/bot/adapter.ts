import {
  AppError,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  deliveryFailure,
  isStoredUrl,
  toSharedProblem,
} from "@parley/core";
import { truncate } from "@parley/core/channels";
import { parseJsonBytes } from "@parley/core/http";
import { createRateLimiter, sendThrottled } from "@parley/core/limits";
import { closeMarks, splitMarkdown } from "@parley/core/markdown";
import { fetchAccount, readCredentials } from "./account.ts";
import { createBotApi } from "./bot-api.ts";
import { buildContent } from "./content.ts";
import { type BotFrame, decodeBotEvent } from "./decode.ts";
import { type GatewaySessions, openGatewaySocket } from "./gateway-socket.ts";
import { botGuide } from "./guide.ts";
import { createReplyWindows } from "./reply-windows.ts";
import { type BotSettings, botSettings, getApiUrls } from "./settings.ts";
import { checkSignature, signAddressCheck } from "./signature.ts";

const MAX_PART_CHARS = 2_000;
const MAX_PARTS = 5;
/** Room for closing formatting marks. */
const CLOSING_MARKS_CHARS = 10;
const ADDRESS_CHECK_OP = 13;

export interface BotDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly sessions: GatewaySessions;
  readonly backoffMs?: readonly [first: number, most: number];
}

export function createImaBotAdapter(deps: BotDeps): ChannelAdapter {
  return {
    type: "imAbot",
    transports: ["websocket", "webhook"],
    capabilities: { supports_file_send: true, supports_tools: true },
    features: ["groups", "files_in", "files_out", "recall"],
    guide: botGuide,
    settings: botSettings,
    // The platform rejects a second reply with the same number.
    idempotency: "native_key",
    isGroup: (conversationId) => /^(group|guild):/.test(conversationId),
    answersOnly: true,
    // The platform accepts only SILK, which no model here generates.
    playsAudio: ["audio/silk"],
    // The platform fetches files itself before it answers.
    sendTimeoutMs: 60_000,
    check: (channel, io, signal) => fetchAccount(deps.clock, channel, io, signal),
    open: (channel, io, signal) => open(deps, channel, io, signal),
  };
}

async function open(deps: BotDeps, channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  signal.throwIfAborted();
  const { clock, random, sessions, backoffMs = [1_000, 60_000] } = deps;
  const settings = channel.config as unknown as BotSettings;
  const { token: tokenUrl, api: base } = getApiUrls(settings);
  const credentials = () => readCredentials(settings, io.secret);
  const api = createBotApi({ tokenUrl, api: base, credentials, fetch: io.fetch, now: () => clock.now() });
  const windows = createReplyWindows(clock);
  const rateLimiter = createRateLimiter({ burst: 2, everyMs: 200 });
  const closing = new AbortController();
  const receiveFrame = async (frame: BotFrame, accept = io.accept) => {
    const message = decodeBotEvent(channel.id, settings.app_id, frame);
    if (!message) return;
    windows.open(message.platformMessageId ?? "", message.conversation.isGroup);
    await accept(message);
  };
  const socket =
    channel.transport === "websocket" && credentials()
      ? openGatewaySocket({
          ...{ api, io, random, backoffMs, sessions },
          sessionKey: JSON.stringify([channel.id, settings.app_id, base]),
          onFrame: (frame) => receiveFrame(frame),
        })
      : undefined;
  if (!socket) {
    const problem = credentials() ? undefined : toSharedProblem("app_not_set", { variable: settings.app_secret_env });
    io.report({ connected: problem === undefined, ...problem });
  }
  return {
    // The platform shows no pictures from addresses, and rejects most addresses in a text.
    showsSticker: ({ url }) => isStoredUrl(url),
    // Parts beyond the platform's five replies are dropped; the session has the whole reply.
    split(text) {
      const pieces = splitMarkdown(text, MAX_PART_CHARS);
      if (pieces.length <= MAX_PARTS) return pieces;
      const last = pieces[MAX_PARTS - 1] ?? "";
      return [...pieces.slice(0, MAX_PARTS - 1), closeMarks(truncate(last, MAX_PART_CHARS - CLOSING_MARKS_CHARS), "…")];
    },
    pace: ({ conversation }, waiting) => rateLimiter.turn(conversation.id, waiting),
    async send(message, sending) {
      if (closing.signal.aborted) throw deliveryFailure("not_sent", "channel_closed", {});
      const limit = AbortSignal.any([sending, closing.signal]);
      const path = toApiPath(message.conversation.id);
      const reply =
        message.replyTo === undefined
          ? {}
          : { msg_id: message.replyTo, msg_seq: windows.getReplyNumber(message.replyTo, message) };
      const content = await buildContent(api, io.files, path, message, limit);
      const request = api.call("POST", `${path}/messages`, { ...content, ...reply }, limit);
      const answer = await sendThrottled(rateLimiter, message.conversation.id, request);
      return typeof answer.id === "string"
        ? { platformMessageId: answer.id, quality: "confirmed" }
        : { quality: "accepted" };
    },
    async recall(messageId, conversation, recalling) {
      await api.call(
        "DELETE",
        `${toApiPath(conversation)}/messages/${encodeURIComponent(messageId)}`,
        undefined,
        recalling,
      );
    },
    async receive(request) {
      if (request.isVerified) {
        await receiveFrame(parseFrame(request.body), request.accept);
        return { body: { op: 12 } };
      }
      const known = credentials();
      if (!known) throw new AppError("unauthorized", "authentication failed");
      const frame = parseFrame(request.body);
      if (request.headers["x-bot-appid"] !== known.appId) throw new AppError("unauthorized", "authentication failed");
      if (frame.op === ADDRESS_CHECK_OP) return { body: signAddressCheck(frame.d ?? {}, known.secret, clock.now()) };
      checkSignature(request, known.secret, known.appId, clock.now());
      await receiveFrame(frame, request.accept);
      return { body: { op: 12 } };
    },
    async [Symbol.asyncDispose]() {
      closing.abort(deliveryFailure("not_sent", "channel_closed", {}));
      await socket?.[Symbol.asyncDispose]();
    },
  };
}

function toApiPath(conversation: string): string {
  const [kind, id = ""] = conversation.split(":");
  const openid = encodeURIComponent(id);
  if (id !== "" && kind === "private") return `/v2/users/${openid}`;
  if (id !== "" && kind === "group") return `/v2/groups/${openid}`;
  if (id !== "" && kind === "guild") return `/channels/${openid}`;
  if (id !== "" && kind === "dm") return `/dms/${openid}`;
  throw deliveryFailure("permanent", "no_group_no_person", {});
}

function parseFrame(body: Uint8Array): BotFrame {
  let parsed: unknown;
  try {
    parsed = parseJsonBytes(body);
  } catch {
    throw new AppError("bad_request", "the body is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || !Number.isInteger((parsed as BotFrame).op)) {
    throw new AppError("bad_request", "the body is no event");
  }
  return parsed as BotFrame;
}
