import { createHash } from "node:crypto";
import type { Clock, Nodes } from "@parley/core";
import type { HomeStore } from "./store/homes.ts";

/** More than one apart: each then gives one of its channels to whoever has fewest. */
const UNEVEN = 2;
const COMPARE_EVERY_MS = 2_000;

/** How homes go from this node to others while it runs. */
export interface HomeMoves {
  /** Nothing of it is begun any more. */
  isLeaving(home: string): boolean;
  /** True while some home is on its way. */
  hasLeaving(): boolean;
  /** Decides which homes go: all of a node that is drained or stops, else a channel where others have fewer. */
  plan(isStopping: boolean): Promise<void>;
  /** Gives away those of which nothing is under way. */
  finish(): Promise<void>;
  /** Gives away all that is left, whatever is under way there: its writes are refused. */
  giveAll(): Promise<void>;
}

export interface HomeMovesParts {
  readonly nodes: Pick<Nodes, "id" | "takers" | "isDraining">;
  readonly homes: Pick<HomeStore, "give" | "nodesOf">;
  /** The ids of all; each is a home. */
  readonly channels: () => readonly string[];
  readonly clock: Pick<Clock, "monotonic">;
  /** Of this node. */
  readonly own: Set<string>;
  /** Homes of which something is under way. */
  readonly busy: () => ReadonlySet<string>;
  /** Ends the connection of a channel. */
  readonly disconnect: (channelId: string) => Promise<unknown>;
  /** Others have these now. */
  readonly given: (homes: ReadonlySet<string>, to: readonly string[]) => void;
  /** Homes stay after all; of these the connection was ended. */
  readonly stayed: (disconnected: readonly string[]) => void;
  /** A connection has ended. */
  readonly look: () => void;
}

interface Leaving {
  readonly to: string;
  connection: "open" | "closing" | "closed";
}

export function createHomeMoves(parts: HomeMovesParts): HomeMoves {
  const { nodes, own, busy, clock } = parts;
  const leaving = new Map<string, Leaving>();
  let isEmptying = false;
  let comparedMs = -COMPARE_EVERY_MS;
  const isChannel = (home: string) => parts.channels().includes(home);
  const leave = (home: string, to: string) =>
    void leaving.set(home, { to, connection: isChannel(home) ? "open" : "closed" });
  const stay = () => {
    if (leaving.size === 0) return;
    const disconnected = [...leaving].filter(([home, { connection }]) => isChannel(home) && connection !== "open");
    leaving.clear();
    parts.stayed(disconnected.map(([home]) => home));
  };
  const give = async (those: readonly string[]) => {
    const given = await giveTo(parts, those, (home) => leaving.get(home)?.to);
    for (const home of given) {
      own.delete(home);
      leaving.delete(home);
    }
  };
  return {
    isLeaving: (home) => leaving.has(home),
    hasLeaving: () => leaving.size > 0,
    async plan(isStopping) {
      const takers = nodes.takers();
      const wasEmptying = isEmptying;
      isEmptying = (isStopping || nodes.isDraining()) && takers.length > 0;
      if (isEmptying) {
        for (const home of own) if (!leaving.has(home)) leave(home, fittest(home, takers));
      } else if (wasEmptying || takers.length === 0) stay();
      else if (leaving.size === 0 && clock.monotonic() - comparedMs >= COMPARE_EVERY_MS) {
        comparedMs = clock.monotonic();
        const move = await unevenChannel(parts, takers);
        if (move) leave(...move);
      }
    },
    async finish() {
      if (leaving.size === 0) return;
      const underWay = busy();
      const quiet = [...leaving].filter(([home]) => !underWay.has(home));
      for (const [home, one] of quiet) if (one.connection === "open") void end(parts, home, one);
      await give(quiet.flatMap(([home, { connection }]) => (connection === "closed" ? [home] : [])));
    },
    giveAll: () => give([...own]),
  };
}

async function end({ disconnect, look }: HomeMovesParts, home: string, one: Leaving): Promise<void> {
  one.connection = "closing";
  await disconnect(home);
  one.connection = "closed";
  look();
}

/** Whoever was to have it may be gone by now. */
async function giveTo(
  { nodes, homes, given }: HomeMovesParts,
  those: readonly string[],
  meant: (home: string) => string | undefined,
): Promise<readonly string[]> {
  const takers = nodes.takers();
  if (those.length === 0 || takers.length === 0) return [];
  const moves = Map.groupBy(those, (home) => {
    const to = meant(home);
    return to !== undefined && takers.includes(to) ? to : fittest(home, takers);
  });
  await homes.give(moves);
  given(new Set(those), [...moves.keys()]);
  return those;
}

/** One of the own channels, and the node that has at least two fewer. */
async function unevenChannel(
  { nodes, homes, busy, channels: all }: HomeMovesParts,
  takers: readonly string[],
): Promise<readonly [string, string] | undefined> {
  const channels = await homes.nodesOf(all());
  const countOf = (node: string) => channels.filter((one) => one.node === node).length;
  const [least, ...others] = takers.map((node) => ({ node, count: countOf(node) }));
  if (!least) return undefined;
  const fewest = others.reduce((found, one) => (one.count < found.count ? one : found), least);
  const own = channels.flatMap(({ home, node }) => (node === nodes.id ? [home] : []));
  if (own.length - fewest.count < UNEVEN) return undefined;
  const underWay = busy();
  const home = own.find((one) => !underWay.has(one)) ?? own[0];
  return home === undefined ? undefined : [home, fewest.node];
}

/** The same on every node, and each of them for about as many. */
function fittest(home: string, nodes: readonly string[]): string {
  const ranked = nodes.map((node) => ({ node, rank: createHash("sha256").update(`${home}\0${node}`).digest("hex") }));
  return ranked.reduce((found, one) => (one.rank > found.rank ? one : found)).node;
}
