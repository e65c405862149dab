import { createHmac, timingSafeEqual } from "node:crypto";
import {
  AppError,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  createRateLimiter,
  DeliveryError,
  isStoredUrl,
  LEFT_TO_NEXT,
  type LinkState,
  type OutboundMessage,
  type WebhookRequest,
  warningsOf,
} from "@parley/core";
import { splitMarkdown } from "@parley/core/markdown";
import type { Bridge } from "./bridge.ts";
import type { Connection } from "./connection.ts";
import { decodeEvent } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { createForwardConnection } from "./forward.ts";
import { type BridgeEvent, idOf, isObject, numberOf, parseFrame } from "./frame.ts";
import { catchUp, reconcileByHistory } from "./history.ts";
import type { LeftSockets } from "./left-sockets.ts";
import { fetchAttachment, MEDIA_MS, outgoingFile } from "./media.ts";
import { withContext } from "./quotes.ts";
import type { ReverseDoor } from "./reverse.ts";
import { imaFailure } from "./said-failures.ts";
import type { Segment } from "./segments.ts";
import { type ImaSettings, imaSettings } from "./settings.ts";
import { IMA_TIMING, type ImaTiming } from "./timing.ts";

const PART_CHARS = 4_000;
const MAX_OURS = 1_000;
const ROLE_MS = 600_000;
const ACTIVE_MS = 86_400_000;
const CATCH_UP_MS = 600_000;

export interface ImaParts {
  readonly door: ReverseDoor;
  /** Connections that the links of the previous set of plugins left open. */
  readonly left: LeftSockets;
  /** The links that are open, by channel: for the rows that ask the bridge. */
  readonly bridges: Map<string, () => Bridge | undefined>;
  readonly random: () => number;
  readonly timing?: ImaTiming;
  /** Where something was said lately, before this link was opened. */
  readonly recent?: (
    channelId: string,
  ) => Promise<readonly { readonly conversation: string; readonly lastMs: number }[]>;
}

export function imaAdapter(parts: ImaParts): ChannelAdapter {
  return {
    type: "imA",
    transports: ["bridge"],
    capabilities: { supports_file_send: true, supports_tools: true },
    settings: imaSettings,
    idempotency: "reconcile",
    withdrawsBlocked: true,
    isGroup: (conversationId) => conversationId.startsWith("group:"),
    canSend: ({ config }) => config.mode !== "http",
    // Files take their time.
    sendTimeoutMs: 70_000,
    open: (channel, io, signal) => open(parts, channel, io, signal),
  };
}

async function open(parts: ImaParts, channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  signal.throwIfAborted();
  const { timing = IMA_TIMING, bridges } = parts;
  const settings = channel.config as unknown as ImaSettings;
  const ours = new Set<string>();
  const roles = new Map<string, { readonly mayWithdraw: boolean; readonly untilMs: number }>();
  const pace = {
    conversation: createRateLimiter({ burst: 1, everyMs: timing.perConversationMs }),
    account: createRateLimiter({ burst: 2, everyMs: timing.perAccountMs }),
  };
  /** Conversations, and when something was last said there. */
  const active = new Map<string, number>();
  let selfId = settings.self_id;
  let isRemembered = false;
  let isOnline = true;
  let isClosed = false;

  const onAccount = (account: string) => {
    if (account === "") return;
    if (selfId !== "" && account !== selfId) throw imaFailure("internal", "other_account", { account, wanted: selfId });
    selfId = account;
  };
  const onEvent = async (event: BridgeEvent, accept = io.accept) => {
    if (isClosed) return;
    if (selfId === "") onAccount(idOf(event.self_id));
    if (event.post_type === "meta_event") return onMeta(event);
    const message = decodeEvent(event, { channelId: channel.id, selfId, isOurs: (id) => ours.has(id) });
    if (!message) return;
    active.set(message.conversation.id, Date.now());
    const live = connection?.bridge();
    const isMeant = message.addressed || channel.config.group_trigger === "all";
    const isWhole = live === undefined || message.kind !== "message" || !isMeant;
    await accept(isWhole ? message : await withContext(message, event, live));
  };
  // The protocol has no place to go on from: what was missed is looked up; what is known already is a copy.
  const onReturn = async (again: Bridge) => {
    const now = Date.now();
    const failures: unknown[] = [];
    if (!isRemembered) {
      isRemembered = true;
      for (const { conversation, lastMs } of (await parts.recent?.(channel.id)) ?? []) {
        if (!active.has(conversation)) active.set(conversation, lastMs);
      }
    }
    for (const [conversation, at] of active) {
      if (now - at > ACTIVE_MS) active.delete(conversation);
      // One that cannot be looked up must not hide what was said in the others.
      else await catchUp(again, conversation, now - CATCH_UP_MS, onEvent).catch((error) => void failures.push(error));
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
    const offline = warningsOf([imaFailure("unavailable", "offline")]);
    io.report({
      ...link,
      connected: false,
      warnings: [...warnings, ...offline.warnings],
      warningDetails: [...warningDetails, ...offline.warningDetails],
    });
  };
  const watched: ChannelIo = {
    ...io,
    report(state) {
      link = state;
      report();
    },
  };
  const connection = connectionOf(settings, { ...parts, timing }, channel, watched, {
    onEvent,
    onReturn,
    onAccount,
    selfId: () => selfId,
  });
  bridges.set(channel.id, () => connection?.bridge());
  const bridge = (): Bridge => {
    const found = isClosed ? undefined : connection?.bridge();
    if (found) return found;
    if (!connection && !isClosed) throw new DeliveryError("no_sender", "in mode http the bridge only posts events");
    throw new DeliveryError("not_sent", "the bridge is not connected");
  };
  const mayWithdraw = async (group: string): Promise<boolean> => {
    const known = roles.get(group);
    if (known && known.untilMs > performance.now()) return known.mayWithdraw;
    const params = { group_id: numberOf(group), user_id: numberOf(selfId), no_cache: true };
    const member = await bridge().call("get_group_member_info", params);
    const role = isObject(member) ? member.role : "";
    const found = { mayWithdraw: role === "owner" || role === "admin", untilMs: performance.now() + ROLE_MS };
    roles.set(group, found);
    return found.mayWithdraw;
  };

  return {
    split: (text) => splitMarkdown(text, PART_CHARS),
    async pace({ conversation }, waiting) {
      await pace.conversation.turn(conversation.id, waiting);
      await pace.account.turn("", waiting);
    },
    async send(message, sending) {
      sending.throwIfAborted();
      const answer = await sendOut(bridge(), io.files, message);
      const id = isObject(answer) ? idOf(answer.message_id) : "";
      remember(ours, id);
      return id === "" ? { quality: "accepted" } : { platformMessageId: id, quality: "confirmed" };
    },
    fetchFile: (attachment) => fetchAttachment(bridge(), attachment),
    async recall(messageId, conversation) {
      const [kind, id = ""] = conversation.split(":");
      if (kind !== "group") throw imaFailure("permission_denied", "withdraw_private");
      if (!(await mayWithdraw(id))) throw imaFailure("permission_denied", "withdraw_group");
      await bridge().call("delete_msg", { message_id: numberOf(messageId) });
    },
    reconcile: async (message) => reconcileByHistory(bridge(), message, selfId, ours),
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
      if (signal.reason === LEFT_TO_NEXT) await connection?.leave();
      else await connection?.[Symbol.asyncDispose]();
    },
  };
}

interface Watching {
  readonly onEvent: (event: BridgeEvent) => Promise<void>;
  readonly onReturn: (bridge: Bridge) => Promise<void>;
  readonly onAccount: (selfId: string) => void;
  readonly selfId: () => string;
}

/** Undefined in mode http: nobody connects. */
function connectionOf(
  { mode, ws_uri, access_token_env, http_secret_env }: ImaSettings,
  { door, left, random, timing = IMA_TIMING }: ImaParts,
  { id: channelId, config }: ChannelConfig,
  io: ChannelIo,
  { onEvent, onReturn, onAccount, selfId }: Watching,
): Connection | undefined {
  const token = () => (access_token_env === "" ? undefined : io.secret(access_token_env));
  const address = () => ws_uri || io.secret("IMA_WS_URI");
  const leftKey = () => JSON.stringify([channelId, config, token(), address()]);
  const shared = { timing, io, onEvent, onReturn, onAccount, left, leftKey };
  if (mode === "forward_ws") {
    return createForwardConnection({ ...shared, address, token, random });
  }
  if (mode === "reverse_ws") {
    const named = () => ({ isNamed: access_token_env !== "", value: token() });
    return door.open({ ...shared, channelId, token: named, selfId });
  }
  const open = http_secret_env === "" ? [imaFailure("unavailable", "open_events")] : [];
  io.report({ connected: true, ...warningsOf([imaFailure("unavailable", "mute"), ...open]) });
  return undefined;
}

/** Text and addresses as pieces of a message; a file of this service as a piece or by an upload. */
async function sendOut(bridge: Bridge, files: ChannelIo["files"], message: OutboundMessage): Promise<unknown> {
  const [attachment] = message.attachments;
  if (!attachment || !isStoredUrl(attachment.url)) {
    return sendPieces(bridge, message, encodeMessage(message));
  }
  const file = await outgoingFile(files, attachment, message.conversation.id);
  const say = (segment: Segment) => bridge.call(...sendCall(message, [segment]), "ambiguous", MEDIA_MS);
  if ("segment" in file) return say(file.segment);
  try {
    return await bridge.call(...file.upload, "ambiguous", MEDIA_MS);
  } catch (error) {
    // Not every bridge takes files: people get the address.
    if (!DeliveryError.is(error) || error.failure !== "permanent") throw error;
    return say({ type: "text", data: { text: file.fallback } });
  }
}

const NO_MESSAGE =
  /repl(?:y|ied)|引用|回复|(?:message|msg)\s*(?:is )?(?:not found|not exist|gone)|no such message|消息不存在/i;

/** A bridge may refuse a reply to a message that is gone: then the answer stands alone. */
async function sendPieces(bridge: Bridge, message: OutboundMessage, pieces: readonly Segment[]): Promise<unknown> {
  try {
    return await bridge.call(...sendCall(message, pieces), "ambiguous");
  } catch (error) {
    const others = pieces.filter(({ type }) => type !== "reply");
    const isRefused = DeliveryError.is(error) && (error.failure === "permanent" || error.failure === "unavailable");
    if (!isRefused || others.length === pieces.length || !NO_MESSAGE.test(error.message)) throw error;
    return bridge.call(...sendCall(message, others), "ambiguous");
  }
}

function sendCall(message: OutboundMessage, segments: readonly Segment[]): [action: string, params: object] {
  const [kind, id = ""] = message.conversation.id.split(":");
  if (kind === "group" && id !== "") return ["send_group_msg", { group_id: numberOf(id), message: segments }];
  if (kind === "private" && id !== "") return ["send_private_msg", { user_id: numberOf(id), message: segments }];
  throw new DeliveryError("permanent", "the conversation is neither a group nor a person");
}

function remember(ours: Set<string>, id: string): void {
  if (id === "") return;
  const [oldest] = ours;
  if (ours.size >= MAX_OURS && oldest !== undefined) ours.delete(oldest);
  ours.add(id);
}

/** Over the bytes as received; a variable that is named but empty lets nobody in. */
function checkSignature({ http_secret_env }: ImaSettings, io: ChannelIo, { headers, body }: WebhookRequest): void {
  if (http_secret_env === "") return;
  const secret = io.secret(http_secret_env);
  const given = Buffer.from(/^sha1=([0-9a-f]{40})$/.exec(headers["x-signature"] ?? "")?.[1] ?? "", "hex");
  const wanted = createHmac("sha1", secret ?? "")
    .update(body)
    .digest();
  if (!secret || given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new AppError("unauthorized", "authentication failed");
  }
}
