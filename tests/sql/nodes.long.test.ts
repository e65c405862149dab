import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { storageFor } from "../harness/chosen-storage.ts";
import { type Client, createClient } from "../harness/client.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../harness/postgres.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { fatesIn, settled } from "../torture/fates.ts";

const programs = postgresPrograms();
const PASSWORD = "correct horse";
/** Two that know a repeat by its key, and one that shows whatever is sent. */
const CHANNELS = ["one", "two", "bot"] as const;
const ROOMS = { one: ["r0", "r1"], two: ["r0", "r1"], bot: ["600", "601"] } as const;
const PAUSE_MS = 20_000;
/** Looks until it holds. */
const soon = <Found>(check: () => Found | Promise<Found>, timeout: number) =>
  vi.waitFor(check, { timeout, interval: 50 });
const TAKEN_OVER_WITHIN_MS = 15_000;

describe.skipIf(!programs)("three nodes on one database", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  const said: string[] = [];
  /** When the platform was acknowledged, and when the answer came, by text. */
  const acknowledged = new Map<string, number>();
  const answered = new Map<string, number>();
  let server: PostgresServer;
  let model: ModelServer;
  let receiver: Receiver;
  let bots: ImbServer;
  let env: Readonly<Record<string, string>>;
  let nodes: ParleyProcess[] = [];
  let isOver = false;
  let talking: Promise<unknown> = Promise.resolve();

  const start = () => startProcess({ root, env });
  const signIn = async (node: ParleyProcess): Promise<Client> => {
    const open = createClient(node.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
    return open.as(token);
  };
  /** To any node that takes it, as a platform and what stands before the nodes do. */
  const post = async (channel: string, conversation: string, text: string) => {
    const number = said.length;
    const from = { id: Number(conversation), first_name: "Ann" };
    const message = { message_id: number, date: 1, from, chat: { id: from.id, type: "private" }, text };
    const body = JSON.stringify(
      channel === "bot"
        ? { update_id: number, message }
        : { message_id: text, conversation_id: conversation, user_id: "ann", content: text },
    );
    const headers = {
      "content-type": "application/json",
      "x-svc-token": "sesame",
      "x-imb-bot-api-secret-token": "imb-secret",
    };
    for (let turn = number; ; turn += 1) {
      const node = nodes[turn % nodes.length];
      const url = `${node?.address}/api/gateway/${channel}/webhook`;
      const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(3_000) }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer().catch(() => {});
      if (answer?.status === 200) return;
      await wait(50);
    }
  };
  const talk = async (channel: string, conversation: string) => {
    for (let number = 0; !isOver; number += 1) {
      const text = `say (${channel} ${conversation} ${number})`;
      said.push(text);
      await post(channel, conversation, text);
      acknowledged.set(text, performance.now());
      await wait(300);
    }
  };
  /** The longest that a channel was silent in that time, while people talked on it. */
  const longestSilence = (from: number, until: number) =>
    Math.max(
      ...CHANNELS.map((channel) => {
        const answers = [...answered].filter(
          ([text, at]) => text.startsWith(`say (${channel} `) && at >= from && at <= until,
        );
        const times = [from, ...answers.map(([, at]) => at), until];
        return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
      }),
    );

  /** Which of them, that were started one after another, works for the channel. */
  const homeOfBot = async (): Promise<number> => {
    const client = new pg.Client(env.PARLEY_DATABASE_URL);
    await client.connect();
    const alive = await client.query<{ id: string }>(
      "select id from processes where gone_at is null and id <> 'alone' order by joined_at",
    );
    const home = await client.query<{ node_id: string }>("select node_id from gateway_homes where home = 'bot'");
    await client.end();
    expect(alive.rows).toHaveLength(nodes.length);
    return alive.rows.findIndex(({ id }) => id === home.rows[0]?.node_id);
  };

  beforeAll(async () => {
    server = await startPostgres(programs ?? "", { isSafe: true });
    const storage = await storageFor(root, server.folder);
    writeFileSync(
      join(root, "config.ini"),
      `${storage.config}nodes = true
[plugin.gateway]
limit_user_per_minute = 0
limit_conversation_per_minute = 0
limit_channel_per_minute = 0
[log]
level = warn
file = off
`,
    );
    env = {
      ...storage.env,
      SVC_ADMIN_PASSWORD: PASSWORD,
      SVC_WEBHOOK_SECRET: "sesame",
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: "imb-secret",
    };
    model = await startModelServer({
      answer: ({ body }) => ({
        kind: "text",
        text: `You said ${/say \([^()]+\)/.exec(JSON.stringify(body.messages.at(-1)))?.[0]}`,
      }),
    });
    receiver = await startReceiver();
    bots = await startImbServer();
    nodes = await Promise.all([start(), start(), start()]);
    const api = await signIn(nodes[0] as ParleyProcess);
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "echo",
      model: "echo",
      base_url: model.baseUrl,
      api_key: "sk-echo",
      retry_count: 0,
    });
    await api.post(`/api/ai-models/${id}/apply`, {});
    const config = { auth: { type: "static", secret_env: "SVC_WEBHOOK_SECRET" }, outbound_url: receiver.address };
    const botConfig = { api_base: bots.address, paced: false };
    for (const channel of CHANNELS) {
      const kind = channel === "bot" ? { type: "imB", config: botConfig } : { type: "generic", config };
      await api.post("/api/channels", { id: channel, name: channel, transport: "webhook", ...kind });
    }
    for (const node of nodes) {
      const client = await signIn(node);
      await soon(async () => {
        const { items } = await client.get<{ items: { id: string; status: { connected: boolean } }[] }>(
          "/api/channels",
        );
        for (const channel of CHANNELS) expect(items.find((one) => one.id === channel)?.status.connected).toBe(true);
      }, 10_000);
    }
    let seen = 0;
    let seenOfBots = 0;
    const watching = setInterval(() => {
      const posts = receiver.posts.slice(seen).map(({ body }) => String(body.content));
      const messages = bots.messages.slice(seenOfBots).map(({ text }) => text);
      seen += posts.length;
      seenOfBots += messages.length;
      for (const answer of [...posts, ...messages]) {
        const text = /say \([^()]+\)/.exec(answer)?.[0];
        if (text !== undefined && !answered.has(text)) answered.set(text, performance.now());
      }
    }, 25);
    watching.unref();
    talking = Promise.all(CHANNELS.flatMap((channel) => ROOMS[channel].map((room) => talk(channel, room))));
  }, 120_000);
  afterAll(async () => {
    isOver = true;
    for (const { child, ended } of nodes) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await ended;
    }
    for (const one of [model, receiver, bots, server]) await one?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  test("each is killed in turn, one is stopped for twenty seconds: nothing is lost, nothing twice, all in order", async () => {
    await soon(() => expect(answered.size).toBeGreaterThan(30), 30_000);
    const spans: (readonly [number, number])[] = [];
    for (const at of nodes.keys()) {
      const from = performance.now();
      const victim = nodes[at] as ParleyProcess;
      victim.child.kill("SIGKILL");
      await victim.ended;
      await wait(TAKEN_OVER_WITHIN_MS + 2_000);
      spans.push([from, performance.now()]);
      nodes[at] = await start();
    }
    const paused = nodes[await homeOfBot()] as ParleyProcess;
    const from = performance.now();
    paused.child.kill("SIGSTOP");
    await wait(PAUSE_MS);
    spans.push([from, performance.now()]);
    paused.child.kill("SIGCONT");
    await wait(3_000);
    isOver = true;
    await talking;
    await settled(root, said);
    const silences = spans.map(([from, until]) => longestSilence(from, until));
    process.stderr.write(
      `a channel was silent for at most ${silences.map((ms) => Math.round(ms)).join(", ")} ms; ${said.length} messages\n`,
    );

    const fates = await fatesIn(root);
    const inDoubt = fates.filter(
      ({ answers: [answer] }) => answer?.state === "dead" && answer.cause === "outcome_unknown",
    );
    const wrong = fates.filter(
      (fate) =>
        fate.state !== "done" ||
        fate.answers.length !== 1 ||
        (fate.answers[0]?.state !== "delivered" && !inDoubt.includes(fate)),
    );
    expect(wrong).toEqual([]);
    // Of a platform that cannot be asked: what was on the wire when its node was killed, one for each conversation at most.
    expect(inDoubt.every(({ channel }) => channel === "bot")).toBe(true);
    expect(inDoubt.length).toBeLessThanOrEqual(spans.length * ROOMS.bot.length);
    expect(fates.map(({ text }) => text).sort()).toEqual([...said].sort());
    const isInDoubt = (text: string) => inDoubt.some((fate) => fate.text === text);
    for (const channel of CHANNELS) {
      for (const room of ROOMS[channel]) {
        const own = (text: string) => text.includes(`(${channel} ${room} `);
        const shown = (channel === "bot" ? bots : receiver).shown(room).filter(own);
        const expected = said.filter(own).filter((text) => !isInDoubt(text) || shown.includes(`You said ${text}`));
        expect(shown).toEqual(expected.map((text) => `You said ${text}`));
      }
    }
    // The one that stood still was taken for dead, and is one of them again.
    type Listed = { readonly items: readonly { readonly node_id: string; readonly status: string }[] };
    const again = await soon(() => signIn(paused), 30_000);
    const { items } = await again.get<Listed>("/api/gateway/nodes");
    expect(items.length).toBe(3 + 3 + 1);
  }, 300_000);
});
