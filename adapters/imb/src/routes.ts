import Joi from "@hapi/joi";
import {
  type Channels,
  DeliveryError,
  deliveryDetail,
  type Egress,
  localizeMessage,
  MAX_WEBHOOK_BYTES,
  notFound,
  type RouteTable,
  receiveWebhook,
  route,
  toSharedError,
} from "@parley/core";
import { type ConnectionStatus, createConnectionRoutes } from "@parley/core/channels";
import { type BotApi, createBotApi } from "./bot-api.ts";
import { ALLOWED_UPDATES } from "./inbound/updates.ts";
import { toWebhookWarning } from "./inbound/webhook-warning.ts";
import { fetchWebhookInfo } from "./inbound/webhook-watch.ts";
import { acknowledged, webhookData } from "./response-schemas.ts";
import { getApiBase, getWebhookPath, type ImbSettings } from "./settings.ts";
import { imbTexts } from "./texts.ts";

const MAX_CONNECTIONS = 20;
const ALLOWED_PORTS = ["", "443", "80", "88", "8443"];

export interface RouteDeps {
  readonly channels: () => Channels;
  readonly connections: ReadonlyMap<string, ConnectionStatus>;
  readonly egress: Egress;
}

export function createImbRoutes(deps: RouteDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/channels/imB/{channel_id}/webhook",
      summary: "imB inbound webhook, checked by the secret header",
      data: acknowledged,
      auth: "open",
      reply: "raw",
      payload: "raw",
      maxBytes: MAX_WEBHOOK_BYTES,
      busy: ({ params, address }) => deps.channels().busy(params.channel_id, address),
      run: (request) =>
        receiveWebhook(deps.channels(), request.params.channel_id, request, ({ type }) => type === "imB"),
    }),
    route({
      method: "POST",
      path: "/api/channels/imB/{channel_id}/set-webhook",
      summary: "register the webhook URL with imB",
      data: webhookData,
      scope: "admin",
      body: Joi.object<{ readonly webhook_url?: string }>({ webhook_url: Joi.string().max(2_048) }),
      timeoutMs: 30_000,
      run: ({ params, body, signal }) => setWebhook(deps, params.channel_id, body.webhook_url, signal),
    }),
    ...createConnectionRoutes({
      path: "/api/channels/{channel_id}/polling",
      name: "polling of an imB channel",
      channels: deps.channels,
      connections: deps.connections,
      serves: ({ type, transport }) => type === "imB" && transport === "polling",
      assertReady({ id, config }) {
        const { bot_token_env: variable } = config as unknown as ImbSettings;
        if (!deps.channels().secret(id, variable)) throw toSharedError("unavailable", "variable_not_set", { variable });
      },
    }),
  ];
}

/** Registers the webhook at the platform, and stores its URL once accepted. */
async function setWebhook(
  { channels, egress }: RouteDeps,
  id: string,
  providedUrl: string | undefined,
  signal: AbortSignal,
) {
  const channel = channels().get(id);
  if (channel?.type !== "imB") throw notFound("channel", id);
  const settings = channel.config as unknown as ImbSettings;
  const webhook_url = validateWebhookUrl(providedUrl ?? settings.webhook_url, getWebhookPath(id));
  const getSecret = (variable: string) => channels().secret(id, variable);
  const secret = readSecretToken(getSecret, settings);
  if (!getSecret(settings.bot_token_env))
    throw toSharedError("unavailable", "variable_not_set", { variable: settings.bot_token_env });
  const api = createBotApi({
    base: getApiBase(settings),
    token: () => getSecret(settings.bot_token_env),
    tokenVariable: settings.bot_token_env,
    fetch: egress.fetch({ reach: "loopback" }),
  });
  try {
    await api.call(
      "setWebhook",
      {
        url: webhook_url,
        ...(secret !== undefined && { secret_token: secret }),
        allowed_updates: ALLOWED_UPDATES,
        max_connections: MAX_CONNECTIONS,
        drop_pending_updates: false,
      },
      signal,
    );
    const state = await readWebhookState(api, webhook_url, signal);
    await channels().configure(id, { webhook_url }, "webhook");
    if (channel.transport === "webhook" && webhook_url === settings.webhook_url && channel.enabled)
      await reopenLink(channels(), id);
    return { webhook_url, ...state };
  } catch (error) {
    if (!DeliveryError.is(error)) throw error;
    const isLate = signal.aborted || /timeout/i.test(error.message);
    const reason = localizeMessage(error.message, deliveryDetail(error));
    throw imbTexts.error(isLate ? "timed_out" : "upstream_failed", "platform", { reason }, { cause: error });
  }
}

/** Reopens a link, so that the platform is queried again. */
async function reopenLink(channels: Channels, id: string): Promise<void> {
  await channels.close(id);
  await channels.open(id);
}

/** Reads the status of the new webhook from the platform; a failure does not undo the registration. */
async function readWebhookState(api: BotApi, webhook_url: string, signal: AbortSignal) {
  try {
    const info = await fetchWebhookInfo(api, signal);
    const { url, pending_update_count, last_error_date, last_error_message } = info;
    if (url !== webhook_url) throw imbTexts.error("upstream_failed", "other_address");
    const trouble = last_error_message === undefined ? undefined : toWebhookWarning(last_error_message).detail;
    return {
      result: { url, pending_update_count, last_error_date, last_error_message, last_error_detail: trouble },
    };
  } catch (error) {
    if (!DeliveryError.is(error)) throw error;
    const warning = `the webhook is set, but the platform did not report its status: ${error.message}`;
    return { result: { url: webhook_url }, warning };
  }
}

function validateWebhookUrl(text: string, path: string): string {
  const url = URL.parse(text);
  if (!url) throw imbTexts.error("bad_request", "no_address", {}, { field: "webhook_url" });
  if (url.protocol !== "https:") throw imbTexts.error("bad_request", "https", {}, { field: "webhook_url" });
  if (url.username || url.password || url.hash)
    throw imbTexts.error("bad_request", "no_user", {}, { field: "webhook_url" });
  if (!ALLOWED_PORTS.includes(url.port)) throw imbTexts.error("bad_request", "port", {}, { field: "webhook_url" });
  if (!url.pathname.endsWith(path))
    throw imbTexts.error("bad_request", "other_end", { path }, { field: "webhook_url" });
  return url.href;
}

function readSecretToken(
  secretFor: (variable: string) => string | undefined,
  { secret_token_env: name }: ImbSettings,
): string | undefined {
  if (name === "") return undefined;
  const secret = secretFor(name);
  if (!secret) throw toSharedError("unavailable", "variable_not_set", { variable: name });
  if (!/^[A-Za-z0-9_-]{1,256}$/.test(secret)) {
    throw imbTexts.error("bad_request", "secret_letters", { variable: name });
  }
  return secret;
}
