import { createHmac } from "node:crypto";
import {
  AppError,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  DeliveryError,
  deliveryFailure,
  isStoredUrl,
  LEFT_TO_NEXT,
  type LinkState,
  type OutboundMessage,
  toWarnings,
  type WebhookRequest,
} from "@parley/core";
import { mayJoinIn } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import { createRateLimiter } from "@parley/core/limits";
import { splitMarkdown } from "@parley/core/markdown";
import { isEqualSecret } from "@parley/core/secrets";
import type { Bridge } from "./bridge/bridge.ts";
import type { Connection } from "./bridge/connection.ts";
import { createForwardConnection } from "./bridge/forward-connection.ts";
import { type BridgeEvent, parseFrame, toBridgeId, toIdText } from "./bridge/frame.ts";
import { bridgeGuide } from "./bridge/guide.ts";
import type { ReverseEndpoint } from "./bridge/reverse-connection.ts";
import { IMA_TIMING, type ImaTiming } from "./bridge/timing.ts";
import type { HandedOverSockets } from "./handed-over-sockets.ts";
import { decodeEvent } from "./message/decode.ts";
import { encodeMessage } from "./message/encode.ts";
import { reconcileByHistory, replayMissed } from "./message/history.ts";
import { fetchAttachment, MEDIA_TIMEOUT_MS, toOutgoingFile } from "./message/media.ts";
import { addQuotes } from "./message/quotes.ts";
import type { Segment } from "./message/segment.ts";
import { createTyping } from "./message/typing.ts";
import { type ImaSettings, imaSettings } from "./settings.ts";
import { imaTexts } from "./texts.ts";

const MAX_PART_CHARS = 4_000;
const MAX_SENT_IDS = 1_000;
const ROLE_TTL_MS = 600_000;
const ACTIVE_WINDOW_MS = 86_400_000;
const MAX_CATCH_UP_MS = 600_000;

export interface ImaDeps {
  readonly reverseEndpoint: ReverseEndpoint;
  /** Connections that links of the previous generation of plugins left open. */
  readonly handedOver: HandedOverSockets;
  /** For each open link, by channel id, a function that returns its bridge, for the routes that call it. */
  readonly bridges: Map<string, () => Bridge | undefined>;
  readonly random: () => number;
  readonly timing?: ImaTiming;
  /** Lists conversations with recent messages from before this link was opened. */
  readonly listRecentConversations?: (
    channelId: string,
  ) => Promise<readonly { readonly conversation: string; readonly lastMs: number }[]>;
}

export function createImaAdapter(deps: ImaDeps): ChannelAdapter {
  return {
    type: "imA",
    transports: ["bridge"],
    capabilities: { supports_file_send: true, supports_tools: true },
    features: ["groups", "files_in", "files_out", "voice", "typing", "deletions", "recall"],
    guide: bridgeGuide,
    settings: imaSettings,
    idempotency: "reconcile",
    withdrawsBlocked: true,
    isGroup: (conversationId) => conversationId.startsWith("group:"),
    canSend: ({ config }) => config.mode !== "http",
    // Uploads are slow.
    sendTimeoutMs: 70_000,
    open: (channel, io, signal) => open(deps, channel, io, signal),
  };
}

async function open(deps: ImaDeps, channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  signal.throwIfAborted();
  const { timing = IMA_TIMING, bridges } = deps;
  const settings = channel.config as unknown as ImaSettings;
  const sentIds = new Set<string>();
  const roles = new Map<string, { readonly mayWithdraw: boolean; readonly untilMs: number }>();
  const rateLimiters = {
    conversation: createRateLimiter({ burst: 1, everyMs: timing.conversationIntervalMs }),
    account: createRateLimiter({ burst: 2, everyMs: timing.accountIntervalMs }),
  };
  /** Time of the last message in milliseconds, by conversation. */
  const lastMessageAtMs = new Map<string, number>();
  let selfId = settings.self_id;
  let hasLoadedRecent = false;
  let isOnline = true;
  let isClosed = false;

  const onAccount = (account: string) => {
    if (account === "") return;
    if (selfId !== "" && account !== selfId)
      throw imaTexts.error("internal", "other_account", { account, wanted: selfId });
    selfId = account;
  };
  const onEvent = async (event: BridgeEvent, accept = io.accept) => {
    if (isClosed) return;
    if (selfId === "") onAccount(toIdText(event.self_id));
    if (event.post_type === "meta_event") return onMeta(event);
    const message = decodeEvent(event, { channelId: channel.id, selfId, isOwnMessage: (id) => sentIds.has(id) });
    if (!message) return;
    lastMessageAtMs.set(message.conversation.id, Date.now());
    const bridge = connection?.getBridge();
    const isForBot = message.addressed || mayJoinIn(channel);
    const hasQuotes = bridge !== undefined && message.kind === "message" && isForBot;
    await accept(hasQuotes ? await addQuotes(message, event, bridge) : message);
  };
  // The protocol cannot resume, so missed messages are read from the history; known ones are duplicates.
  const onConnected = async (bridge: Bridge) => {
    const now = Date.now();
    const failures: unknown[] = [];
    if (!hasLoadedRecent) {
      hasLoadedRecent = true;
      for (const { conversation, lastMs } of (await deps.listRecentConversations?.(channel.id)) ?? []) {
        if (!lastMessageAtMs.has(conversation)) lastMessageAtMs.set(conversation, lastMs);
      }
    }
    for (const [conversation, at] of lastMessageAtMs) {
      if (now - at > ACTIVE_WINDOW_MS) lastMessageAtMs.delete(conversation);
      // A failed lookup must not hide the messages of other conversations.
      else
        await replayMissed(bridge, conversation, now - MAX_CATCH_UP_MS, onEvent).catch(
          (error) => void failures.push(error),
        );
    }
    if (failures.length > 0) throw new AggregateError(failures, `in ${failures.length} conversations`);
  };
  const onMeta = (event: BridgeEvent) => {
    const status = isObject(event.status) ? event.status : {};
    const { online } = status;
    if (event.meta_event_type !== "heartbeat" || typeof online !== "boolean" || online === isOnline) return;
    isOnline = online;
    report();
  };
  let link: LinkState = { connected: false };
  const report = () => {
    if (isOnline) return io.report(link);
    const { warnings = [], warningDetails = warnings.map(() => null) } = link;
    const offline = toWarnings([imaTexts.error("unavailable", "offline")]);
    io.report({
      ...link,
      connected: false,
      warnings: [...warnings, ...offline.warnings],
      warningDetails: [...warningDetails, ...offline.warningDetails],
    });
  };
  const reportingIo: ChannelIo = {
    ...io,
    report(state) {
      link = state;
      report();
    },
  };
  const connection = createConnection(settings, { ...deps, timing }, channel, reportingIo, {
    onEvent,
    onConnected,
    onAccount,
    selfId: () => selfId,
  });
  bridges.set(channel.id, () => connection?.getBridge());
  const getBridge = (): Bridge => {
    const found = isClosed ? undefined : connection?.getBridge();
    if (found) return found;
    if (!connection && !isClosed) throw deliveryFailure("no_sender", "bridge_only_posts", {});
    throw deliveryFailure("not_sent", "bridge_off", {});
  };
  const mayWithdraw = async (group: string): Promise<boolean> => {
    const known = roles.get(group);
    if (known && known.untilMs > performance.now()) return known.mayWithdraw;
    const params = { group_id: toBridgeId(group), user_id: toBridgeId(selfId), no_cache: true };
    const member = await getBridge().call("get_group_member_info", params);
    const role = isObject(member) ? member.role : "";
    const found = { mayWithdraw: role === "owner" || role === "admin", untilMs: performance.now() + ROLE_TTL_MS };
    roles.set(group, found);
    return found.mayWithdraw;
  };

  return {
    split: (text) => splitMarkdown(text, MAX_PART_CHARS),
    async pace({ conversation }, waiting) {
      await rateLimiters.conversation.turn(conversation.id, waiting);
      await rateLimiters.account.turn("", waiting);
    },
    async send(message, sending) {
      sending.throwIfAborted();
      const answer = await sendMessage(getBridge(), io.files, message);
      const id = isObject(answer) ? toIdText(answer.message_id) : "";
      rememberSentId(sentIds, id);
      return id === "" ? { quality: "accepted" } : { platformMessageId: id, quality: "confirmed" };
    },
    typing: createTyping(() => connection?.getBridge()),
    fetchFile: (attachment) => fetchAttachment(getBridge(), attachment),
    async recall(messageId, conversation) {
      const [kind, id = ""] = conversation.split(":");
      if (kind !== "group") throw imaTexts.error("permission_denied", "withdraw_private");
      if (!(await mayWithdraw(id))) throw imaTexts.error("permission_denied", "withdraw_group");
      await getBridge().call("delete_msg", { message_id: toBridgeId(messageId) });
    },
    reconcile: async (message) => reconcileByHistory(getBridge(), message, selfId, sentIds),
    async receive(request) {
      if (settings.mode !== "http" && !request.isVerified)
        throw new AppError("unavailable", "the channel takes events by its socket", { retryAfterS: 60 });
      if (!request.isVerified) checkSignature(settings, io, request);
      const frame = parseFrame(Buffer.from(request.body).toString("utf8"));
      if (frame?.kind !== "event") throw new AppError("bad_request", "the body is no event");
      await onEvent(frame.event, request.accept);
      return { status: 200, body: {} };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      bridges.delete(channel.id);
      if (signal.reason === LEFT_TO_NEXT) await connection?.handOver();
      else await connection?.[Symbol.asyncDispose]();
    },
  };
}

interface ConnectionHandlers {
  readonly onEvent: (event: BridgeEvent) => Promise<void>;
  readonly onConnected: (bridge: Bridge) => Promise<void>;
  readonly onAccount: (selfId: string) => void;
  readonly selfId: () => string;
}

/** Creates the connection; undefined in mode `http`, which needs none. */
function createConnection(
  { mode, ws_uri, access_token_env, http_secret_env }: ImaSettings,
  { reverseEndpoint, handedOver, random, timing = IMA_TIMING }: ImaDeps,
  { id: channelId, config }: ChannelConfig,
  io: ChannelIo,
  { onEvent, onConnected, onAccount, selfId }: ConnectionHandlers,
): Connection | undefined {
  const token = () => (access_token_env === "" ? undefined : io.secret(access_token_env));
  const address = () => ws_uri || io.secret("IMA_WS_URI");
  const handoverKey = () => JSON.stringify([channelId, config, token(), address()]);
  const shared = { timing, io, onEvent, onConnected, onAccount, handedOver, handoverKey };
  if (mode === "forward_ws") {
    return createForwardConnection({ ...shared, getAddress: address, getToken: token, random });
  }
  if (mode === "reverse_ws") {
    const getToken = () => ({ isNamed: access_token_env !== "", value: token() });
    return reverseEndpoint.open({ ...shared, channelId, token: getToken, selfId });
  }
  const open = http_secret_env === "" ? [imaTexts.error("unavailable", "open_events")] : [];
  io.report({ connected: true, ...toWarnings([imaTexts.error("unavailable", "mute"), ...open]) });
  return undefined;
}

/** Sends text and links as segments of one message; a stored file is sent as a segment or as an upload. */
async function sendMessage(bridge: Bridge, files: ChannelIo["files"], message: OutboundMessage): Promise<unknown> {
  const [attachment] = message.attachments;
  if (!attachment || !isStoredUrl(attachment.url)) {
    return sendSegments(bridge, message, encodeMessage(message));
  }
  const file = await toOutgoingFile(files, attachment, message.conversation.id);
  const send = (segment: Segment) => bridge.call(...toSendCall(message, [segment]), "ambiguous", MEDIA_TIMEOUT_MS);
  if ("segment" in file) return send(file.segment);
  try {
    return await bridge.call(...file.upload, "ambiguous", MEDIA_TIMEOUT_MS);
  } catch (error) {
    // Some bridges accept no files: people get the URL.
    if (!DeliveryError.is(error) || error.failure !== "permanent") throw error;
    return send({ type: "text", data: { text: file.fallback } });
  }
}

const MESSAGE_GONE =
  /repl(?:y|ied)|引用|回复|(?:message|msg)\s*(?:is )?(?:not found|not exist|gone)|no such message|消息不存在/i;

/** Sends segments; without the reply where the bridge rejects one to a deleted message. */
async function sendSegments(bridge: Bridge, message: OutboundMessage, pieces: readonly Segment[]): Promise<unknown> {
  try {
    return await bridge.call(...toSendCall(message, pieces), "ambiguous");
  } catch (error) {
    const others = pieces.filter(({ type }) => type !== "reply");
    const isRejected = DeliveryError.is(error) && (error.failure === "permanent" || error.failure === "unavailable");
    if (!isRejected || others.length === pieces.length || !MESSAGE_GONE.test(error.message)) throw error;
    return bridge.call(...toSendCall(message, others), "ambiguous");
  }
}

function toSendCall(message: OutboundMessage, segments: readonly Segment[]): [action: string, params: object] {
  const [kind, id = ""] = message.conversation.id.split(":");
  if (kind === "group" && id !== "") return ["send_group_msg", { group_id: toBridgeId(id), message: segments }];
  if (kind === "private" && id !== "") return ["send_private_msg", { user_id: toBridgeId(id), message: segments }];
  throw deliveryFailure("permanent", "no_group_no_person", {});
}

function rememberSentId(sentIds: Set<string>, id: string): void {
  if (id === "") return;
  const [oldest] = sentIds;
  if (sentIds.size >= MAX_SENT_IDS && oldest !== undefined) sentIds.delete(oldest);
  sentIds.add(id);
}

/** Verifies the signature of the raw body; a named but empty variable rejects everyone. */
function checkSignature({ http_secret_env }: ImaSettings, io: ChannelIo, { headers, body }: WebhookRequest): void {
  if (http_secret_env === "") return;
  const secret = io.secret(http_secret_env);
  const given = Buffer.from(/^sha1=([0-9a-f]{40})$/.exec(headers["x-signature"] ?? "")?.[1] ?? "", "hex");
  const wanted = createHmac("sha1", secret ?? "")
    .update(body)
    .digest();
  if (!secret || !isEqualSecret(given, wanted)) {
    throw new AppError("unauthorized", "authentication failed");
  }
}
