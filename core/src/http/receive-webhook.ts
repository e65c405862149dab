import { notFound, toSharedError } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type { ChannelConfig } from "../points/turn/channel-adapter.ts";
import type { WebhookRequest } from "../points/turn/channel-link.ts";
import type { Channels } from "../services/gateway/channels.ts";
import { type RawReply, type RouteRequest, rawReply } from "./route.ts";

/** Maximum body of a webhook: 1 MiB. */
export const MAX_WEBHOOK_BYTES = 1024 * 1024;

/**
 * Handles the webhook route of an adapter: finds the channel, passes the raw bytes to its connection and answers in
 * the platform's form. Rejects with `not_found` for an unknown channel or one that `serves` excludes,
 * `permission_denied` when it is switched off, `unavailable` while it has no connection, else with the connection's
 * error. `addressCheck` is for a route by which a platform checks the address. Rejections are recorded in the gateway log. The route needs `payload: "raw"`.
 */
export async function receiveWebhook(
  channels: Channels,
  channelId: string,
  request: Pick<RouteRequest, "parts" | "headers" | "address">,
  serves: (channel: ChannelConfig) => boolean = () => true,
  addressCheck: Pick<WebhookRequest, "method" | "query"> = {},
): Promise<RawReply> {
  try {
    return await handOverWebhook(channels, channelId, { ...toWebhookRequest(request), ...addressCheck }, serves);
  } catch (error) {
    if (!AppError.is(error)) throw error;
    const { code, message, retryAfterS } = error;
    throw new AppError(code, message, {
      cause: error,
      traceId: channels.refused(channelId, request.address, error),
      ...(retryAfterS !== undefined && { retryAfterS }),
    });
  }
}

async function handOverWebhook(
  channels: Channels,
  channelId: string,
  request: WebhookRequest,
  serves: (channel: ChannelConfig) => boolean,
): Promise<RawReply> {
  const channel = channels.get(channelId);
  if (!channel || !serves(channel)) throw notFound("channel", channelId);
  if (!channel.enabled) throw toSharedError("permission_denied", "channel_off", {}, { retryAfterS: 600 });
  const link = channels.link(channelId);
  if (!link?.receive) throw toSharedError("unavailable", "channel_not_connected", {}, { retryAfterS: 5 });
  const answer = await link.receive(request);
  return rawReply({
    status: answer.status ?? 200,
    type: answer.type ?? "application/json; charset=utf-8",
    body: answer.type === undefined ? JSON.stringify(answer.body) : String(answer.body),
  });
}

function toWebhookRequest({
  parts,
  headers,
  address,
}: Pick<RouteRequest, "parts" | "headers" | "address">): WebhookRequest {
  return { headers, address, body: parts[0]?.bytes ?? new Uint8Array() };
}
