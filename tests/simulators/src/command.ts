import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { FaultOptions } from "./faults.ts";
import { startImaBridge } from "./ima-bridge.ts";
import { startImaBotServer } from "./imabot-server.ts";
import { startImbServer } from "./imb-server.ts";
import { startImcServer } from "./imc-server.ts";
import { startModelServer } from "./model-server.ts";
import type { Platform, SimulatorOptions } from "./platform-server.ts";
import { startReceiver } from "./receiver.ts";

export interface SimulateOptions {
  readonly args: readonly string[];
  /** Lines of `<conversation> <text>`. */
  readonly input: NodeJS.ReadableStream;
  print(line: string): void;
  /** Signal that stops the simulator. */
  readonly signal: AbortSignal;
}

interface StartRequest extends SimulatorOptions {
  /** URL that messages are posted to. */
  readonly webhook: string | undefined;
  /** Shared secret of service and platform. */
  readonly secret: string | undefined;
}

type StartedSimulator = AsyncDisposable & { readonly address: string; readonly platform?: Platform<unknown> };
type StartSimulator = (wanted: StartRequest) => Promise<StartedSimulator>;

const START_BY_KIND: Readonly<Record<string, StartSimulator>> = {
  async imA({ secret, ...wanted }) {
    return toStarted(await startImaBridge({ ...wanted, ...(secret !== undefined && { token: secret }) }));
  },
  async imAbot({ webhook: url, ...wanted }) {
    const platform = await startImaBotServer(wanted);
    if (url !== undefined) platform.useWebhook({ url });
    return toStarted(platform);
  },
  async imB({ webhook: url, secret, ...wanted }) {
    const platform = await startImbServer(wanted);
    if (url !== undefined) platform.useWebhook({ url, ...(secret !== undefined && { secret_token: secret }) });
    return toStarted(platform);
  },
  async imC({ webhook: url, secret = "", ...wanted }) {
    const platform = await startImcServer(wanted);
    if (url !== undefined) platform.useWebhook({ url, encryptKey: secret, verificationToken: secret });
    return toStarted(platform);
  },
  async generic({ webhook: url, secret = "", ...wanted }) {
    const platform = await startReceiver(wanted);
    if (url !== undefined) platform.useWebhook({ url, headers: { authorization: `Bearer ${secret}` } });
    return toStarted(platform);
  },
  async model(wanted) {
    const server = await startModelServer(wanted);
    return { address: server.baseUrl, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  },
};

const USAGE = `parley-simulate <${Object.keys(START_BY_KIND).join("|")}> [--port <number>] [--webhook <url>] [--secret <word>] [--seed <number>]
Somebody says something: <conversation> <text>. What the bot says is printed in the same way. --seed puts faults in.`;

/** Runs one simulator until its input ends, or, where nothing was said in it, until it is stopped; returns the exit code. */
export async function simulate({ args, input, print, signal }: SimulateOptions): Promise<number> {
  const given = parseArguments(args);
  const start = given && START_BY_KIND[given.kind];
  if (!given || !start) {
    print(USAGE);
    return 1;
  }
  await using running = await start(given.wanted);
  print(`ready ${running.address}`);
  const lines = createInterface({ input, signal });
  const receivedById = new Map<string, Promise<void>>();
  const sending: Promise<void>[] = [];
  const { platform } = running;
  for await (const line of lines) {
    const [, conversation = "", text = ""] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    if (!platform || text === "") {
      print(platform ? "write <conversation> <text>" : "nobody talks to it: a service asks it");
      continue;
    }
    if (!receivedById.has(conversation)) receivedById.set(conversation, printReplies(platform, conversation, print));
    sending.push(platform.say(conversation, text).catch((error: Error) => print(`not taken: ${error.message}`)));
  }
  await Promise.race([Promise.all(sending), waitUntilStopped(signal)]);
  // Without input the simulator runs until it is stopped.
  if (receivedById.size === 0) await waitUntilStopped(signal);
  return 0;
}

function toStarted<Kind extends Platform<unknown> & { readonly address: string }>(platform: Kind): StartedSimulator {
  return { address: platform.address, platform, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

/** Prints what people see in a conversation, until the simulator stops. */
async function printReplies(
  platform: Platform<unknown>,
  conversation: string,
  print: (line: string) => void,
): Promise<void> {
  for (let seen = 0; ; ) {
    const shown = await platform
      .waitFor(() => platform.shown(conversation).length > seen && platform.shown(conversation))
      .catch(() => undefined);
    if (!shown) return;
    for (const text of shown.slice(seen)) print(`${conversation} ${text}`);
    seen = shown.length;
  }
}

function waitUntilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function parseArguments(args: readonly string[]): { readonly kind: string; readonly wanted: StartRequest } | undefined {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { port: text, webhook: text, secret: text, seed: text },
    });
    const [kind = ""] = positionals;
    const { port, webhook, secret, seed } = values;
    const numbers = [port, seed].map((value) => Number(value ?? 0));
    if (positionals.length !== 1 || !numbers.every(Number.isSafeInteger)) return undefined;
    const wanted = { webhook, secret, ...(port !== undefined && { port: Number(port) }) };
    return { kind, wanted: { ...wanted, ...(seed !== undefined && { faults: createFaultOptions(Number(seed)) }) } };
  } catch {
    // For an unknown option the usage is printed.
    return undefined;
  }
}

function createFaultOptions(seed: number): FaultOptions {
  return { seed, duplicate: 0.1, delay: 0.1, reorder: 0.1, tooMany: 0.05, serverError: 0.05, halfOpen: 0.02 };
}
