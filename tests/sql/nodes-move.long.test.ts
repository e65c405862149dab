import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, type Gate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();
const CHANNELS = ["red", "blue"] as const;
type Channel = (typeof CHANNELS)[number];

interface Listed {
  readonly self: string;
  readonly items: readonly {
    readonly id: string;
    readonly draining: boolean;
    readonly channels: readonly string[];
    readonly turns_running: number;
  }[];
}

describe.skipIf(!programs)("partitions move between nodes", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-moves-"));
  /** Each node has separate links to the same two platforms. */
  const platforms = [0, 1].map(() => ({ red: createFakeChannel("red"), blue: createFakeChannel("blue") }));
  let server: PostgresServer;
  let model: ModelServer;
  const nodes: Parley[] = [];
  const clients: Client[] = [];
  /** The gate for which the model waits when a test requests it. */
  let gate: Gate;

  const start = async (index: number) => {
    const plugins = Object.values(platforms[index] ?? {}).map(({ plugin }) => plugin);
    const node = await startParley({ root, server: server.folder, config: "nodes = true\n", plugins });
    nodes[index] = node;
    clients[index] = await node.signIn();
  };
  const at = (index: number) => clients[index] as Client;
  const idOf = async (index: number) => (await at(index).get<Listed>("/api/nodes")).self;
  const nodeOf = async (index: number) => {
    const { self, items } = await at(index).get<Listed>("/api/nodes");
    return items.find(({ id }) => id === self);
  };
  const holders = async (channel: Channel) => {
    const found = await Promise.all([0, 1].map(async (index) => (await nodeOf(index))?.channels.includes(channel)));
    return [0, 1].filter((index) => found[index]);
  };
  const channelOf = async (index: number) => {
    const node = await nodeOf(index);
    const channel = CHANNELS.find((one) => one === node?.channels[0]);
    if (!channel) throw new Error("the node has no channel");
    return channel;
  };
  const connected = async (index: number) => {
    type Status = { readonly connected: boolean; readonly held_elsewhere?: true };
    const { items } = await at(index).get<{ items: { id: string; status: Status }[] }>("/api/channels");
    const own = items.filter(({ status }) => status.connected && !status.held_elsewhere).map(({ id }) => id);
    return CHANNELS.filter((channel) => own.includes(channel));
  };
  const say = (index: number, channel: Channel, text: string) => platforms[index]?.[channel].say("team-1", text);
  /** Texts people of a channel saw, in order, by sending node. */
  const shown = (channel: Channel) =>
    platforms.map((platform) => platform[channel].sent.map(({ text }) => text.replace("You said: ", "")));
  const probed = (index: number) => fetch(`${nodes[index]?.address}/api/startup-status`);

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    gate = createGate();
    model = await startModelServer({
      answer({ body }) {
        const question = String(body.messages.at(-1)?.content);
        const text = /say [a-z]+ \d/.exec(question)?.[0] ?? "nothing";
        return text.includes("slow") ? { kind: "held", pieces: [text], gate } : { kind: "text", text };
      },
    });
    await start(0);
    const { id } = await at(0).post<{ id: string }>("/api/ai-models", {
      name: "said",
      model: "said",
      base_url: model.baseUrl,
      api_key: "sk-said",
      retry_count: 0,
    });
    await at(0).post(`/api/ai-models/${id}/apply`, {});
    for (const one of CHANNELS)
      await at(0).post("/api/channels", { id: one, name: one, type: one, transport: "bridge" });
    await eventually(async () => expect(await connected(0)).toEqual(CHANNELS));
  }, 120_000);
  afterAll(async () => {
    gate?.next();
    for (const node of [...nodes].reverse()) await node[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  test("a joining node gets its share of the channels, and their connections", async () => {
    await start(1);
    await eventually(async () => expect((await nodeOf(1))?.channels).toHaveLength(1));
    await eventually(async () => expect(await connected(1)).toHaveLength(1));
    expect([...(await connected(0)), ...(await connected(1))].sort()).toEqual([...CHANNELS].sort());
    // Each node has one channel, so nothing moves any more.
    expect((await nodeOf(0))?.channels).toHaveLength(1);
  });

  test("a draining node hands over all partitions as its turns end: in order, each once, and accepts no more", async () => {
    const channel = await channelOf(0);
    await say(0, channel, "say slow 1");
    await eventually(async () => expect((await nodeOf(0))?.turns_running).toBe(1));
    await say(0, channel, "say fast 2");
    await say(0, channel, "say fast 3");
    const drained = await idOf(0);
    await at(1).post(`/api/nodes/${drained}/drain`, {});
    await eventually(async () => expect((await probed(0)).status).toBe(503));
    expect(await at(0).get("/api/startup-status")).toMatchObject({ ready: false, phase: "draining" });
    const session = await at(0).post<{ id: string }>("/api/sessions", {});
    const rejected = await at(0).send("POST", `/api/sessions/${session.id}/chat`, { body: { content: "Hi" } });
    expect([rejected.status, rejected.json?.code, rejected.headers.get("retry-after")]).toEqual([
      503,
      "unavailable",
      "1",
    ]);
    // The channel stays while its turn runs, and no waiting message has overtaken it.
    expect([await holders(channel), shown(channel)]).toEqual([[0], [[], []]]);

    gate.next();
    gate.next();
    await eventually(() => expect(shown(channel)).toEqual([[], ["say slow 1", "say fast 2", "say fast 3"]]));
    expect(await connected(0)).toEqual([]);
    await eventually(async () => expect(await connected(1)).toEqual(CHANNELS));
    const { items } = await at(1).get<Listed>("/api/nodes");
    expect(items.find(({ id }) => id === drained)).toMatchObject({ draining: true, channels: [], turns_running: 0 });
    const last = await at(1).send("POST", `/api/nodes/${await idOf(1)}/drain`, { body: {} });
    expect([last.status, last.json?.error]).toEqual([409, "no other node can take over this node's work"]);
  });

  test("a node that stops draining gets its share again", async () => {
    await at(0).send("DELETE", `/api/nodes/${await idOf(0)}/drain`);
    await eventually(async () => expect((await probed(0)).status).toBe(200));
    await eventually(async () => expect(await connected(0)).toHaveLength(1));
    const channel = await channelOf(0);
    await say(0, channel, "say fast 4");
    await eventually(() => expect(shown(channel)[0]).toContain("say fast 4"));
  });

  test("a stopping node hands over its partitions first", async () => {
    await nodes[0]?.[Symbol.asyncDispose]();
    expect((await nodeOf(1))?.channels).toEqual([...CHANNELS].sort());
    await eventually(async () => expect(await connected(1)).toEqual(CHANNELS));
    await start(0);
  });
});
