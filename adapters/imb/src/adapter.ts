import {
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  deliveryFailure,
  isStoredUrl,
  type OutboundMessage,
  type Receipt,
} from "@parley/core";
import type { ConnectionStatus } from "@parley/core/channels";
import { createRateLimiter, sendThrottled } from "@parley/core/limits";
import { fetchAccount } from "./account.ts";
import { createBotApi, isAlreadyDone } from "./bot-api.ts";
import { imbGuide } from "./guide.ts";
import { fetchAttachment } from "./inbound/attachments.ts";
import { createIdentityLookup } from "./inbound/identity.ts";
import { openPolling, openWebhook } from "./inbound/inbound.ts";
import { splitParts } from "./outbound/format-reply.ts";
import { createSender, toReplyParameters } from "./outbound/sender.ts";
import { createDraft } from "./outbound/streamed-reply.ts";
import { toTarget } from "./outbound/to-chat.ts";
import { getApiBase, getWebhookPath, type ImbSettings, imbSettings } from "./settings.ts";

export interface ImbDeps {
  readonly clock: Pick<Clock, "now">;
  /** Status of the polling channels, by channel id. */
  readonly connections: Map<string, ConnectionStatus>;
}

export function createImbAdapter(deps: ImbDeps): ChannelAdapter {
  return {
    type: "imB",
    transports: ["webhook", "polling"],
    capabilities: { supports_stream: false },
    features: [
      "groups",
      "threads",
      "files_in",
      "files_out",
      "voice",
      "formatting",
      "streaming",
      "typing",
      "buttons",
      "edits",
      "recall",
    ],
    guide: imbGuide,
    settings: imbSettings,
    // The Bot API has no idempotency key.
    idempotency: "none",
    // Uploads are slow.
    sendTimeoutMs: 70_000,
    webhookPath: getWebhookPath,
    isGroup: (chatId) => chatId.startsWith("-"),
    check: fetchAccount,
    open: (channel, io, signal) => open(deps, channel, io, signal),
  };
}

/** Creates the rate limits of the bot, a private chat and a group. Without `isLimited`, sends only wait when the platform asks for it. */
function createRateLimits(isLimited: boolean) {
  const bot = createRateLimiter({ burst: 25, everyMs: isLimited ? 40 : 0 });
  const chat = createRateLimiter({ burst: 3, everyMs: isLimited ? 1_000 : 0 });
  const group = createRateLimiter({ burst: 3, everyMs: isLimited ? 3_300 : 0 });
  return {
    hold({ id, isGroup }: OutboundMessage["conversation"], ms: number) {
      (isGroup ? group : chat).hold(id, ms);
    },
    async wait({ conversation }: OutboundMessage, signal: AbortSignal) {
      await (conversation.isGroup ? group : chat).turn(conversation.id, signal);
      await bot.turn("", signal);
    },
    send: (message: OutboundMessage, sending: Promise<Receipt>) =>
      sendThrottled(message.conversation.isGroup ? group : chat, message.conversation.id, sending),
  };
}

/** Members of the link about the format of replies: the splitting of texts, and the stickers that the platform can show. */
const REPLY_FORMAT = {
  split: (text) => splitParts(text),
  elements: ["buttons"],
  showsSticker: ({ url }) => url.startsWith("https://") || isStoredUrl(url),
} satisfies Partial<ChannelLink>;

async function open(deps: ImbDeps, channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
  signal.throwIfAborted();
  const settings = channel.config as unknown as ImbSettings;
  const token = () => io.secret(settings.bot_token_env);
  const api = createBotApi({
    base: getApiBase(settings),
    token,
    tokenVariable: settings.bot_token_env,
    fetch: io.fetch,
  });
  const closing = new AbortController();
  const getIdentity = createIdentityLookup({ api, io, token, signal: closing.signal });
  const send = createSender({ api, files: io.files });
  const rateLimits = createRateLimits(settings.paced);
  const inboundDeps = { channel, settings, io, api, getIdentity, signal: closing.signal };
  const inbound = channel.transport === "polling" ? openPolling({ ...inboundDeps, ...deps }) : openWebhook(inboundDeps);
  return {
    ...REPLY_FORMAT,
    isOpen: inbound.isOpen,
    pace: rateLimits.wait,
    async send(message, sending) {
      if (closing.signal.aborted) throw deliveryFailure("not_sent", "channel_closed", {});
      return rateLimits.send(message, send(message, AbortSignal.any([sending, closing.signal])));
    },
    receive: inbound.receive,
    fetchFile: (attachment, fetching) => fetchAttachment(api, attachment, AbortSignal.any([fetching, closing.signal])),
    draft: (conversation, replyTo, shown) =>
      createDraft({
        api,
        conversation,
        reply: toReplyParameters({ replyTo, part: 1, conversation }),
        onShown: shown,
        signal: closing.signal,
        onPaused: (ms) => rateLimits.hold(conversation, ms),
        onError: (error) => io.log.debug("a streamed reply could not be shown", { error }),
      }),
    async typing(conversation, typing) {
      await api.call("sendChatAction", { ...toTarget(conversation), action: "typing" }, typing);
    },
    async recall(platformMessageId, _conversation, recalling) {
      const [chat_id, message_id] = platformMessageId.split(":").map(Number);
      try {
        await api.call("deleteMessage", { chat_id, message_id }, recalling);
      } catch (error) {
        if (!isAlreadyDone(error)) throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(deliveryFailure("not_sent", "channel_closed", {}));
      await inbound[Symbol.asyncDispose]();
    },
  };
}
