import {
  AppError,
  type ChannelConfig,
  type ChannelFeature,
  type ChannelIo,
  type ChannelLink,
  deliveryFailure,
  type IdempotencyMode,
  type OutboundMessage,
  type Receipt,
  toLocalizedError,
  type WebhookAnswer,
  type WebhookRequest,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { createRateLimiter, type RateLimiter, sendThrottled } from "@parley/core/limits";
import { splitMarkdown } from "@parley/core/markdown";
import { openDiscordConnection } from "./discord/discord-connection.ts";
import { fetchAttachment } from "./inbound/fetch-attachment.ts";
import { receiveRequest } from "./inbound/receive-request.ts";
import { reconcileByHistory } from "./outbound/reconcile.ts";
import { toDeliveryFailure } from "./outbound/to-delivery-failure.ts";
import { toPostable } from "./outbound/to-postable.ts";
import { type CurrentAdapter, createCurrentAdapter } from "./packages/current-adapter.ts";
import type { OpenAdapterDeps } from "./packages/open-adapter.ts";
import { createPackageFetch, currentCall, runWithNetwork } from "./packages/package-network.ts";
import type { ServedPackage } from "./packages/served-packages.ts";
import type { SdkAdapter, SdkPostable } from "./sdk/sdk-adapter.ts";
import { readPostedId } from "./sdk/sdk-message.ts";
import { chatSdkTexts } from "./texts.ts";

const MAX_SENT_IDS = 1_000;
const DEFAULT_LENGTH = 4_000;

/** Dependencies and state of an open channel. */
interface OpenChannel {
  readonly served: ServedPackage;
  readonly channel: ChannelConfig;
  readonly io: ChannelIo;
  readonly current: CurrentAdapter;
  /** Aborted when the link is disposed. */
  readonly closing: AbortController;
  readonly rateLimiter: RateLimiter;
  /** Ids of messages that are known to be sent. */
  readonly sentIds: Set<string>;
}

/** Opens a channel over an adapter package; rejects when the package is missing or cannot be connected. A missing secret leaves the link open, and rejects every request. */
export async function openLink(
  deps: OpenAdapterDeps,
  served: ServedPackage,
  channel: ChannelConfig,
  service: ChannelIo,
  signal: AbortSignal,
): Promise<ChannelLink> {
  signal.throwIfAborted();
  const fetch = createPackageFetch(service.fetch, served.known ?? {}, channel.config.apiUrl);
  const io = { ...service, fetch };
  const open: OpenChannel = {
    served,
    channel,
    io,
    // The connection's state is the channel's, not that of the package.
    current: createCurrentAdapter(deps, served, channel, served.known?.hasGateway ? { ...io, report() {} } : io),
    closing: new AbortController(),
    // Platforms of the Chat SDK take about one message a second in a conversation, and a few at once.
    rateLimiter: createRateLimiter({ burst: 5, everyMs: 1_000 }),
    sentIds: new Set(),
  };
  await connect(open, signal);
  return createLink(open, openConnection(deps, open));
}

/** Opens the connection that brings a platform's messages; undefined where they come by webhook. */
function openConnection({ sessions, backoffMs }: OpenAdapterDeps, open: OpenChannel): AsyncDisposable | undefined {
  const { served, channel } = open;
  if (!served.known?.hasGateway) return undefined;
  const apiUrl = String(channel.config.apiUrl || served.known.fixedUrls?.[0]);
  return openDiscordConnection({ ...open, apiUrl, sessions, backoffMs });
}

/** Connects the adapter at once, so that the channel shows what is wrong before the first message. */
async function connect({ current, io }: OpenChannel, signal: AbortSignal): Promise<void> {
  try {
    await raceWithSignal(current.get(), signal);
  } catch (error) {
    if (!AppError.is(error) || error.detail?.key !== "variable_not_set") {
      await current.close();
      throw error;
    }
    const { error: problem, detail } = toLocalizedError(error);
    io.report({ connected: false, error: problem, ...(detail && { detail }) });
  }
}

function createLink(open: OpenChannel, connection: AsyncDisposable | undefined): ChannelLink {
  const { served, current, closing, rateLimiter, sentIds } = open;
  // Of an unknown package, nothing is known to be missing.
  const mayHave = (feature: ChannelFeature) => served.known?.features.includes(feature) !== false;
  return {
    split: (text) => splitMarkdown(text, served.known?.maxLength ?? DEFAULT_LENGTH),
    ...(served.known?.elements && { elements: served.known.elements }),
    receive: (request) => receive(open, request),
    pace: ({ conversation }, waiting) => rateLimiter.turn(conversation.id, waiting),
    send: (message, sending) => sendThrottled(rateLimiter, message.conversation.id, send(open, message, sending)),
    ...(mayHave("typing") && {
      typing: (conversation: string, given: AbortSignal) =>
        call(open, given, async (adapter) => void (await adapter.startTyping(conversation))),
    }),
    ...(mayHave("recall") && {
      recall: (messageId: string, conversation: string, given: AbortSignal) =>
        call(open, given, async (adapter) => void (await adapter.deleteMessage(conversation, messageId))),
    }),
    fetchFile: (attachment, given) => call(open, given, (adapter) => fetchAttachment(adapter, attachment, given)),
    ...(getMode(served) === "reconcile" && {
      reconcile: (message: OutboundMessage, given: AbortSignal) =>
        call(open, given, (adapter) => reconcileByHistory(adapter, message, sentIds)),
    }),
    async [Symbol.asyncDispose]() {
      // What is on its way may have arrived.
      closing.abort(deliveryFailure("ambiguous", "channel_closed", {}));
      await connection?.[Symbol.asyncDispose]();
      await current.close();
    },
  };
}

/** Returns how a repeat of a send is made safe. */
export function getMode({ known }: ServedPackage): IdempotencyMode {
  return known?.idempotency ?? "none";
}

/** Calls the adapter; ends with the signal even when the package blocks. */
async function call<Result>(
  { current, closing, io }: OpenChannel,
  given: AbortSignal,
  work: (adapter: SdkAdapter) => Promise<Result>,
  key?: string,
): Promise<Result> {
  const limit = AbortSignal.any([given, closing.signal]);
  limit.throwIfAborted();
  const { adapter } = await raceWithSignal(current.get(), limit);
  const context = { signal: limit, ...(key !== undefined && { key }) };
  const calling = runWithNetwork(io.fetch, () => currentCall.run(context, () => work(adapter)));
  return raceWithSignal(calling, limit);
}

async function send(open: OpenChannel, message: OutboundMessage, sending: AbortSignal): Promise<Receipt> {
  const { current, io, served, sentIds, closing } = open;
  if (closing.signal.aborted) throw deliveryFailure("not_sent", "channel_closed", {});
  sending.throwIfAborted();
  const content = await toPostable(io.files, message, served.known);
  await current.get().catch((error: unknown) => {
    const words = error instanceof Error ? error.message : String(error);
    throw deliveryFailure("not_sent", "credentials", { words }, { cause: error });
  });
  try {
    const posted = await call(open, sending, (adapter) => post(adapter, message, content), message.deliveryId);
    const id = readPostedId(posted);
    if (id === undefined) return { quality: "accepted" };
    const [oldest] = sentIds;
    if (sentIds.size >= MAX_SENT_IDS && oldest !== undefined) sentIds.delete(oldest);
    sentIds.add(id);
    return { platformMessageId: id, quality: "confirmed" };
  } catch (error) {
    throw toDeliveryFailure(served.package, error);
  }
}

/** Posts a message, or completes the one that showed it while it was generated. */
function post(adapter: SdkAdapter, { conversation, completes }: OutboundMessage, content: SdkPostable) {
  return completes === undefined
    ? adapter.postMessage(conversation.id, content)
    : adapter.editMessage(conversation.id, completes, content);
}

async function receive(open: OpenChannel, request: WebhookRequest): Promise<WebhookAnswer> {
  const { served, channel, io, current } = open;
  // Without its secrets the adapter cannot verify anything.
  const opened = await current.get().catch((cause: unknown) => {
    const isMissing = AppError.is(cause) && cause.detail?.key === "variable_not_set";
    throw isMissing ? chatSdkTexts.error("unauthorized", "signature", {}, { cause }) : cause;
  });
  const options = {
    adapter: opened.adapter,
    packageName: served.package,
    path: `/api/gateway/${channel.id}/webhook`,
    io,
    answerInteraction: served.known?.answerInteraction,
    forget: opened.forget,
  };
  return receiveRequest(options, request);
}
