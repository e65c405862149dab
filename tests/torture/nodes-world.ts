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
import { prepareStorage } from "../harness/chosen-storage.ts";
import { createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { openPostgresProxy, type PostgresProxy } from "../harness/servers/postgres-proxy.ts";
import { CHANNELS } from "./check-nodes.ts";
import { type RoundRobin, startRoundRobin } from "./round-robin.ts";

const PASSWORD = "correct horse";
const NODES = 3;
const POLL_INTERVAL_MS = 25;
/** Pattern of people's messages. */
export const SAY_PATTERN = /say \([^()]+\)/;

/** Three nodes, their database server, and the platforms and proxies around them. */
export interface NodesWorld extends AsyncDisposable {
  readonly root: string;
  readonly server: PostgresServer;
  readonly proxy: RoundRobin;
  readonly receiver: Receiver;
  readonly bots: ImbServer;
  readonly nodes: ParleyProcess[];
  /** Proxies of the nodes to the server. */
  readonly ways: readonly PostgresProxy[];
  readonly start: (node: number) => Promise<ParleyProcess>;
}

/**
 * Starts the nodes. `before` is the folder of a clone of an earlier version with its libraries, which every node runs first; `start`
 * starts this version.
 */
export async function startNodesWorld(programs: string, before?: string): Promise<NodesWorld> {
  await using stack = new AsyncDisposableStack();
  const root = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  stack.defer(() => rmSync(root, { recursive: true, force: true }));
  const server = stack.use(await startPostgres(programs, { isSafe: true }));
  const env = await configure(root, server);
  const answer = (content: unknown) => ({
    kind: "text" as const,
    text: `You said ${SAY_PATTERN.exec(JSON.stringify(content))?.[0]}`,
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
  const ways = await Promise.all(Array.from({ length: NODES }, () => openPostgresProxy(server.folder)));
  for (const way of ways) stack.use(way);
  const command = before === undefined ? undefined : writeStartScript(before, root);
  const startBy = (node: number, way?: string) =>
    startProcess({ root, env: { ...env, ...withProxy(ways[node], env) }, ...(way !== undefined && { command: way }) });
  const start = (node: number) => startBy(node);
  nodes.push(...(await Promise.all(ways.map((_, node) => startBy(node, command)))));
  await install(nodes, { model, receiver, bots });
  const proxy = stack.use(await startRoundRobin(() => nodes.map(({ address }) => address)));
  const all = stack.move();
  return { root, server, proxy, receiver, bots, nodes, ways, start, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Starts the sources of another clone. */
function writeStartScript(clone: string, root: string): string {
  const file = join(root, "before.sh");
  const main = join(clone, "host", "cli", "src", "main.ts");
  writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} --conditions=@parley/source ${main} "$@"\n`, {
    mode: 0o755,
  });
  return file;
}

/** Returns the URL of the database through a proxy. */
function withProxy(
  way: PostgresProxy | undefined,
  { PARLEY_DATABASE_URL: url = "" }: Readonly<Record<string, string>>,
) {
  const address = new URL(url);
  address.searchParams.set("host", way?.folder ?? "");
  return { PARLEY_DATABASE_URL: address.href };
}

async function configure(root: string, server: PostgresServer): Promise<Readonly<Record<string, string>>> {
  const storage = await prepareStorage(root, server.folder);
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

/** Creates the model and the channels, whose settings every node reads. */
async function install(nodes: readonly ParleyProcess[], { model, receiver, bots }: Platforms): Promise<void> {
  const [api, ...others] = await Promise.all(nodes.map(signIn));
  if (!api) return;
  const own = { name: "echo", model: "echo", base_url: model.baseUrl, api_key: "sk-echo", retry_count: 0 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", own);
  await api.post(`/api/ai-models/${id}/apply`, {});
  const config = { auth: { type: "static", secret_env: "SVC_WEBHOOK_SECRET" }, outbound_url: receiver.address };
  // The bot counts as connected where the platform has an address of it; the conversations post by themselves.
  bots.useWebhook({ url: `${nodes[0]?.address}/api/gateway/bot/webhook`, secret_token: "imb-secret" });
  const botConfig = { api_base: bots.address, paced: false, burst: "off" };
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
    while (!(await areOpen())) await wait(POLL_INTERVAL_MS);
  }
}

async function signIn({ address }: ParleyProcess) {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}
