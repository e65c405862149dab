import {
  AppError,
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  deliveryFailure,
  isStoredUrl,
  type OutboundMessage,
  type Receipt,
  toSharedProblem,
  toWarnings,
  type WebhookRequest,
} from "@parley/core";
import { parseJsonBytes } from "@parley/core/http";
import { createRateLimiter, sendThrottled } from "@parley/core/limits";
import { isEqualSecret } from "@parley/core/secrets";
import { fetchAccount } from "./account.ts";
import { fetchAttachment } from "./attachments.ts";
import { createBotApi, isAlreadyDone } from "./bot-api.ts";
import { decodeUpdate, toConversationMove } from "./decode.ts";
import { splitParts } from "./format-reply.ts";
import { createIdentityLookup } from "./identity.ts";
import { createSender, toReplyParameters } from "./sender.ts";
import { getApiBase, getWebhookPath, type ImbSettings, imbSettings } from "./settings.ts";
import { createDraft } from "./streamed-reply.ts";
import { imbTexts } from "./texts.ts";
import { toTarget } from "./to-chat.ts";
import type { BotMessage, Update } from "./update.ts";
import { UNKNOWN_STATE, type WebhookState, watchWebhook } from "./webhook-watch.ts";

const SECRET_HEADERS = ["x-imb-bot-api-secret-token", "x-telegram-bot-api-secret-token"] as const;

export const imbAdapter: ChannelAdapter = {
  type: "imB",
  transports: ["webhook"],
  capabilities: { supports_stream: false },
  settings: imbSettings,
  // The Bot API has no idempotency key.
  idempotency: "none",
  // Uploads are slow.
  sendTimeoutMs: 70_000,
  webhookPath: getWebhookPath,
  isGroup: (chatId) => chatId.startsWith("-"),
  check: fetchAccount,
  open,
};

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
  showsSticker: ({ url }) => url.startsWith("https://") || isStoredUrl(url),
} satisfies Partial<ChannelLink>;

async function open(channel: ChannelConfig, io: ChannelIo, signal: AbortSignal): Promise<ChannelLink> {
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
  const missing = reportState(settings, io, UNKNOWN_STATE);
  const webhookWatch = missing
    ? undefined
    : watchWebhook({
        ...{ api, settings, channelId: channel.id, log: io.log },
        onChange: (state) => void reportState(settings, io, state),
      });
  return {
    ...REPLY_FORMAT,
    isOpen: settings.secret_token_env === "",
    pace: rateLimits.wait,
    async send(message, sending) {
      if (closing.signal.aborted) throw deliveryFailure("not_sent", "channel_closed", {});
      return rateLimits.send(message, send(message, AbortSignal.any([sending, closing.signal])));
    },
    async receive(request) {
      if (!request.isVerified) checkSecret(settings, io, request);
      const update = parseUpdate(request.body);
      webhookWatch?.onUpdate();
      const move = toConversationMove(channel.id, update);
      if (move) await io.moved(move);
      const message = decodeUpdate(channel.id, update, await getIdentity(update));
      if (!message) {
        io.log.debug("an update was ignored", { update: update.update_id });
        return { body: { ok: true } };
      }
      await (request.accept ?? io.accept)(message);
      const pressed = update.callback_query?.id;
      // Ends the loading state of the button; a failure does not matter.
      if (pressed !== undefined) {
        api
          .call("answerCallbackQuery", { callback_query_id: pressed }, closing.signal)
          .catch((error: unknown) => io.log.debug("a button could not be answered", { error }));
      }
      return { body: { ok: true } };
    },
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
      webhookWatch?.[Symbol.dispose]();
    },
  };
}

/** Reports the state to the operator; returns the name of a variable without value. */
function reportState(settings: ImbSettings, io: ChannelIo, { warnings, ...state }: WebhookState): string | undefined {
  const open = toWarnings(settings.secret_token_env === "" ? [imbTexts.error("unavailable", "open")] : []);
  const missing = [settings.bot_token_env, settings.secret_token_env].find((name) => name !== "" && !io.secret(name));
  io.report({
    connected: missing === undefined && state.error === undefined,
    warnings: [...open.warnings, ...warnings.map(({ error }) => error)],
    warningDetails: [...open.warningDetails, ...warnings.map(({ detail }) => detail ?? null)],
    ...state,
    ...(missing !== undefined && toSharedProblem("variable_not_set", { variable: missing })),
  });
  return missing;
}

/** Verifies the secret of a request; throws `unauthorized` for a wrong one. A variable without a value rejects all requests, and no variable accepts all. */
function checkSecret(
  { secret_token_env, secret_header }: ImbSettings,
  io: ChannelIo,
  { headers }: WebhookRequest,
): void {
  if (secret_token_env === "") return;
  const wanted = io.secret(secret_token_env)?.trim();
  const names = secret_header ? [secret_header.toLowerCase()] : SECRET_HEADERS;
  const providedSecrets = names.map((name) => headers[name]).filter((value) => value !== undefined);
  const isRight =
    wanted !== undefined &&
    wanted !== "" &&
    providedSecrets.length > 0 &&
    providedSecrets.every((one) => isEqualSecret(one, wanted));
  if (!isRight) throw new AppError("unauthorized", "authentication failed");
}

function parseUpdate(body: Uint8Array): Update {
  let parsed: unknown;
  try {
    parsed = parseJsonBytes(body);
  } catch {
    throw new AppError("bad_request", "the body is not JSON");
  }
  if (typeof parsed !== "object" || parsed === null || !Number.isInteger((parsed as Update).update_id)) {
    throw new AppError("bad_request", "the body is not an update");
  }
  const update = parsed as Update;
  const botMessage = update.message ?? update.edited_message ?? update.callback_query?.message;
  if (botMessage !== undefined && !isCompleteMessage(botMessage))
    throw new AppError("bad_request", "the message has no valid message, chat or sender id");
  return update;
}

/** True when a message has the fields on which all others depend. */
function isCompleteMessage({ message_id, chat, from }: Partial<BotMessage>): boolean {
  const isKnown = Number.isSafeInteger(chat?.id) && typeof chat?.type === "string";
  return isKnown && Number.isSafeInteger(message_id) && (from === undefined || Number.isSafeInteger(from.id));
}
