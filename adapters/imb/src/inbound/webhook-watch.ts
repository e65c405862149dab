import { type ChannelIo, DeliveryError, deliveryDetail, type ItemFailure, type LinkState } from "@parley/core";
import type { BotApi } from "../bot-api.ts";
import { getWebhookPath, type ImbSettings } from "../settings.ts";
import { imbTexts } from "../texts.ts";
import { toWebhookWarning } from "./webhook-warning.ts";

const CHECK_INTERVAL_MS = 300_000;
/** Interval of checks after a problem, which may have been repaired. */
const RECHECK_INTERVAL_MS = 30_000;

/** The platform's status of the registered webhook. */
export interface WebhookInfo {
  readonly url: string;
  readonly pending_update_count: number;
  readonly last_error_date?: number;
  readonly last_error_message?: string;
}

export function fetchWebhookInfo(api: BotApi, signal: AbortSignal): Promise<WebhookInfo> {
  return api.call<WebhookInfo>("getWebhookInfo", {}, signal);
}

/** Returns why the platform does not send to this service; undefined when it does. */
export function findWebhookProblem(
  { url }: Pick<WebhookInfo, "url">,
  { webhook_url }: Pick<ImbSettings, "webhook_url">,
  channelId: string,
): ItemFailure | undefined {
  if (url === "") return imbTexts.message("no_webhook");
  const there = URL.parse(url);
  const isOurs =
    webhook_url === ""
      ? [getWebhookPath(channelId), `/api/gateway/${channelId}/webhook`].some((path) => there?.pathname.endsWith(path))
      : there?.href === URL.parse(webhook_url)?.href;
  return isOurs ? undefined : imbTexts.message("sends_elsewhere", { host: there?.host ?? url });
}

/** Returns a warning that connecting removes the registered webhook; undefined when there is none. */
export function findOtherReader({ url }: Pick<WebhookInfo, "url">): ItemFailure | undefined {
  return url === "" ? undefined : imbTexts.message("webhook_in_use", { host: URL.parse(url)?.host ?? url });
}

/** Returns the platform's last delivery error while updates still wait; empty otherwise. */
export function listDeliveryWarnings(info: WebhookInfo): readonly ItemFailure[] {
  const { last_error_message, pending_update_count } = info;
  const isStuck = last_error_message !== undefined && pending_update_count > 0;
  return isStuck ? [toWebhookWarning(last_error_message)] : [];
}

/** State of the webhook: an error, or `receives` when it is known to work; with warnings about failed deliveries. */
export type WebhookState = Pick<LinkState, "error" | "detail" | "receives"> & {
  readonly warnings: readonly ItemFailure[];
};

export const UNKNOWN_STATE: WebhookState = { warnings: [] };

export interface WebhookWatch extends Disposable {
  /** Called for each update, which proves that the webhook works, whatever the platform reported. */
  onUpdate(): void;
}

export interface WebhookWatchDeps {
  readonly api: BotApi;
  readonly settings: ImbSettings;
  readonly channelId: string;
  readonly log: ChannelIo["log"];
  readonly onChange: (state: WebhookState) => void;
}

/** Checks at once and then regularly whether the platform sends to this service, since others may register another address. */
export function watchWebhook({ api, settings, channelId, log, onChange }: WebhookWatchDeps): WebhookWatch {
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let known = UNKNOWN_STATE;
  const updateState = (state: WebhookState) => {
    const isNew = JSON.stringify(state) !== JSON.stringify(known);
    known = state;
    if (isNew) onChange(state);
  };
  const check = async () => {
    try {
      const info = await fetchWebhookInfo(api, closing.signal);
      const problem = findWebhookProblem(info, settings, channelId);
      updateState(problem ? { ...problem, warnings: [] } : { receives: true, warnings: listDeliveryWarnings(info) });
    } catch (error) {
      if (closing.signal.aborted) return;
      if (DeliveryError.is(error) && error.failure === "auth") updateState(toFailedState(error));
      else log.debug("the platform does not report where it sends updates", { error });
    }
    if (closing.signal.aborted) return;
    timer = setTimeout(() => void check(), known.error === undefined ? CHECK_INTERVAL_MS : RECHECK_INTERVAL_MS);
    timer.unref();
  };
  void check();
  return {
    onUpdate: () => updateState({ receives: true, warnings: known.warnings }),
    [Symbol.dispose]() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

function toFailedState(error: DeliveryError): WebhookState {
  const detail = deliveryDetail(error);
  return { error: error.message, ...(detail && { detail }), warnings: [] };
}
