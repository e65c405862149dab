import {
  type AppError,
  type ChannelIo,
  DeliveryError,
  deliveryDetail,
  type ItemFailure,
  itemFailure,
  type LinkState,
} from "@parley/core";
import type { BotApi } from "./bot-api.ts";
import { imbFailure } from "./said-failures.ts";
import { webhookTrouble } from "./said-warnings.ts";
import { type ImbSettings, imbWebhookPath } from "./settings.ts";

const LOOK_EVERY_MS = 300_000;
/** While nothing comes in: somebody may be mending it. */
const LOOK_AGAIN_MS = 30_000;

/** The platform's own account of the webhook that is registered. */
export interface WebhookInfo {
  readonly url: string;
  readonly pending_update_count: number;
  readonly last_error_date?: number;
  readonly last_error_message?: string;
}

export function askWebhook(api: BotApi, signal: AbortSignal): Promise<WebhookInfo> {
  return api.call<WebhookInfo>("getWebhookInfo", {}, signal);
}

/** Why the platform does not send here; undefined where it does. */
export function wayProblem(
  { url }: Pick<WebhookInfo, "url">,
  { webhook_url }: Pick<ImbSettings, "webhook_url">,
  channelId: string,
): AppError | undefined {
  if (url === "") return imbFailure("unavailable", "no_webhook");
  const there = URL.parse(url);
  const isOurs =
    webhook_url === ""
      ? [imbWebhookPath(channelId), `/api/gateway/${channelId}/webhook`].some((path) => there?.pathname.endsWith(path))
      : there?.href === URL.parse(webhook_url)?.href;
  return isOurs ? undefined : imbFailure("unavailable", "sends_elsewhere", { host: there?.host ?? url });
}

/** Returns the platform's last delivery error while updates still wait; empty otherwise. */
export function wayTrouble({ last_error_message, pending_update_count }: WebhookInfo): readonly ItemFailure[] {
  const isStuck = last_error_message !== undefined && pending_update_count > 0;
  return isStuck ? [webhookTrouble(last_error_message)] : [];
}

/** The state of the webhook: problems, and `receives` once it is known to work. */
export type WayState = Pick<LinkState, "error" | "detail" | "receives"> & { readonly trouble: readonly ItemFailure[] };

export const UNKNOWN: WayState = { trouble: [] };

export interface InboundWay extends Disposable {
  /** An update has come in: the way works, whatever the platform said. */
  arrived(): void;
}

export interface InboundWayDeps {
  readonly api: BotApi;
  readonly settings: ImbSettings;
  readonly channelId: string;
  readonly log: ChannelIo["log"];
  /** Called when something else is known than before. */
  readonly changed: (state: WayState) => void;
}

/** Watches whether the platform sends here: asked at once, and again now and then, for others may register another address. */
export function watchInboundWay({ api, settings, channelId, log, changed }: InboundWayDeps): InboundWay {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let known = UNKNOWN;
  const learn = (state: WayState) => {
    const isNew = JSON.stringify(state) !== JSON.stringify(known);
    known = state;
    if (isNew) changed(state);
  };
  const look = async () => {
    try {
      const info = await askWebhook(api, closing.signal);
      const problem = wayProblem(info, settings, channelId);
      learn(problem ? { ...itemFailure(problem), trouble: [] } : { receives: true, trouble: wayTrouble(info) });
    } catch (error) {
      if (closing.signal.aborted) return;
      if (DeliveryError.is(error) && error.failure === "auth") learn(failed(error));
      else log.debug("the platform does not say where it sends updates", { error });
    }
    if (closing.signal.aborted) return;
    timer = setTimeout(() => void look(), known.error === undefined ? LOOK_EVERY_MS : LOOK_AGAIN_MS);
    timer.unref();
  };
  void look();
  return {
    arrived: () => learn({ receives: true, trouble: known.trouble }),
    [Symbol.dispose]() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

function failed(error: DeliveryError): WayState {
  const detail = deliveryDetail(error);
  return { error: error.message, ...(detail && { detail }), trouble: [] };
}
