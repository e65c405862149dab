import type { ChannelClaims, Clock, InboundMessage, Logger, Nodes, Signals } from "@parley/core";
import { type HomeStore, homeOfDelivery, type TakenItem } from "./store/homes.ts";
import type { WaitingItem } from "./store/inbox.ts";
import { type Delivery, deliveryOf } from "./store/outbox.ts";

const TOPIC = "gateway-homes";
const STOP_TOPIC = "gateway-stop";
/** To whoever it may concern. */
const ALL = "*";
/** What nobody told of is found so much later. */
const SWEEP_MS = 2_000;
/** What waits for longer was there before its node: it is taken at the pace of a backlog. */
const BACKLOG_MS = 60_000;

/** A message that came to this node or another one, and waits in this one's memory from now on. */
export interface TakenMessage {
  readonly item: WaitingItem;
  /** Undefined: it has waited for long, and is read when it runs. */
  readonly message: InboundMessage | undefined;
}

export interface Receiver {
  message(taken: TakenMessage): void;
  deliveries(taken: readonly Delivery[]): void;
  /** All that was looked for is there. */
  pump(): void;
  /** Somebody stops a turn, or all of a session, at another node. */
  stop(sessionId: string, traceId: string | undefined, isGoing: boolean): void;
  /** This process was taken for dead: nothing it does counts any more. */
  lost(): void;
}

/**
 * Several nodes, one queue. Each channel, and each conversation of the console, has a home: the one node that runs its turns
 * and sends what they say, from its memory, as a node that works alone does. Whichever node a message comes to stores it, in
 * nobody's memory yet; the home takes what is there in the order of storing, and so in the order in which senders got their
 * acknowledgements. A home stays where it is until its node is gone. What a node that is gone still wants to store the database
 * refuses (see `Nodes`), so that no two ever work on one conversation.
 */
export interface Sharing extends ChannelClaims {
  readonly node: string;
  /** Nothing may leave a process that the others may have taken for dead. */
  isCounted(): boolean;
  /** True: this node sends it. */
  isHere(delivery: Pick<Delivery, "channelId" | "message">): boolean;
  /** Something was stored for the home that `node` has; undefined: it is not known which. */
  stored(node: string | undefined): void;
  /** Something that was given up is open again. */
  reopened(): Promise<void>;
  /** True when this node has taken all that it was told of. */
  isQuiet(): boolean;
  /** Has a turn stopped wherever it runs; gives the trace ids of what runs elsewhere. */
  stopElsewhere(sessionId: string, traceId: string | undefined, isGoing: boolean): Promise<readonly string[]>;
  runningOf: HomeStore["runningOf"];
  /** Takes what this node has to do, and goes on with that; returns the end of it. */
  start(receiver: Receiver): Promise<() => Promise<void>>;
}

export interface SharingParts {
  readonly nodes: Nodes;
  readonly signals: Signals;
  readonly homes: HomeStore;
  /** Stores signals. */
  readonly tell: (writes: ReturnType<Signals["telling"]>) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createSharing({ nodes, signals, homes, tell, clock, log }: SharingParts): Sharing {
  const own = new Set<string>();
  const claimed = new Set<(channelId: string) => void>();
  let look: () => void = () => {};
  let isLooking = () => false;
  const told = (topic: string, key: string) => tell(signals.telling([{ topic, key }]));
  const took = (home: string) => {
    if (own.has(home)) return;
    own.add(home);
    for (const heard of claimed) heard(home);
  };
  return {
    node: nodes.id,
    isCounted: nodes.isCounted,
    isHere: (delivery) => own.has(homeOfDelivery(delivery)),
    stored(node) {
      if (node !== nodes.id) told(TOPIC, node ?? ALL).catch((error) => log.debug("a node was not told", { error }));
      if (node === nodes.id || node === undefined) look();
    },
    async reopened() {
      await homes.settle();
      await told(TOPIC, ALL);
      look();
    },
    async claim(channelId) {
      const isOwn = own.has(channelId) || (await homes.claim(channelId));
      if (isOwn) own.add(channelId);
      return isOwn;
    },
    onClaimed(heard) {
      claimed.add(heard);
      return () => void claimed.delete(heard);
    },
    async stopElsewhere(sessionId, traceId, isGoing) {
      const running = await homes.runningOf(sessionId);
      await told(STOP_TOPIC, JSON.stringify([sessionId, traceId ?? null, isGoing]));
      return running.filter((one) => traceId === undefined || one === traceId);
    },
    isQuiet: () => !isLooking(),
    runningOf: homes.runningOf,
    async start(receiver) {
      const gone = new Set<string>();
      /** A node that is gone leaves nothing later. */
      const takenOver = new Set<string>();
      let isStopped = false;
      const taking = async () => {
        const left = [...gone].filter((id) => !takenOver.has(id));
        for (const home of await homes.takeOver(left)) took(home);
        for (const id of left) takenOver.add(id);
        const { items, deliveries, homes: held } = await homes.take();
        for (const home of held) took(home);
        for (const row of items) receiver.message(takenOf(row, clock));
        const open = deliveries.map(deliveryOf);
        receiver.deliveries(
          open.map((one) => (one.state === "sending" ? { ...one, state: "unknown_after_send" } : one)),
        );
      };
      const again = oneAtATime(receiver.pump, async () => {
        if (isStopped || !nodes.isCounted()) return;
        await taking().catch((error) => log.warn("what waits for this node cannot be taken now", { error }));
      });
      await homes.prepare();
      await homes.settle();
      const ends = [
        nodes.onGone((ids) => {
          for (const id of ids) gone.add(id);
          look();
        }),
        nodes.onLost(() => {
          isStopped = true;
          receiver.lost();
        }),
        signals.listen(TOPIC, (key) => {
          if (key === undefined || key === ALL || key === nodes.id) look();
        }),
        signals.listen(STOP_TOPIC, (key) => {
          if (key === undefined) return;
          const [sessionId, traceId, isGoing] = JSON.parse(key) as [string, string | null, boolean];
          receiver.stop(sessionId, traceId ?? undefined, isGoing);
        }),
      ];
      look = () => void again.run();
      isLooking = again.isRunning;
      await again.run();
      const sweep = setInterval(look, SWEEP_MS);
      return async () => {
        isStopped = true;
        clearInterval(sweep);
        for (const end of ends) end();
        look = () => {};
        await again.settled();
      };
    },
  };
}

/** Whoever asks while it runs has it run once more after that. */
function oneAtATime(over: () => void, work: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const run = (): Promise<void> => {
    isWanted = true;
    running ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    })().finally(() => {
      running = undefined;
      if (isWanted) void run();
      else over();
    });
    return running;
  };
  return { run, isRunning: () => running !== undefined, settled: () => running ?? Promise.resolve() };
}

function takenOf(row: TakenItem, clock: Clock): TakenMessage {
  const ageMs = Math.max(0, clock.now() - Number(row.received_ms));
  const isBacklog = ageMs > BACKLOG_MS;
  const message = isBacklog ? undefined : (JSON.parse(row.message) as InboundMessage);
  const item = {
    id: row.id,
    traceId: row.trace_id,
    channelId: row.channel_id,
    sessionId: row.session_id,
    // How old it is only the clock on the wall can say.
    sinceMs: clock.monotonic() - ageMs,
    // Nothing was done with it since it was stored.
    isFirst: row.runs === 0 && row.updated_ms === row.received_ms,
  };
  return { item: isBacklog ? { ...item, isBacklog } : item, message };
}
