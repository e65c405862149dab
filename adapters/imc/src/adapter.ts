import {
  type ChannelAdapter,
  type ChannelConfig,
  type ChannelIo,
  type ChannelLink,
  type Clock,
  deliveryFailure,
  toSharedError,
  toSharedProblem,
  toWarnings,
  type WebhookRequest,
} from "@parley/core";
import { type ConnectionStatus, mayJoinIn } from "@parley/core/channels";
import { createRateLimiter, sendThrottled } from "@parley/core/limits";
import { fetchAccount, readCredentials } from "./account.ts";
import { answerPress, type PressAnswer, rememberCard, type SentCards } from "./cards/answer-press.ts";
import { buildCard } from "./cards/build-card.ts";
import { decodePress } from "./cards/decode-press.ts";
import { decodeEvent } from "./decode.ts";
import { type EventBody, type NamedSecret, openEvent } from "./event-security.ts";
import { imcGuide } from "./guide.ts";
import { openLongConnection } from "./long-connection.ts";
import { fetchAttachment } from "./media.ts";
import { createMessageContext } from "./message-context.ts";
import { createOpenApi, type OpenApi } from "./open-api.ts";
import { sendMessage, splitParts } from "./outgoing.ts";
import { getDomain, type ImcSettings, imcSettings } from "./settings.ts";
import { imcTexts } from "./texts.ts";

const MAX_SENT_IDS = 1_000;
const RETRY_MS = 60_000;

export interface ImcDeps {
  readonly clock: Clock;
  /** Status of the long connections, by channel id. */
  readonly connections: Map<string, ConnectionStatus>;
  readonly random: () => number;
}

export function createImcAdapter(deps: ImcDeps): ChannelAdapter {
  return {
    type: "imC",
    transports: ["webhook", "websocket"],
    capabilities: {},
    features: ["groups", "files_in", "files_out", "voice", "formatting", "buttons", "lists", "deletions", "recall"],
    guide: imcGuide,
    settings: imcSettings,
    // The platform deduplicates by uuid for an hour.
    idempotency: "native_key",
    // Uploads are slow.
    sendTimeoutMs: 70_000,
    webhookPath: (id) => `/api/channels/imC/${id}/webhook`,
    check: (channel, io, signal) => fetchAccount(deps.clock, channel, io, signal),
    open: (channel, io, signal) => open(deps, channel, io, signal),
  };
}

async function open(
  { clock, connections, random }: ImcDeps,
  channel: ChannelConfig,
  io: ChannelIo,
  signal: AbortSignal,
): Promise<ChannelLink> {
  signal.throwIfAborted();
  const settings = channel.config as unknown as ImcSettings;
  const toNamedSecret = (variable: string): NamedSecret => ({
    isNamed: variable !== "",
    value: variable === "" ? undefined : io.secret(variable),
  });
  const appId = () => settings.app_id || io.secret("IMC_APP_ID");
  const credentials = () => readCredentials(settings, io.secret);
  const api = createOpenApi({ domain: getDomain(settings), credentials, fetch: io.fetch, now: () => clock.now() });
  const closing = new AbortController();
  const botId = createBotIdLookup(api, io, clock, closing.signal);
  const context = createMessageContext({ api, signal: closing.signal, log: io.log });
  const rateLimiter = createRateLimiter({ burst: 4, everyMs: 250 });
  const sentIds = new Set<string>();
  const cards: SentCards = new Map();
  /** Handles an event; returns the answer that the platform expects to a press. */
  const receiveEvent = async (event: EventBody, accept = io.accept): Promise<PressAnswer | undefined> => {
    const press = decodePress(event, { channelId: channel.id, appId: appId() ?? "" });
    if (press) return answerPress({ io, cards, complete: (message) => context.complete(message, false) }, press);
    const account = { channelId: channel.id, appId: appId() ?? "", isOwnMessage: (id: string) => sentIds.has(id) };
    const message = decodeEvent(event, { ...account, botId: await botId() });
    const isForBot = message?.addressed || mayJoinIn(channel);
    if (message) await accept(await context.complete(message, isForBot));
    else io.log.debug("an event was ignored", { type: event.header?.event_type });
    return undefined;
  };
  const isSocket = channel.transport === "websocket";
  if (!isSocket) reportState(settings, io, appId());
  const connection = isSocket ? await connect() : undefined;

  return {
    split: splitParts,
    elements: ["buttons", "select"],
    isOpen: acceptsUnsigned(settings),
    ...(!isSocket && {
      async receive(request: WebhookRequest) {
        const keys = {
          encryptKey: toNamedSecret(settings.encrypt_key_env),
          verificationToken: toNamedSecret(settings.verification_token_env),
          appId: appId(),
        };
        const event = openEvent(request, keys, clock.now());
        if (event.type === "url_verification") return { body: { challenge: event.challenge ?? "" } };
        return { body: (await receiveEvent(event, request.accept)) ?? { ok: true } };
      },
    }),
    pace: ({ conversation }, waiting) => rateLimiter.turn(conversation.id, waiting),
    async send(message, sending) {
      if (closing.signal.aborted) throw deliveryFailure("not_sent", "channel_closed", {});
      const limit = AbortSignal.any([sending, closing.signal]);
      const answer = await sendThrottled(
        rateLimiter,
        message.conversation.id,
        sendMessage(api, io.files, message, limit),
      );
      const id = answer.data?.message_id;
      if (typeof id !== "string") return { quality: "accepted" };
      const [oldest] = sentIds;
      if (sentIds.size >= MAX_SENT_IDS && oldest !== undefined) sentIds.delete(oldest);
      sentIds.add(id);
      if (message.elements) rememberCard(cards, id, buildCard(message));
      return { platformMessageId: id, quality: "confirmed" };
    },
    fetchFile: (attachment, fetching) => fetchAttachment(api, attachment, AbortSignal.any([fetching, closing.signal])),
    async recall(messageId, _conversation, recalling) {
      await api.call("DELETE", `/im/v1/messages/${encodeURIComponent(messageId)}`, undefined, recalling);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(deliveryFailure("not_sent", "channel_closed", {}));
      connections.delete(channel.id);
      await connection?.[Symbol.asyncDispose]();
    },
  };

  async function connect(): Promise<AsyncDisposable> {
    const known = credentials();
    if (!known) throw toSharedError("unavailable", "app_not_set", { variable: settings.app_secret_env });
    const options = { ...known, domain: getDomain(settings), io, now: () => clock.now(), random };
    const opening = openLongConnection(
      {
        ...options,
        // TLS authenticates the connection, but events of other apps are ignored too.
        async onEvent(event) {
          if (event.header?.app_id !== undefined && event.header.app_id !== known.appId) return undefined;
          return receiveEvent(event);
        },
        report: (status) => void connections.set(channel.id, status),
      },
      signal,
    );
    return opening.catch((error: unknown) => {
      connections.delete(channel.id);
      throw error;
    });
  }
}

/** Returns a lookup of the bot's id; fetched once, and again after a minute when that failed. */
function createBotIdLookup(
  api: OpenApi,
  io: ChannelIo,
  clock: Clock,
  signal: AbortSignal,
): () => Promise<string | undefined> {
  let known: Promise<string | undefined> | undefined;
  let retryAt = 0;
  return () => {
    if (known && (retryAt === 0 || clock.monotonic() < retryAt)) return known;
    retryAt = 0;
    known = api.call("GET", "/bot/v3/info", undefined, signal).then(
      ({ bot }) => (typeof bot?.open_id === "string" ? bot.open_id : undefined),
      (error: unknown) => {
        io.log.warn("the platform does not say who the bot is; in groups only replies and commands reach it", {
          error,
        });
        retryAt = clock.monotonic() + RETRY_MS;
        return undefined;
      },
    );
    return known;
  };
}

/** Reports missing settings and warnings to the operator. */
function reportState(settings: ImcSettings, io: ChannelIo, appId: string | undefined): void {
  const { app_secret_env, encrypt_key_env, verification_token_env } = settings;
  const missing = [app_secret_env, encrypt_key_env, verification_token_env].find(
    (name) => name !== "" && !io.secret(name),
  );
  const problem = missing
    ? toSharedProblem("variable_not_set", { variable: missing })
    : appId
      ? undefined
      : toSharedProblem("setting_not_set", { setting: "app_id" });
  io.report({
    connected: problem === undefined,
    ...toWarnings(acceptsUnsigned(settings) ? [imcTexts.error("unavailable", "open")] : []),
    ...problem,
  });
}

function acceptsUnsigned({ encrypt_key_env, verification_token_env }: ImcSettings): boolean {
  return encrypt_key_env === "" && verification_token_env === "";
}
