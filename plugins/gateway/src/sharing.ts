import type { ChannelClaims, Clock, Logger, Nodes, Signals } from "@parley/core";
import { createHomeMoves, type HomeMoves } from "./home-moves.ts";
import { createTaking, type TakenMessage } from "./home-taking.ts";
import { type HomeStore, homeOfDelivery } from "./store/homes.ts";
import type { Delivery } from "./store/outbox.ts";

const TOPIC = "gateway-homes";
const STOP_TOPIC = "gateway-stop";
/** To whoever it may concern. */
const ALL = "*";
/** What nobody told of is found so much later. */
const SWEEP_MS = 2_000;
/** While homes are on their way. */
const LOOK_AGAIN_MS = 50;
/** Who stored something for a home that went just then told the node that had it. */
const PASS_ON_MS = 10_000;

export interface Receiver {
  message(taken: TakenMessage): void;
  deliveries(taken: readonly Delivery[]): void;
  /** All that was looked for is there. */
  pump(): void;
  /** Somebody stops a turn, or all of a session, at another node. */
  stop(sessionId: string, traceId: string | undefined, isGoing: boolean): void;
  /** Homes of which something is under way. */
  busy(): ReadonlySet<string>;
  /** What was to go stays: it goes on. */
  stayed(): void;
  /** Other nodes have these: nothing of them stays here. */
  forget(homes: ReadonlySet<string>): void;
  /** This process was taken for dead: nothing it does counts any more. */
  lost(): void;
}

/** A node at work. */
export interface SharedWork {
  /** Begins to give away all that the node has, as its turns end. */
  handOver(): void;
  /** Gives away what is left, and ends. */
  end(): Promise<void>;
}

/**
 * Several nodes, one queue. Each channel, and each conversation of the console, has a home: the one node that runs its turns
 * and sends what they say, from its memory, as a node that works alone does. Whichever node a message comes to stores it, in
 * nobody's memory yet; the home takes what is there in the order of storing, and so in the order in which senders got their
 * acknowledgements. A home stays where it is until its node is gone, or gives it away: when it stops or is drained, and a channel
 * where another node has fewer. It goes between two turns, when nothing of it is being sent, with all that waits. What a node
 * that is gone still wants to store the database refuses (see `Nodes`), so that no two ever work on one conversation.
 */
export interface Sharing extends ChannelClaims {
  readonly node: string;
  /** Nothing may leave a process that the others may have taken for dead. */
  isCounted(): boolean;
  /** True: other nodes take what comes in. */
  isDraining(): boolean;
  /** True: this node may begin something there. */
  mayWork(home: string): boolean;
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
  /** Takes what this node has to do, and goes on with that. */
  start(receiver: Receiver): Promise<SharedWork>;
}

export interface SharingParts {
  readonly nodes: Nodes;
  readonly signals: Signals;
  readonly homes: HomeStore;
  /** Stores signals. */
  readonly tell: (writes: ReturnType<Signals["telling"]>) => Promise<unknown>;
  /** The ids of all. */
  readonly channels: () => readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

interface Shared extends SharingParts {
  readonly own: Set<string>;
  readonly claimed: Set<(channelId: string) => void>;
  readonly releasing: Set<(channelId: string) => Promise<void>>;
  readonly told: (topic: string, key: string) => Promise<unknown>;
  /** Undefined before the start. */
  moves: HomeMoves | undefined;
  look: () => void;
  isLooking: () => boolean;
}

export function createSharing(parts: SharingParts): Sharing {
  const { nodes, signals, homes, tell, log } = parts;
  const shared: Shared = {
    ...parts,
    own: new Set(),
    claimed: new Set(),
    releasing: new Set(),
    told: (topic, key) => tell(signals.telling([{ topic, key }])),
    moves: undefined,
    look() {},
    isLooking: () => false,
  };
  const { own, claimed, releasing, told } = shared;
  const mayWork = (home: string) => own.has(home) && !nodes.isDraining() && shared.moves?.isLeaving(home) !== true;
  return {
    node: nodes.id,
    isCounted: nodes.isCounted,
    isDraining: nodes.isDraining,
    mayWork,
    isHere: (delivery) => mayWork(homeOfDelivery(delivery)),
    stored(node) {
      if (node !== nodes.id) told(TOPIC, node ?? ALL).catch((error) => log.debug("a node was not told", { error }));
      if (node === nodes.id || node === undefined) shared.look();
    },
    async reopened() {
      await homes.settle();
      await told(TOPIC, ALL);
      shared.look();
    },
    async claim(channelId) {
      if (own.has(channelId) || nodes.isDraining()) return mayWork(channelId);
      const isOwn = await homes.claim(channelId);
      if (isOwn) own.add(channelId);
      return isOwn;
    },
    onClaimed(heard) {
      claimed.add(heard);
      return () => void claimed.delete(heard);
    },
    onReleasing(heard) {
      releasing.add(heard);
      return () => void releasing.delete(heard);
    },
    async stopElsewhere(sessionId, traceId, isGoing) {
      const running = await homes.runningOf(sessionId);
      await told(STOP_TOPIC, JSON.stringify([sessionId, traceId ?? null, isGoing]));
      return running.filter((one) => traceId === undefined || one === traceId);
    },
    isQuiet: () => !shared.isLooking(),
    runningOf: homes.runningOf,
    start: (receiver) => startSharing(shared, receiver),
  };
}

async function startSharing(shared: Shared, receiver: Receiver): Promise<SharedWork> {
  const { nodes, homes, clock, log } = shared;
  const passOn = { untilMs: 0 };
  const moves = createMoves(shared, receiver, passOn);
  shared.moves = moves;
  const taking = createTaking({
    ...shared,
    receiver,
    took(home) {
      if (shared.own.has(home)) return;
      shared.own.add(home);
      for (const heard of shared.claimed) heard(home);
    },
  });
  const is = { stopping: false, over: false };
  let later: NodeJS.Timeout | undefined;
  const again = oneAtATime(receiver.pump, async () => {
    if (is.over || !nodes.isCounted()) return;
    try {
      await moves.plan(is.stopping);
      await moves.finish();
      if (!is.stopping) await taking.take();
    } catch (error) {
      log.warn("what waits for this node cannot be taken now", { error });
    }
    clearTimeout(later);
    if (moves.hasLeaving()) later = setTimeout(shared.look, LOOK_AGAIN_MS);
  });
  await homes.prepare();
  await homes.settle();
  const look = () => void again.run();
  const ends = hearOthers(shared, receiver, {
    gone: taking.gone,
    mayPassOn: () => clock.monotonic() < passOn.untilMs,
    lost() {
      is.over = true;
    },
  });
  shared.look = look;
  shared.isLooking = again.isRunning;
  await again.run();
  const sweep = setInterval(look, SWEEP_MS);
  return {
    handOver() {
      is.stopping = true;
      look();
    },
    async end() {
      is.over = true;
      clearInterval(sweep);
      shared.look = () => {};
      await again.settled();
      clearTimeout(later);
      for (const end of ends) end();
      if (!nodes.isCounted()) return;
      await moves.giveAll().catch((error) => log.warn("what this node has could not be given away", { error }));
    },
  };
}

function createMoves(shared: Shared, receiver: Receiver, passOn: { untilMs: number }): HomeMoves {
  const { nodes, homes, channels, own, claimed, releasing, told, clock, log } = shared;
  return createHomeMoves({
    nodes,
    homes,
    channels,
    clock,
    own,
    busy: receiver.busy,
    disconnect: (channelId) =>
      Promise.all([...releasing].map((heard) => heard(channelId))).catch((error) =>
        log.warn("a channel that goes to another node could not be closed", { channel: channelId, error }),
      ),
    given(those, to) {
      passOn.untilMs = clock.monotonic() + PASS_ON_MS;
      receiver.forget(those);
      for (const node of to) told(TOPIC, node).catch((error) => log.debug("a node was not told", { error }));
      log.info("homes went to other nodes", { count: those.size, to });
    },
    stayed(disconnected) {
      for (const home of disconnected) for (const heard of claimed) heard(home);
      receiver.stayed();
    },
    look: () => shared.look(),
  });
}

interface Hearing {
  gone(ids: readonly string[]): void;
  /** What it is told may be meant for a home that went away just now. */
  mayPassOn(): boolean;
  lost(): void;
}

function hearOthers(shared: Shared, receiver: Receiver, { gone, mayPassOn, lost }: Hearing): readonly (() => void)[] {
  const { nodes, signals, told, log } = shared;
  return [
    nodes.onGone((ids) => {
      gone(ids);
      shared.look();
    }),
    nodes.onDraining(() => {
      if (!nodes.isDraining()) receiver.stayed();
      shared.look();
    }),
    nodes.onLost(() => {
      lost();
      receiver.lost();
    }),
    signals.listen(TOPIC, (key) => {
      if (key === undefined || key === ALL || key === nodes.id) shared.look();
      if (key !== nodes.id || !mayPassOn()) return;
      told(TOPIC, ALL).catch((error) => log.debug("the nodes were not told", { error }));
    }),
    signals.listen(STOP_TOPIC, (key) => {
      if (key === undefined) return;
      const [sessionId, traceId, isGoing] = JSON.parse(key) as [string, string | null, boolean];
      receiver.stop(sessionId, traceId ?? undefined, isGoing);
    }),
  ];
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
