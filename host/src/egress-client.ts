import { AppError, type EgressPolicy } from "@parley/core";
import { Agent, fetch as undiciFetch } from "undici";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** The addresses of a name; refuses when one of them is out of reach. */
export type Lookup = (name: string, reach: EgressPolicy["reach"]) => Promise<readonly Address[]>;
export type Send = (url: URL, init: RequestInit, policy: EgressPolicy) => Promise<Response>;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Sends requests by undici, whose 5 MB are loaded with the first of them. */
export function createClient(lookup: Lookup): Send {
  const agents = new Map<string, Agent>();
  const agentFor = (policy: EgressPolicy): Agent => {
    const key = `${policy.reach} ${policy.timeoutMs} ${policy.maxBytes}`;
    const agent = agents.get(key) ?? createAgent(policy, lookup);
    agents.set(key, agent);
    return agent;
  };
  return async (url, init, policy) => {
    try {
      const dispatcher = agentFor(policy);
      return (await undiciFetch(url.href, { ...init, dispatcher } as never)) as unknown as Response;
    } catch (error) {
      throw known(error, url);
    }
  };
}

function createAgent({ reach, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: EgressPolicy, find: Lookup): Agent {
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBytes,
    keepAliveTimeout: 4_000,
    connect: {
      timeout: Math.min(timeoutMs, 10_000),
      lookup(name, options, callback) {
        find(name, reach).then(
          (found) => {
            const [{ address, family } = { address: "", family: 0 }] = found;
            if (options.all) callback(null, [...found] as never);
            else callback(null, address, family);
          },
          (error) => callback(error, "", 0),
        );
      },
    },
  });
}

function known(error: unknown, { host }: URL): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (AppError.is(cause)) return cause;
  if (error instanceof Error && error.name === "AbortError") return error;
  const code = (cause as { code?: string }).code ?? "";
  if (/TIMEOUT/.test(code)) return new AppError("timed_out", `${host} did not answer in time`, { cause: error });
  if (/EXCEEDED/.test(code)) return new AppError("too_large", `${host} sent too much`, { cause: error });
  return new AppError("upstream_failed", `${host} cannot be reached${code && ` (${code})`}`, { cause: error });
}
