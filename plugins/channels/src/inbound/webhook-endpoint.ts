import {
  AppError,
  type ChannelConfig,
  type ChannelLink,
  type Clock,
  type Logger,
  type SharedWindow,
  type WebhookAnswer,
  type WebhookRequest,
} from "@parley/core";
import { createMemoryWindow, networkOf } from "@parley/core/limits";
import { withAckTimeout } from "../connections/timeouts.ts";
import { channelsTexts } from "../texts.ts";

const MINUTE_MS = 60_000;
/** Requests with a wrong secret per minute, address and channel. */
const MAX_FAILED_PER_MINUTE = 20;
const AUTH_ERROR_CODES = new Set(["unauthorized", "permission_denied"]);

/**
 * Rate limit in front of webhooks: addresses that guess secrets or post without one are throttled. A correct secret
 * always passes, independent of others at the same address.
 */
export interface WebhookEndpoint {
  /** Receives a webhook like the connection's `receive`, but rejects with `rate_limited` after too many failures. */
  receive(
    channel: Pick<ChannelConfig, "id" | "config">,
    link: Pick<ChannelLink, "isOpen">,
    receive: (request: WebhookRequest) => Promise<WebhookAnswer>,
    request: WebhookRequest,
  ): Promise<WebhookAnswer>;
}

/** Requests per minute and address on a webhook without a secret, unless configured. */
export const DEFAULT_OPEN_LIMIT = 60;

/** Creates the endpoint; `window` is of one minute. Requests with the right secret are not counted. */
export function createWebhookEndpoint(
  window: () => SharedWindow,
  log: Logger,
  clock: Pick<Clock, "monotonic">,
  openLimit: () => number = () => DEFAULT_OPEN_LIMIT,
): WebhookEndpoint {
  let hasWarned = false;
  const localWindow = createMemoryWindow(MINUTE_MS, () => clock.monotonic());
  /** Counts a failed secret; falls back to the local window when the shared one is unavailable, so guessing stays limited. */
  const countFailure = (key: string) =>
    withAckTimeout(window().use(key, MAX_FAILED_PER_MINUTE)).catch((error) => {
      if (AppError.is(error) && error.code === "rate_limited") throw error;
      return localWindow.use(key, MAX_FAILED_PER_MINUTE);
    });
  const assertWithinLimit = (waitMs: number) => {
    if (waitMs === 0) return;
    throw channelsTexts.error("rate_limited", "too_often", {}, { retryAfterS: Math.ceil(waitMs / 1000) });
  };
  /** Warns once when requests come through an untrusted proxy: all senders then share one address and its limits. */
  const warnAboutProxy = ({ headers, address }: WebhookRequest) => {
    const forwarded = headers["x-forwarded-for"];
    if (hasWarned || forwarded === undefined || parseHops(forwarded).includes(address)) return;
    hasWarned = true;
    log.warn(
      "webhooks come with X-Forwarded-For from an address that is not trusted: if it is your proxy, name it in web.trusted_proxies",
      { address },
    );
  };
  return {
    async receive({ id, config }, { isOpen }, receive, request) {
      // An authorized caller passes on the platform's request, so no secret has to be checked.
      if (request.isVerified) return receive(request);
      warnAboutProxy(request);
      if (isOpen) {
        const { ip = openLimit() } = (config.rate_limits ?? {}) as { readonly ip?: number };
        if (ip > 0) assertWithinLimit(await window().use(`open ${id} ${networkOf(request.address)}`, ip));
      }
      try {
        return await receive(request);
      } catch (error) {
        if (AppError.is(error) && AUTH_ERROR_CODES.has(error.code))
          assertWithinLimit(await countFailure(`failed ${id} ${networkOf(request.address)}`));
        throw error;
      }
    },
  };
}

function parseHops(header: string): readonly string[] {
  return header.split(",").map((hop) => hop.trim().replace(/^::ffff:/, ""));
}
