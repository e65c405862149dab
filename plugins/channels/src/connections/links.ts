import {
  type ChannelAdapter,
  type ChannelLink,
  type ChannelStatus,
  type Egress,
  LEFT_TO_NEXT,
  type LinkState,
  type LiveEvents,
  type Redaction,
  type SharedWindow,
} from "@parley/core";
import type { StoredChannel } from "../config/schema.ts";
import type { ChannelIoDeps } from "./channel-io.ts";
import { type ChannelTypes, createChannelTypes } from "./channel-types.ts";
import type { ClusterStates } from "./cluster-states.ts";
import { type ConnectionState, createConnectionStates } from "./connection-states.ts";
import { createOpenLink } from "./open-link.ts";

/** Maximum answer size, which includes files that platforms send. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

export interface LinksDeps extends Omit<ChannelIoDeps, "canSend"> {
  readonly adapters: () => readonly ChannelAdapter[];
  readonly egress: Egress;
  readonly events: LiveEvents;
  readonly redaction: Redaction;
  readonly random: () => number;
  /** Returns false for a channel that this process must not open. */
  readonly isOpenable: (channel: StoredChannel) => boolean;
  /** Resolves to false when another node owns the channel's connection. */
  readonly isOwnedHere: (channel: StoredChannel) => Promise<boolean>;
  /** Returns the window of unauthenticated webhooks in the last minute. */
  readonly webhookWindow: () => SharedWindow;
  /** Returns the states of other nodes; undefined on a single node. */
  readonly clusterStates?: () => ClusterStates | undefined;
  /** Setting `gateway.allow_private_outbound`, read for each request. */
  readonly mayReachPrivate: () => boolean;
}

/** The open links of this process, at most one for each channel. */
export interface Links extends ChannelTypes {
  /** Opens, closes or reopens the connection to match the row; changes of one channel run in order. */
  apply(channel: StoredChannel | undefined, id: string): Promise<void>;
  /** Opens the channel, or waits if it is being opened. Returns true when this call opened it. */
  ensure(channel: StoredChannel): Promise<boolean>;
  /** Closes the link until the next `apply`. */
  close(id: string): Promise<void>;
  /** Closes the link, so that another node can open it. */
  release(id: string): Promise<void>;
  /** Called when another node reported the state of its connection. */
  onRemoteStatus(id: string): void;
  link(id: string): ChannelLink | undefined;
  isOpen(id: string): boolean;
  /** True when an installed adapter serves the type. */
  serves(type: string): boolean;
  status(channel: Pick<StoredChannel, "id" | "enabled" | "transport">): ChannelStatus;
  /** The `fetch` with which links reach their platforms. */
  readonly fetch: typeof fetch;
  closeAll(): Promise<void>;
}

export function createLinks(deps: LinksDeps): Links {
  const { egress, log, isOpenable, mayReachPrivate } = deps;
  const types = createChannelTypes(deps.adapters);
  const connections = createConnectionStates(deps);
  const publicFetch = egress.fetch({ reach: "loopback", maxBytes: MAX_RESPONSE_BYTES });
  const privateFetch = egress.fetch({ reach: "private", maxBytes: MAX_RESPONSE_BYTES });
  const fetchFromPlatform: typeof fetch = (...request) => (mayReachPrivate() ? privateFetch : publicFetch)(...request);
  const open = createOpenLink({
    ...deps,
    types,
    connections,
    fetch: fetchFromPlatform,
    onRetry: (channel) => void runInOrder(channel.id, () => open(channel, connections.getOrCreate(channel.id))),
  });
  let isClosing = false;
  const close = async (connection: ConnectionState, reason?: unknown) => {
    clearTimeout(connection.retryTimer);
    connection.retryTimer = undefined;
    const { close: closing } = connection;
    connection.close = undefined;
    await closing?.(reason);
  };
  /** A change does not wait for a link that may never open. */
  const changeConnection = (id: string, work: () => Promise<void>) => {
    connections.getOrCreate(id).abandon?.();
    return runInOrder(id, work);
  };
  const runInOrder = (id: string, work: () => Promise<void>) => {
    const slot = connections.getOrCreate(id);
    slot.lastChange = slot.lastChange
      .then(work)
      .catch((error) => log.error("a channel could not be changed", { channel: id, error }));
    return slot.lastChange;
  };

  const applyChange = async (channel: StoredChannel | undefined, id: string) => {
    const slot = connections.getOrCreate(id);
    await close(slot);
    if (!channel) {
      connections.remove(id);
      return;
    }
    if (isClosing) return;
    if (channel.enabled && isOpenable(channel)) await open(channel, slot);
    else if (channel.enabled) connections.report(id, slot, { state: "stopped", connected: false });
    else connections.report(id, slot, { ...getLastProblem(slot), state: "disabled", connected: false });
  };

  return {
    ...types,
    fetch: fetchFromPlatform,
    apply: (channel, id) => changeConnection(id, () => applyChange(channel, id)),
    async ensure(channel) {
      let isNew = false;
      // A second caller waits for the pending opening instead of starting another.
      await runInOrder(channel.id, async () => {
        if (connections.getOrCreate(channel.id).close) return;
        isNew = true;
        await applyChange(channel, channel.id);
      });
      return isNew;
    },
    close: (id) =>
      changeConnection(id, async () => {
        const slot = connections.getOrCreate(id);
        await close(slot);
        connections.report(id, slot, { state: "stopped", connected: false });
      }),
    release: (id) =>
      changeConnection(id, async () => {
        const slot = connections.getOrCreate(id);
        await close(slot);
        connections.report(id, slot, { state: "stopped", connected: false });
        connections.markReleased(slot);
      }),
    link: (id) => connections.find(id)?.link,
    onRemoteStatus: connections.onRemoteStatus,
    status: connections.getStatus,
    serves: (type) => types.findAdapter(type) !== undefined,
    isOpen: (id) => connections.find(id)?.close !== undefined,
    async closeAll() {
      isClosing = true;
      await Promise.all(connections.list().map(([id, slot]) => changeConnection(id, () => close(slot, LEFT_TO_NEXT))));
    },
  };
}

// The problem stays readable after the channel is switched off.
function getLastProblem({ state: { error, detail } }: ConnectionState): Pick<LinkState, "error" | "detail"> {
  return error === undefined ? {} : { error, ...(detail && { detail }) };
}
