import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { DATABASE_FILE } from "../harness/chosen-storage.ts";
import type { ParleyProcess } from "../harness/process.ts";
import { CHANNELS, checkNodes, ROOMS } from "./check-nodes.ts";
import { type NodesWorld, SAY_PATTERN, startNodesWorld } from "./nodes-world.ts";
import { readOutcomes, waitUntilSettled } from "./outcomes.ts";

const HEADERS = {
  "content-type": "application/json",
  "x-svc-token": "sesame",
  "x-imb-bot-api-secret-token": "imb-secret",
};
const SAY_EVERY_MS = 300;
const POLL_INTERVAL_MS = 25;
const RECOVERY_TIMEOUT_MS = 60_000;

/**
 * A disruption during conversations: a node is killed, or stopped as by a deploy, and restarted; the database server
 * is ended at once and restarted; the node of the bot is suspended for some seconds, or its connection to the server
 * is cut while all others can reach it.
 */
export type Disruption =
  | { readonly kind: "kill" | "deploy"; readonly node: number }
  | { readonly kind: "server" }
  | { readonly kind: "pause"; readonly seconds: number }
  | Cut;
interface Cut {
  readonly kind: "cut";
  readonly seconds: number;
}

/** All disruptions. */
export const DISRUPTIONS: readonly Disruption[] = [
  ...[0, 1, 2].map((node) => ({ kind: "kill" as const, node })),
  ...[0, 1, 2].map((node) => ({ kind: "deploy" as const, node })),
  { kind: "server" },
  { kind: "pause", seconds: 20 },
  { kind: "cut", seconds: 20 },
];

export interface NodesResult {
  readonly messageCount: number;
  /** For each disruption: time until each channel answered a message sent after it. */
  readonly silences: readonly { readonly blow: Disruption; readonly ms: number }[];
  /** Number of sends in flight at a kill, on a platform without reconciliation. */
  readonly unknownOutcomes: number;
  /** Reports of the cuts. */
  readonly rejected: readonly CutReport[];
  readonly problems: readonly string[];
}

/**
 * Runs three nodes on one PostgreSQL with durable commits behind proxies. With `before`, the folder of a clone of an
 * earlier version, they run that version until they are deployed.
 */
export async function tortureNodes(
  programs: string,
  blows: readonly Disruption[],
  before?: string,
): Promise<NodesResult> {
  await using world = await startNodesWorld(programs, before);
  const talk = startConversations(world);
  await talk.goesOn(performance.now());
  const silences: { blow: Disruption; ms: number }[] = [];
  const rejected: CutReport[] = [];
  for (const blow of blows) {
    const from = performance.now();
    const mend = await (blow.kind === "cut"
      ? cutNode(world, blow, talk, (seen) => rejected.push(seen))
      : applyDisruption(world, blow));
    silences.push({ blow, ms: Math.round(await talk.goesOn(from)) });
    await mend();
  }
  const messages = await talk.end();
  await waitUntilSettled(world.root, messages);
  const { inDoubt, problems } = checkNodes(world, await readOutcomes(world.root), messages, blows.length);
  const wrong = rejected.flatMap(({ others }) => others);
  return {
    messageCount: messages.length,
    silences,
    rejected,
    unknownOutcomes: inDoubt,
    problems: [...problems, ...wrong],
  };
}

/** Causes a disruption; returns the function that repairs it. */
async function applyDisruption(
  { nodes, server, root, start }: NodesWorld,
  blow: Exclude<Disruption, Cut>,
): Promise<() => Promise<void>> {
  if (blow.kind === "server") {
    await server.interrupt();
    await server.resume();
    return async () => {};
  }
  if (blow.kind === "pause") {
    const node = nodes[await findBotNode(root, nodes)] as ParleyProcess;
    node.child.kill("SIGSTOP");
    const over = wait(blow.seconds * 1_000);
    return async () => {
      await over;
      node.child.kill("SIGCONT");
    };
  }
  const node = nodes[blow.node] as ParleyProcess;
  if (blow.kind === "kill") node.child.kill("SIGKILL");
  else node.child.kill("SIGTERM");
  await node.ended;
  return async () => {
    nodes[blow.node] = await start(blow.node);
  };
}

/** Responses of a node that cannot reach the server, with their delays. */
export interface CutReport {
  readonly count: number;
  readonly longestMs: number;
  /** Answers other than a readable 503. */
  readonly others: readonly string[];
  /** Time from the restored connection until it accepted the rejected message. */
  readonly takenMs: number;
}

/** Cuts a node off while a client that reaches only that node sends one message until it is accepted. */
async function cutNode(
  world: NodesWorld,
  { seconds }: { readonly seconds: number },
  talk: Conversations,
  seen: (all: CutReport) => void,
) {
  const { nodes, ways, root } = world;
  const node = await findBotNode(root, nodes);
  const whole = ways[node]?.cut();
  const over = wait(seconds * 1_000);
  let mendedAt = Number.POSITIVE_INFINITY;
  const answers: { readonly status: number | string; readonly ms: number }[] = [];
  const isTaken = talk.alone(async (text) => {
    const asked = performance.now();
    if (asked - mendedAt > RECOVERY_TIMEOUT_MS) throw new Error("a node that was cut off does not come back");
    const body = JSON.stringify(createMessage("alone", text));
    const url = `${nodes[node]?.address}/api/gateway/one/webhook`;
    const status = await fetch(url, { method: "POST", headers: HEADERS, body }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      (error) => String(error),
    );
    if (performance.now() < mendedAt) answers.push({ status, ms: performance.now() - asked });
    return status === 200;
  });
  return async () => {
    await over;
    mendedAt = performance.now();
    whole?.();
    await isTaken;
    const others = answers.filter(({ status }) => status !== 503).map(({ status }) => `while cut off: ${status}`);
    const longestMs = Math.round(Math.max(...answers.map(({ ms }) => ms)));
    seen({ count: answers.length, longestMs, others, takenMs: Math.round(performance.now() - mendedAt) });
  };
}

/** Returns the index of the node that owns the bot's channel, by its port. */
async function findBotNode(root: string, nodes: readonly ParleyProcess[]): Promise<number> {
  const client = new pg.Client(readFileSync(join(root, DATABASE_FILE), "utf8"));
  await client.connect();
  const text = "select address from processes join gateway_homes on node_id = id where home = 'bot'";
  const { rows } = await client.query<{ address: string }>(text);
  await client.end();
  const port = rows[0]?.address.split(":")[1];
  return nodes.findIndex(({ address }) => new URL(address).port === port);
}

type Conversations = ReturnType<typeof startConversations>;

/** Starts people who write continuously, and wait for each acknowledgement. */
function startConversations({ proxy, receiver, bots }: NodesWorld) {
  const messages: string[] = [];
  const acknowledged = new Map<string, number>();
  const answered = new Map<string, number>();
  let isOver = false;
  const post = async (channel: string, room: string, text: string, number: number) => {
    const body = JSON.stringify(channel === "bot" ? createUpdate(room, text, number) : createMessage(room, text));
    for (;;) {
      const url = `${proxy.address}/api/gateway/${channel}/webhook`;
      const answer = await fetch(url, { method: "POST", headers: HEADERS, body }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => {});
      if (answer?.status === 200) return;
      await wait(50);
    }
  };
  const talk = async (channel: string, room: string) => {
    for (let number = 0; !isOver; number += 1) {
      const text = `say (${channel} ${room} ${number})`;
      const at = messages.push(text);
      await post(channel, room, text, at);
      acknowledged.set(text, performance.now());
      await wait(SAY_EVERY_MS);
    }
  };
  const note = () => {
    for (const answer of [...receiver.posts.map(({ body }) => String(body.content)), ...bots.messages.map(toText)]) {
      const text = SAY_PATTERN.exec(answer)?.[0];
      if (text !== undefined && !answered.has(text)) answered.set(text, performance.now());
    }
  };
  const all = Promise.all(CHANNELS.flatMap((channel) => ROOMS[channel].map((room) => talk(channel, room))));
  /** Returns the time until the first reply to a message sent afterwards. */
  const firstAnswer = (channel: string, from: number) => {
    const later = [...answered].filter(
      ([text]) => text.startsWith(`say (${channel} `) && (acknowledged.get(text) ?? 0) > from,
    );
    return later.length === 0 ? undefined : Math.min(...later.map(([, at]) => at)) - from;
  };
  return {
    /** Sends one more message until `post` returns true. */
    async alone(post: (text: string) => Promise<boolean>): Promise<void> {
      const text = `say (one alone ${messages.length})`;
      messages.push(text);
      while (!(await post(text))) await wait(50);
    },
    /** Returns the milliseconds until all channels answer again. */
    async goesOn(from: number): Promise<number> {
      for (;;) {
        note();
        const times = CHANNELS.map((channel) => firstAnswer(channel, from));
        if (times.every((time) => time !== undefined)) return Math.max(...times);
        if (performance.now() - from > RECOVERY_TIMEOUT_MS) throw new Error(`a channel does not go on: ${times}`);
        await wait(POLL_INTERVAL_MS);
      }
    },
    async end(): Promise<readonly string[]> {
      isOver = true;
      await all;
      return messages;
    },
  };
}

function toText({ text }: { readonly text: string }): string {
  return text;
}

function createMessage(room: string, text: string): object {
  return { message_id: text, conversation_id: room, user_id: "ann", content: text };
}

function createUpdate(room: string, text: string, number: number): object {
  const from = { id: Number(room), first_name: "Ann" };
  const message = { message_id: number, date: 1, from, chat: { id: from.id, type: "private" }, text };
  return { update_id: number, message };
}
