import {
  AppError,
  type ChannelIo,
  DeliveryError,
  type ErrorCode,
  type ItemFailure,
  type LinkState,
} from "@parley/core";
import { sleep } from "@parley/core/async";
import { type ConnectionStatus, keepConnected, STOPPED_CONNECTION } from "@parley/core/channels";
import type { BotApi } from "../bot-api.ts";
import { imbTexts } from "../texts.ts";
import type { Update } from "./update.ts";
import { ALLOWED_UPDATES, checkUpdate, getMessage, isUpdate } from "./updates.ts";
import { fetchWebhookInfo } from "./webhook-watch.ts";

/** Seconds that the platform holds a request open while there is nothing new. */
const POLL_S = 50;
/** Time without an answer after which the connection counts as dead and another one is opened. */
const STALLED_AFTER_MS = 90_000;
const MAX_UPDATES = 100;
/** Pause after another program or a webhook took the updates, so that two programs do not interrupt each other all the time. */
const CONFLICT_PAUSE_S = 30;
/** Least time between two requests without updates. */
const IDLE_PAUSE_MS = 1_000;
/** Pause after the service could not store an update, unless it says for how long. */
const RETRY_PAUSE_S = 5;
const CONFLICT_CODE = "409";

export interface PollingDeps {
  readonly api: BotApi;
  readonly io: Pick<ChannelIo, "report" | "log">;
  /** Handles one update. Resolves when it is stored; it is confirmed to the platform only then. */
  readonly receive: (update: Update) => Promise<void>;
  readonly onStatus: (status: ConnectionStatus) => void;
  readonly now: () => number;
}

/**
 * Polls the bot's updates until it is disposed, and reports the state. An update is confirmed by the next request, after it was
 * stored, so one that was not stored comes again after a crash. The first connection removes a registered webhook, since the
 * platform does not allow both; updates that waited for it arrive here.
 */
export function pollUpdates(deps: PollingDeps): AsyncDisposable {
  const { api, io, receive } = deps;
  const { setWarning, onEvent, onClosed, report } = createStatusReporter(deps);
  let mayRemoveWebhook = true;
  const connection = keepConnected({
    io: { report },
    async connect(opened, signal) {
      try {
        if (mayRemoveWebhook) setWarning(await removeWebhook(api, signal));
        mayRemoveWebhook = false;
        await readUpdates({ api, opened, signal, receiveAll: createBatchReceiver(io, receive, onEvent) });
      } catch (error) {
        throw toConflict(error);
      }
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      onClosed();
    },
  };
}

/** Creates the reporter of the connection's state, to the operator and to `onStatus`; a warning stays until it is replaced. */
function createStatusReporter({ io, onStatus, now }: PollingDeps) {
  let status: ConnectionStatus = { ...STOPPED_CONNECTION, state: "connecting" };
  let warning: ItemFailure | undefined;
  const getTime = () => new Date(now()).toISOString();
  const update = (fields: Partial<ConnectionStatus>) => {
    status = { ...status, ...fields };
    onStatus(status);
  };
  update({});
  return {
    setWarning(found: ItemFailure | undefined) {
      warning = found;
    },
    onEvent: () => update({ last_event_at: getTime() }),
    onClosed: () => update({ state: "stopped" }),
    report({ connected, ...state }: LinkState) {
      if (connected) update({ state: "connected", connected_at: getTime() });
      else update({ state: "error", reconnects: status.reconnects + (status.state === "connected" ? 1 : 0) });
      const warnings = warning ? [warning] : [];
      io.report({
        ...{ connected, receives: connected, ...state },
        warnings: warnings.map(({ error }) => error),
        warningDetails: warnings.map(({ detail }) => detail ?? null),
      });
    },
  };
}

/** Removes the registered webhook and keeps its waiting updates; returns a warning about it, or undefined when there was none. */
async function removeWebhook(api: BotApi, signal: AbortSignal): Promise<ItemFailure | undefined> {
  const { url } = await fetchWebhookInfo(api, signal);
  if (url === "") return undefined;
  await api.call("deleteWebhook", { drop_pending_updates: false }, signal);
  return imbTexts.message("webhook_removed", { host: URL.parse(url)?.host ?? url });
}

interface Reading {
  readonly api: BotApi;
  readonly opened: () => void;
  readonly signal: AbortSignal;
  readonly receiveAll: ReceiveAll;
}

/** Reads updates until the signal aborts or a request fails. The first request returns at once, which proves the connection. */
async function readUpdates({ api, opened, signal, receiveAll }: Reading): Promise<void> {
  let offset: number | undefined;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const requestedAtMs = performance.now();
    const body = { ...(offset !== undefined && { offset }), timeout: isFirst ? 0 : POLL_S, limit: MAX_UPDATES };
    const updates = await api.call<unknown>("getUpdates", { ...body, allowed_updates: ALLOWED_UPDATES }, signal, {
      timeoutMs: STALLED_AFTER_MS,
    });
    if (isFirst) opened();
    const { next, pauseMs } = await receiveAll(Array.isArray(updates) ? updates.filter(isUpdate) : [], signal);
    offset = next ?? offset;
    // A server that does not hold requests open, or sends what are no updates, is not asked without end.
    const isIdle = !isFirst && next === undefined && performance.now() - requestedAtMs < IDLE_PAUSE_MS;
    await sleep(isIdle ? IDLE_PAUSE_MS : pauseMs, signal);
  }
}

/** Receives updates; returns the id of the first one that is not confirmed yet, and a pause before the next request. */
type ReceiveAll = (
  updates: readonly Update[],
  signal: AbortSignal,
) => Promise<{ readonly next: number | undefined; readonly pauseMs: number }>;

/** An update that the service could not store, and the seconds until it may. */
interface UnstoredUpdate {
  readonly id: number;
  readonly pauseS: number;
}

/**
 * Creates the receiver of a batch: the updates of one chat in order, chats side by side. One that cannot be stored now holds back
 * its chat and is requested again; one that cannot be read is skipped.
 */
function createBatchReceiver(
  io: Pick<ChannelIo, "log">,
  receive: PollingDeps["receive"],
  onEvent: () => void,
): ReceiveAll {
  return async (updates, signal) => {
    const chats = [...Map.groupBy(updates, (one) => getMessage(one)?.chat?.id).values()];
    const receiving = chats.map((ofChat) => receiveChat(ofChat, { ...io, receive, onEvent, signal }));
    const unstored = (await Promise.all(receiving)).filter((one) => one !== undefined);
    if (unstored.length === 0) return { next: findNext(updates), pauseMs: 0 };
    const pauseS = Math.max(...unstored.map((one) => one.pauseS));
    return { next: Math.min(...unstored.map(({ id }) => id)), pauseMs: pauseS * 1_000 };
  };
}

/** Returns the id after those of the updates; undefined without any. */
function findNext(updates: readonly Update[]): number | undefined {
  return updates.length === 0 ? undefined : Math.max(...updates.map(({ update_id }) => update_id)) + 1;
}

interface ChatReceiving extends Pick<ChannelIo, "log"> {
  readonly receive: PollingDeps["receive"];
  readonly onEvent: () => void;
  readonly signal: AbortSignal;
}

/** Receives the updates of one chat until one cannot be stored, which is returned. */
async function receiveChat(
  updates: readonly Update[],
  { log, receive, onEvent, signal }: ChatReceiving,
): Promise<UnstoredUpdate | undefined> {
  for (const update of updates) {
    if (signal.aborted) return undefined;
    const { update_id: id } = update;
    try {
      await receive(checkUpdate(update));
      onEvent();
    } catch (error) {
      if (isOwnFault(error)) {
        log.warn("an update cannot be read and is skipped", { update: id, error });
        continue;
      }
      log.warn("an update could not be stored and is requested again", { update: id, error });
      return { id, pauseS: (AppError.is(error) ? error.retryAfterS : undefined) ?? RETRY_PAUSE_S };
    }
  }
  return undefined;
}

const PASSING_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "unavailable",
  "timed_out",
  "rate_limited",
  "upstream_failed",
  "internal",
]);

/** True when the update itself is the reason, so that requesting it again would change nothing. */
function isOwnFault(error: unknown): boolean {
  return AppError.is(error) && !PASSING_CODES.has(error.code);
}

/** Explains the platform's 409: another program polls the bot, or a webhook was registered again. */
function toConflict(error: unknown): unknown {
  if (!DeliveryError.is(error) || error.platformCode !== CONFLICT_CODE) return error;
  const key = /webhook/i.test(error.message) ? "webhook_again" : "other_poller";
  return imbTexts.error("conflict", key, {}, { cause: error, retryAfterS: CONFLICT_PAUSE_S });
}
