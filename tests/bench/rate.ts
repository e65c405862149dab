import { Agent, request } from "node:http";

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the n-th request. */
  readonly body: (n: number) => string;
  readonly connections: number;
  readonly requests: number;
  /** Requests per second in total; absent: as many as possible. */
  readonly pace?: number;
}

/** Sends requests at the given rate and measures successful responses; throws when one fails. */
export async function measure({ url, headers, body, connections, requests, pace }: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const begun = performance.now();
  let sent = 0;
  const one = async () => {
    while (sent < requests) {
      const n = sent++;
      if (pace !== undefined) await waitUntil(begun + (n / pace) * 1000);
      const at = performance.now();
      await post(new URL(url), agent, { "content-type": "application/json", ...headers }, body(n));
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / ((performance.now() - begun) / 1000), p50Ms: at(0.5), p99Ms: at(0.99) };
}

function post(url: URL, agent: Agent, headers: Record<string, string>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.on("end", () => {
        if ((response.statusCode ?? 500) < 300) resolve();
        else reject(new Error(`${url.pathname} answered ${response.statusCode}`));
      });
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

function waitUntil(at: number): Promise<void> {
  const wait = at - performance.now();
  return wait <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait));
}
