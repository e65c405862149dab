// Shared by the channel benchmarks: posts updates of a Bot API and counts the replies.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";

const CONNECTIONS = 32;
const USERS = 500;

/** URLs of the webhook; several are used in turn. */
export interface WebhookTarget {
  readonly urls: readonly string[];
  readonly header: string;
}

/** Posts updates over the given number of connections; one that is rejected temporarily is posted again, as the platform does. */
export async function runLoad(
  { urls, header }: WebhookTarget,
  from: number,
  count: number,
): Promise<{ times: number[]; rejected: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: number[] = [];
  let next = from;
  let rejected = 0;
  const one = async () => {
    while (next < from + count) {
      const id = next++;
      const user = 1_000 + (id % USERS);
      const person = { id: user, is_bot: false, first_name: "Ann" };
      const message = {
        message_id: id + 1,
        from: person,
        chat: { id: user, type: "private", first_name: "Ann" },
        date: 1,
        text: `message ${id}`,
      };
      const body = JSON.stringify({ update_id: id + 1, message });
      for (;;) {
        const began = performance.now();
        const status = await post(urls[id % urls.length] ?? "", agent, header, body);
        times.push(performance.now() - began);
        if (status < 400) break;
        rejected += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  agent.destroy();
  return { times, rejected };
}

function post(url: string, agent: Agent, header: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", [header]: "bench" };
    const asking = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 500));
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

/** Waits until all were answered, or until nothing arrived for three seconds, because some bots drop overlapping messages. */
export async function waitUntilSettled(
  api: string,
  count: number,
): Promise<{ readonly sent: number; readonly atMs: number }> {
  let last = { sent: -1, atMs: performance.now() };
  for (;;) {
    const sent = Number(await (await fetch(`${api}/sent`)).text());
    if (sent !== last.sent) last = { sent, atMs: performance.now() };
    if (sent >= count || performance.now() - last.atMs > 3_000) return last;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function spawnPart(file: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, "peers", file), ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

export async function readFirstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no stdout");
  const [line] = await once(child.stdout, "data");
  return String(line).trim();
}
