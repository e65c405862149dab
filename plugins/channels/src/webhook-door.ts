import {
  AppError,
  type ChannelConfig,
  type ChannelLink,
  type Clock,
  createSlidingWindow,
  type WebhookAnswer,
  type WebhookRequest,
} from "@parley/core";

const MINUTE_MS = 60_000;
/** Requests a minute of one address that did not hold a secret. */
const FAILED = 20;
/** Requests a minute of one address on a webhook that asks for none. */
const UNPROVEN = 60;
const REFUSED = new Set(["unauthorized", "permission_denied"]);

/** Stands before the webhooks: an address that guesses, or that nobody vouches for, is told to wait (gateway-delivery §7). */
export interface WebhookDoor {
  /** As the link's `receive`; `rate_limited` before anything is looked at. */
  receive(
    channel: Pick<ChannelConfig, "id" | "config">,
    link: Pick<ChannelLink, "isOpen">,
    receive: (request: WebhookRequest) => Promise<WebhookAnswer>,
    request: WebhookRequest,
  ): Promise<WebhookAnswer>;
}

export function createWebhookDoor(clock: Clock): WebhookDoor {
  const window = createSlidingWindow(MINUTE_MS, () => clock.monotonic());
  const refuseOver = (key: string, most: number) => {
    const waitMs = most === 0 ? 0 : window.waitMs(key, most);
    if (waitMs === 0) return;
    throw new AppError("rate_limited", "too many requests of this address", { retryAfterS: Math.ceil(waitMs / 1000) });
  };
  return {
    async receive({ id, config }, { isOpen }, receive, request) {
      // Somebody whom the service knows hands it in for the platform.
      if (request.isVerified) return receive(request);
      const failures = `failed ${request.address}`;
      refuseOver(failures, FAILED);
      if (isOpen) {
        const { ip = UNPROVEN } = (config.rate_limits ?? {}) as { readonly ip?: number };
        const key = `open ${id} ${request.address}`;
        refuseOver(key, ip);
        window.count(key);
      }
      try {
        return await receive(request);
      } catch (error) {
        if (AppError.is(error) && REFUSED.has(error.code)) window.count(failures);
        throw error;
      }
    },
  };
}
