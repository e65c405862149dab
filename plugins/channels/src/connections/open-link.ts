import {
  AppError,
  type ChannelAdapter,
  type ChannelLink,
  type LinkState,
  type SharedWindow,
  toSharedProblem,
} from "@parley/core";
import { settlesWithin } from "@parley/core/async";
import type { StoredChannel } from "../config/schema.ts";
import { validateSettings } from "../config/settings.ts";
import { createWebhookEndpoint, DEFAULT_OPEN_LIMIT } from "../inbound/webhook-endpoint.ts";
import { channelsTexts } from "../texts.ts";
import { type ChannelIoDeps, createChannelIos } from "./channel-io.ts";
import type { ChannelTypes } from "./channel-types.ts";
import type { ClusterStates } from "./cluster-states.ts";
import type { ConnectionState, ConnectionStates } from "./connection-states.ts";
import { openWithTimeout } from "./timeouts.ts";
import { wrapLink } from "./wrap-link.ts";

const MAX_BACKOFF_MS = 60_000;
const CLOSE_TIMEOUT_MS = 10_000;
const RELEASE_TIMEOUT_MS = 5_000;

export interface OpenLinkDeps extends Omit<ChannelIoDeps, "canSend"> {
  readonly types: ChannelTypes;
  readonly connections: ConnectionStates;
  readonly random: () => number;
  /** Returns the window of unauthenticated webhooks in the last minute. */
  readonly webhookWindow: () => SharedWindow;
  /** Resolves to false when another node owns the channel's connection. */
  readonly isOwnedHere: (channel: StoredChannel) => Promise<boolean>;
  /** Returns the states of other nodes; undefined on a single node. */
  readonly clusterStates?: () => ClusterStates | undefined;
  /** Requests to platforms. */
  readonly fetch: typeof fetch;
  /** Called to retry a connection that failed to open. */
  readonly onRetry: (channel: StoredChannel) => void;
}

/** Error codes of requests with a wrong secret or signature. */
const AUTH_ERROR_CODES: ReadonlySet<string> = new Set(["unauthorized", "permission_denied"]);

/** Opens a channel's link and reports the result; a failed attempt is retried with growing delays. */
export type OpenLink = (channel: StoredChannel, slot: ConnectionState) => Promise<void>;

export function createOpenLink(deps: OpenLinkDeps): OpenLink {
  const { types, connections, clock, log, random, webhookWindow, isOwnedHere, clusterStates } = deps;
  const canSend = (channel: StoredChannel) => types.findAdapter(channel.type)?.canSend?.(channel) ?? true;
  const ios = createChannelIos({ ...deps, canSend });
  const endpoint = createWebhookEndpoint(
    webhookWindow,
    log,
    clock,
    () => deps.gateway().addressLimit ?? DEFAULT_OPEN_LIMIT,
  );

  /** Returns the observed form of a channel's connection. */
  const observeLink = (
    channel: StoredChannel,
    channelWithDefaults: StoredChannel,
    link: ChannelLink,
    slot: ConnectionState,
  ) =>
    wrapLink(
      link,
      (receive, { accept, ...request }) => {
        const listener = connections.createListener(channel.id, slot);
        const given = accept
          ? { ...request, accept: ios.createAccept(channelWithDefaults, listener, accept) }
          : request;
        return endpoint.receive(channel, link, receive, given).catch((error: unknown) => {
          if (AppError.is(error) && AUTH_ERROR_CODES.has(error.code)) slot.lastRejectedMs = clock.now();
          throw error;
        });
      },
      () => {
        slot.lastOutboundMs = clock.now();
      },
    );
  const openAdapterLink = (
    channel: StoredChannel,
    adapter: ChannelAdapter,
    slot: ConnectionState,
    abort: AbortController,
  ) => {
    const io = ios.create(channel, connections.createListener(channel.id, slot), deps.fetch);
    return openWithTimeout(Promise.resolve(adapter.open(channel, io, abort.signal)), abort, (error) =>
      log.warn("an abandoned channel could not be closed", { channel: channel.id, error }),
    );
  };
  const reportFailure = (channel: StoredChannel, slot: ConnectionState, thrown: unknown) => {
    const { message: error } = thrown as Error;
    log.warn("a channel could not be opened", { channel: channel.id, error: thrown });
    const detail = AppError.is(thrown) ? thrown.detail : undefined;
    connections.report(channel.id, slot, { state: "error", connected: false, error, ...(detail && { detail }) });
    slot.attempts += 1;
    slot.retryTimer = setTimeout(
      () => deps.onRetry(channel),
      random() * Math.min(MAX_BACKOFF_MS, 500 * 2 ** slot.attempts),
    );
  };

  return async (channel, slot) => {
    const { id, type } = channel;
    const reportStarting = () => connections.report(id, slot, { state: "starting", connected: false });
    const adapter = types.findAdapter(type);
    const problem = findTypeProblem(types, type);
    if (!adapter || problem) return connections.report(id, slot, { state: "error", connected: false, ...problem });
    // Among several nodes only the owner reports the start.
    if (!clusterStates?.()) reportStarting();
    const { value: config, error, detail } = validateSettings(adapter, type, channel.config, { isStored: true });
    if (error)
      return connections.report(id, slot, { state: "error", connected: false, error, ...(detail && { detail }) });
    const completed = { ...channel, config };
    const abort = new AbortController();
    const closed = channelsTexts.error("unavailable", "closed_opening");
    slot.abandon = () => abort.abort(closed);
    try {
      if (!(await isOwnedHere(channel))) return connections.markReleased(slot);
      if (clusterStates?.()) reportStarting();
      const link = await openAdapterLink(completed, adapter, slot, abort);
      // Adapters may be third-party code, so their links are checked.
      if (typeof link?.send !== "function") throw channelsTexts.error("unavailable", "no_link");
      const observed = observeLink(channel, completed, link, slot);
      const connection = deps.gateway().connect(channel, observed, adapter.idempotency);
      slot.link = observed;
      slot.attempts = 0;
      slot.close = async (reason) => {
        abort.abort(reason);
        slot.link = undefined;
        await settlesWithin(Promise.all([connection[Symbol.asyncDispose]()]), CLOSE_TIMEOUT_MS);
        const isReleased = await settlesWithin(Promise.resolve(link[Symbol.asyncDispose]()), RELEASE_TIMEOUT_MS);
        if (!isReleased) log.warn("a channel's link did not close in time", { channel: id, type });
      };
      if (slot.state.state === "starting") connections.report(id, slot, { state: "running", connected: true });
    } catch (thrown) {
      if (abort.signal.reason !== closed) reportFailure(channel, slot, thrown);
    } finally {
      slot.abandon = undefined;
    }
  };
}

/** Returns the reason no connection of a type can be opened; else undefined. */
function findTypeProblem(types: ChannelTypes, type: string): Pick<LinkState, "error" | "detail"> | undefined {
  if (!types.findAdapter(type)) return toSharedProblem("channel_type_unserved", { type });
  const suggestion = types.suggestType(type);
  return suggestion === undefined ? undefined : toSharedProblem("channel_type_near", { type, near: suggestion });
}
