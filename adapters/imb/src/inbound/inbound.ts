import {
  AppError,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  type InboundMessage,
  toSharedProblem,
  toWarnings,
  type WebhookRequest,
} from "@parley/core";
import type { ConnectionStatus } from "@parley/core/channels";
import { isEqualSecret } from "@parley/core/secrets";
import type { BotApi } from "../bot-api.ts";
import { markPressed } from "../outbound/keyboard.ts";
import type { ImbSettings } from "../settings.ts";
import { imbTexts } from "../texts.ts";
import { decodePress, decodeUpdate, toConversationMove } from "./decode.ts";
import { pollUpdates } from "./polling.ts";
import type { BotIdentity, Update } from "./update.ts";
import { parseUpdate } from "./updates.ts";
import { UNKNOWN_STATE, type WebhookState, watchWebhook } from "./webhook-watch.ts";

const SECRET_HEADERS = ["x-imb-bot-api-secret-token", "x-telegram-bot-api-secret-token"] as const;

/** The way of updates to the service: by webhook, or by polling. */
export interface Inbound extends AsyncDisposable {
  /** Receives an update by webhook. */
  readonly receive: NonNullable<ChannelLink["receive"]>;
  readonly isOpen: boolean;
}

export interface InboundDeps {
  readonly channel: ChannelConfig;
  readonly settings: ImbSettings;
  readonly io: ChannelIo;
  readonly api: BotApi;
  readonly getIdentity: (update: Update) => Promise<BotIdentity | undefined>;
  /** Aborts when the channel closes. */
  readonly signal: AbortSignal;
}

/** Receives updates by webhook, and watches whether the platform sends them here. */
export function openWebhook(deps: InboundDeps): Inbound {
  const { channel, settings, io, api } = deps;
  const report = (state: WebhookState) => reportWebhook(settings, io, state);
  const missing = report(UNKNOWN_STATE);
  const watch = missing
    ? undefined
    : watchWebhook({ api, settings, channelId: channel.id, log: io.log, onChange: (state) => void report(state) });
  const receiveUpdate = createUpdateReceiver(deps);
  return {
    isOpen: settings.secret_token_env === "",
    async receive(request) {
      if (settings.secret_token_env !== "") checkSecret(settings, io, request);
      const update = parseUpdate(request.body);
      watch?.onUpdate();
      await receiveUpdate(update, request.accept);
      return { body: { ok: true } };
    },
    async [Symbol.asyncDispose]() {
      watch?.[Symbol.dispose]();
    },
  };
}

export interface PollingInboundDeps extends InboundDeps {
  readonly clock: Pick<Clock, "now">;
  /** Status of the polling channels, by channel id. */
  readonly connections: Map<string, ConnectionStatus>;
}

/** Polls for updates. One that still arrives by webhook, with its secret, is received too. */
export function openPolling(deps: PollingInboundDeps): Inbound {
  const { channel, settings, io, connections } = deps;
  const receiveUpdate = createUpdateReceiver(deps);
  const polling = startPolling(deps, receiveUpdate);
  return {
    isOpen: false,
    async receive(request) {
      checkSecret(settings, io, request);
      await receiveUpdate(parseUpdate(request.body), request.accept);
      return { body: { ok: true } };
    },
    async [Symbol.asyncDispose]() {
      await polling?.[Symbol.asyncDispose]();
      connections.delete(channel.id);
    },
  };
}

/** Starts to poll; undefined, and reported, without the bot's token. */
function startPolling(
  { channel, settings: { bot_token_env: variable }, io, api, connections, clock }: PollingInboundDeps,
  receive: (update: Update) => Promise<void>,
): AsyncDisposable | undefined {
  if (io.secret(variable) === undefined) {
    io.report({ connected: false, ...toSharedProblem("variable_not_set", { variable }) });
    return undefined;
  }
  const onStatus = (status: ConnectionStatus) => void connections.set(channel.id, status);
  return pollUpdates({ api, io, receive, onStatus, now: () => clock.now() });
}

/** Creates the receiver of updates, however they arrive. It resolves when the message is stored. */
function createUpdateReceiver({ channel, io, api, getIdentity, signal }: InboundDeps) {
  return async (update: Update, accept: ChannelIo["accept"] = io.accept): Promise<void> => {
    const move = toConversationMove(channel.id, update);
    if (move) await io.moved(move);
    const press = decodePress(channel.id, update);
    const pressed = press && (await io.press?.(press));
    if (pressed) return answerButton({ api, io, signal }, update, pressed.refusal);
    const message = readMessage(channel.id, update, await getIdentity(update));
    if (!message) return io.log.debug("an update was ignored", { update: update.update_id });
    await accept(message);
    if (update.callback_query) answerButton({ api, io, signal }, update, "");
  };
}

/** Maximum length of the note that the platform shows to who pressed a button. */
const MAX_NOTE = 200;

/** Ends the loading state of a pressed button, with a note if the press was refused; else marks the button. A failure does not matter. */
function answerButton(
  { api, io, signal }: Pick<InboundDeps, "api" | "io" | "signal">,
  { callback_query: pressed }: Update,
  refusal: string | undefined,
): void {
  if (!pressed) return;
  const note = refusal ? { text: refusal.slice(0, MAX_NOTE) } : {};
  const call = (method: string, body: object) =>
    api.call(method, body, signal).catch((error: unknown) => io.log.debug("a button could not be answered", { error }));
  void call("answerCallbackQuery", { callback_query_id: pressed.id, ...note });
  const { message, data = "" } = pressed;
  if (refusal !== undefined || !message?.reply_markup) return;
  const inline_keyboard = markPressed(message.reply_markup.inline_keyboard ?? [], data);
  const { chat, message_id } = message;
  void call("editMessageReplyMarkup", { chat_id: chat.id, message_id, reply_markup: { inline_keyboard } });
}

/** Decodes an update; throws `bad_request` where a field has another type than the platform promises. */
function readMessage(channelId: string, update: Update, me: BotIdentity | undefined): InboundMessage | undefined {
  try {
    return decodeUpdate(channelId, update, me);
  } catch (cause) {
    throw new AppError("bad_request", "the update cannot be read", { cause });
  }
}

/** Reports the state to the operator; returns the name of a variable without value. */
function reportWebhook(settings: ImbSettings, io: ChannelIo, { warnings, ...state }: WebhookState): string | undefined {
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

/** Verifies the secret of a request; throws `unauthorized` for a wrong one, and for every one when no variable has a value. */
function checkSecret(
  { secret_token_env, secret_header }: ImbSettings,
  io: ChannelIo,
  { headers, isVerified }: WebhookRequest,
): void {
  if (isVerified) return;
  const wanted = secret_token_env === "" ? undefined : io.secret(secret_token_env)?.trim();
  const names = secret_header ? [secret_header.toLowerCase()] : SECRET_HEADERS;
  const providedSecrets = names.map((name) => headers[name]).filter((value) => value !== undefined);
  const isRight =
    wanted !== undefined &&
    wanted !== "" &&
    providedSecrets.length > 0 &&
    providedSecrets.every((one) => isEqualSecret(one, wanted));
  if (!isRight) throw new AppError("unauthorized", "authentication failed");
}
