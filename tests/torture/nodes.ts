import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type ImbServer,
  type ModelServer,
  type Receiver,
  startImbServer,
  startModelServer,
  startReceiver,
} from "@parley/simulators";
import pg from "pg";
import { DATABASE_NOTE, storageFor } from "../harness/chosen-storage.ts";
import { createClient } from "../harness/client.ts";
import { type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { fatesIn, settled } from "./fates.ts";
import { CHANNELS, judged, ROOMS } from "./nodes-judge.ts";
import { type RoundRobin, startRoundRobin } from "./round-robin.ts";

const PASSWORD = "correct horse";
const NODES = 3;
const HEADERS = {
  "content-type": "application/json",
  "x-svc-token": "sesame",
  "x-imb-bot-api-secret-token": "imb-secret",
};
const SAY_EVERY_MS = 300;
const LOOK_EVERY_MS = 25;
const GOES_ON_WITHIN_MS = 60_000;
const SAID = /say \([^()]+\)/;

/**
 * What is done to them while people talk: a node is killed, or told to stop as a deploy does, and started again; the server of
 * the database is ended at once and started again; the node that works for the bot stands still for so many seconds.
 */
export type Blow =
  | { readonly kind: "kill" | "deploy"; readonly node: number }
  | { readonly kind: "server" }
  | { readonly kind: "pause"; readonly seconds: number };

/** All of them. */
export const BLOWS: readonly Blow[] = [
  ...[0, 1, 2].map((node) => ({ kind: "kill" as const, node })),
  ...[0, 1, 2].map((node) => ({ kind: "deploy" as const, node })),
  { kind: "server" },
  { kind: "pause", seconds: 20 },
];

export interface NodesResult {
  readonly said: number;
  /** For each blow: after how long each channel had answered something that was said after it. */
  readonly silences: readonly { readonly blow: Blow; readonly ms: number }[];
  /** Of a platform that cannot be asked: what was on the wire at a kill. */
  readonly inDoubt: number;
  readonly problems: readonly string[];
}

interface World extends AsyncDisposable {
  readonly root: string;
  readonly server: PostgresServer;
  readonly proxy: RoundRobin;
  readonly receiver: Receiver;
  readonly bots: ImbServer;
  readonly nodes: ParleyProcess[];
  readonly start: () => Promise<ParleyProcess>;
}

/** Three nodes on one PostgreSQL behind a proxy, whose server keeps what it has acknowledged. */
export async function tortureNodes(programs: string, blows: readonly Blow[]): Promise<NodesResult> {
  await using world = await startWorld(programs);
  const talk = startTalk(world);
  await talk.goesOn(performance.now());
  const silences: { blow: Blow; ms: number }[] = [];
  for (const blow of blows) {
    const from = performance.now();
    const mend = await strike(world, blow);
    silences.push({ blow, ms: Math.round(await talk.goesOn(from)) });
    await mend();
  }
  const said = await talk.end();
  await settled(world.root, said);
  return { said: said.length, silences, ...judged(world, await fatesIn(world.root), said, blows.length) };
}

/** Gives what mends it. */
async function strike({ nodes, server, root, start }: World, blow: Blow): Promise<() => Promise<void>> {
  if (blow.kind === "server") {
    await server.interrupt();
    await server.resume();
    return async () => {};
  }
  if (blow.kind === "pause") {
    const node = nodes[await homeOfBot(root, nodes)] as ParleyProcess;
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
    nodes[blow.node] = await start();
  };
}

/** Which of them works for the channel: by the port that it says. */
async function homeOfBot(root: string, nodes: readonly ParleyProcess[]): Promise<number> {
  const client = new pg.Client(readFileSync(join(root, DATABASE_NOTE), "utf8"));
  await client.connect();
  const text = "select address from processes join gateway_homes on node_id = id where home = 'bot'";
  const { rows } = await client.query<{ address: string }>(text);
  await client.end();
  const port = rows[0]?.address.split(":")[1];
  return nodes.findIndex(({ address }) => new URL(address).port === port);
}

/** People who talk all the time, and wait until what they say is acknowledged. */
function startTalk({ proxy, receiver, bots }: World) {
  const said: string[] = [];
  const acknowledged = new Map<string, number>();
  const answered = new Map<string, number>();
  let isOver = false;
  const post = async (channel: string, room: string, text: string, number: number) => {
    const body = JSON.stringify(channel === "bot" ? updateOf(room, text, number) : messageOf(room, text));
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
      const at = said.push(text);
      await post(channel, room, text, at);
      acknowledged.set(text, performance.now());
      await wait(SAY_EVERY_MS);
    }
  };
  const note = () => {
    for (const answer of [...receiver.posts.map(({ body }) => String(body.content)), ...bots.messages.map(textOf)]) {
      const text = SAID.exec(answer)?.[0];
      if (text !== undefined && !answered.has(text)) answered.set(text, performance.now());
    }
  };
  const all = Promise.all(CHANNELS.flatMap((channel) => ROOMS[channel].map((room) => talk(channel, room))));
  /** Since then, of what was said after it. */
  const firstAnswer = (channel: string, from: number) => {
    const later = [...answered].filter(
      ([text]) => text.startsWith(`say (${channel} `) && (acknowledged.get(text) ?? 0) > from,
    );
    return later.length === 0 ? undefined : Math.min(...later.map(([, at]) => at)) - from;
  };
  return {
    /** After how many milliseconds all channels answer again. */
    async goesOn(from: number): Promise<number> {
      for (;;) {
        note();
        const times = CHANNELS.map((channel) => firstAnswer(channel, from));
        if (times.every((time) => time !== undefined)) return Math.max(...times);
        if (performance.now() - from > GOES_ON_WITHIN_MS) throw new Error(`a channel does not go on: ${times}`);
        await wait(LOOK_EVERY_MS);
      }
    },
    async end(): Promise<readonly string[]> {
      isOver = true;
      await all;
      return said;
    },
  };
}

function textOf({ text }: { readonly text: string }): string {
  return text;
}

function messageOf(room: string, text: string): object {
  return { message_id: text, conversation_id: room, user_id: "ann", content: text };
}

function updateOf(room: string, text: string, number: number): object {
  const from = { id: Number(room), first_name: "Ann" };
  const message = { message_id: number, date: 1, from, chat: { id: from.id, type: "private" }, text };
  return { update_id: number, message };
}

async function startWorld(programs: string): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  stack.defer(() => rmSync(root, { recursive: true, force: true }));
  const server = stack.use(await startPostgres(programs, { isSafe: true }));
  const env = await configure(root, server);
  const answer = (said: unknown) => ({
    kind: "text" as const,
    text: `You said ${SAID.exec(JSON.stringify(said))?.[0]}`,
  });
  const model = stack.use(await startModelServer({ answer: ({ body }) => answer(body.messages.at(-1)) }));
  const receiver = stack.use(await startReceiver());
  const bots = stack.use(await startImbServer());
  const nodes: ParleyProcess[] = [];
  stack.defer(async () => {
    for (const { child, ended } of nodes) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await ended;
    }
  });
  const start = () => startProcess({ root, env });
  nodes.push(...(await Promise.all(Array.from({ length: NODES }, start))));
  await install(nodes, { model, receiver, bots });
  const proxy = stack.use(await startRoundRobin(() => nodes.map(({ address }) => address)));
  const all = stack.move();
  return { root, server, proxy, receiver, bots, nodes, start, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function configure(root: string, server: PostgresServer): Promise<Readonly<Record<string, string>>> {
  const storage = await storageFor(root, server.folder);
  const limits = ["user", "conversation", "channel"].map((one) => `limit_${one}_per_minute = 0`).join("\n");
  const config = `${storage.config}nodes = true\n[plugin.gateway]\n${limits}\n[log]\nlevel = warn\nfile = off\n`;
  writeFileSync(join(root, "config.ini"), config);
  return {
    ...storage.env,
    SVC_ADMIN_PASSWORD: PASSWORD,
    SVC_WEBHOOK_SECRET: "sesame",
    IMB_BOT_TOKEN: "42:secret",
    IMB_WEBHOOK_SECRET: "imb-secret",
  };
}

interface Platforms {
  readonly model: ModelServer;
  readonly receiver: Receiver;
  readonly bots: ImbServer;
}

/** A model and the channels, which every node opens. */
async function install(nodes: readonly ParleyProcess[], { model, receiver, bots }: Platforms): Promise<void> {
  const [api, ...others] = await Promise.all(nodes.map(signedIn));
  if (!api) return;
  const own = { name: "echo", model: "echo", base_url: model.baseUrl, api_key: "sk-echo", retry_count: 0 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", own);
  await api.post(`/api/ai-models/${id}/apply`, {});
  const config = { auth: { type: "static", secret_env: "SVC_WEBHOOK_SECRET" }, outbound_url: receiver.address };
  const botConfig = { api_base: bots.address, paced: false };
  for (const channel of CHANNELS) {
    const kind = channel === "bot" ? { type: "imB", config: botConfig } : { type: "generic", config };
    await api.post("/api/channels", { id: channel, name: channel, transport: "webhook", ...kind });
  }
  for (const client of [api, ...others]) {
    type Listed = {
      readonly items: readonly { readonly id: string; readonly status: { readonly connected: boolean } }[];
    };
    const areOpen = async () => {
      const { items } = await client.get<Listed>("/api/channels");
      return CHANNELS.every((channel) => items.find((one) => one.id === channel)?.status.connected);
    };
    while (!(await areOpen())) await wait(LOOK_EVERY_MS);
  }
}

async function signedIn({ address }: ParleyProcess) {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}
