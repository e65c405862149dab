import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { AppError, type Clock, type Egress, type Environment, type Logger } from "@parley/core";
import { createLineTransport } from "../line-transport.ts";
import { startChild } from "./child-process.ts";
import { argumentsOf, checkStart } from "./command-rules.ts";
import type { Entry } from "./entry.ts";

/** Longer than any call may take: the protocol's own limits end it before. */
const CALL_MS = 11 * 60_000;
/** A stream of notices is quiet for long; keep-alives of servers come more often. */
const QUIET_MS = 24 * 3_600_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const FAREWELL_MS = 1_000;
const MESSAGES_PER_SECOND = 2_000;
const STARTS_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Between the end of a process's output and its own. */
const LAST_WORDS_MS = 500;
const PASSED_ON = ["PATH", "HOME", "LANG", "TZ"];

/** The way to a server, not yet spoken to. */
export interface Line {
  readonly transport: Transport;
  /** What is known of its end beside the error at hand: how a process ended, what it wrote. */
  cause(): string;
  /** Takes leave of the server and closes the client; ends the process, when there is one. */
  close(client: Pick<Client, "close">): Promise<void>;
}

export interface DialParts {
  readonly egress: Egress;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** The folder under which processes have theirs. */
  readonly folder: string;
  readonly allowedCommands: readonly string[];
  /** `mcp.stdio_enabled` */
  readonly isStdioEnabled: () => boolean;
}

/** Opens the way; refusals are `AppError`s of the contract. */
export function createDial(parts: DialParts): (entry: Entry) => Promise<Line> {
  const starts = new Map<string, readonly number[]>();
  const countStart = (id: string) => {
    const now = parts.clock.monotonic();
    const recent = (starts.get(id) ?? []).filter((time) => time > now - MINUTE_MS);
    if (recent.length >= STARTS_PER_MINUTE) {
      throw new AppError("rate_limited", `'${id}' was started ${STARTS_PER_MINUTE} times in a minute`, {
        retryAfterS: 60,
      });
    }
    starts.set(id, [...recent, now]);
  };
  return async (entry) => {
    if (entry.transport === "streamable-http") return overHttp(entry, parts);
    checkStdio(entry, parts);
    countStart(entry.id);
    return startProcess(entry, parts);
  };
}

/** `permission_denied` where processes are switched off or this one may not be started. */
export function checkStdio(
  entry: Pick<Entry, "command" | "args" | "env" | "env_names">,
  { allowedCommands, isStdioEnabled }: Pick<DialParts, "allowedCommands" | "isStdioEnabled">,
): void {
  if (!isStdioEnabled())
    throw new AppError("permission_denied", "servers that are started are switched off: mcp.stdio_enabled");
  checkStart(entry, allowedCommands);
}

async function startProcess(entry: Entry, parts: DialParts): Promise<Line> {
  const { environment, folder, log } = parts;
  const inherited = PASSED_ON.map((name) => [name, environment.get(name)] as const);
  const named = entry.env_names.map((name) => [name, secretOf(environment, name)] as const);
  const env = Object.fromEntries([...inherited, ...named].filter((pair) => pair[1] !== undefined)) as Record<
    string,
    string
  >;
  const child = await startChild({
    command: entry.command,
    args: argumentsOf(entry),
    env: { ...env, ...entry.env },
    folder: join(folder, entry.id),
  });
  const { stdin, stdout } = child.process;
  if (!stdin || !stdout) throw new AppError("internal", "a process without pipes");
  let fault = "";
  const transport = createLineTransport({
    input: stdout,
    output: stdin,
    mostPerSecond: MESSAGES_PER_SECOND,
    onNoise: (line) => log.debug("a server wrote what is no message", { server: entry.id, line: line.slice(0, 200) }),
    onEnd(error) {
      fault = error?.message ?? "";
      Promise.race([child.gone, wait(LAST_WORDS_MS)])
        .then(() => transport.close())
        .catch((thrown: unknown) => log.debug("a line could not be closed", { error: thrown }));
    },
  });
  return {
    transport,
    cause: () => [fault, child.epitaph()].filter(Boolean).join("; "),
    async close(client) {
      await client.close();
      await child.stop(fault !== "");
    },
  };
}

async function overHttp({ url, headers_env }: Entry, { egress, environment }: DialParts): Promise<Line> {
  const headers = Object.fromEntries(
    Object.entries(headers_env).map(([header, name]) => [header, secretOf(environment, name)]),
  );
  const call = egress.fetch({ reach: "private", timeoutMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES });
  const listen = egress.fetch({ reach: "private", timeoutMs: QUIET_MS, maxBytes: MAX_STREAM_BYTES });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: (address, init) => (init?.method === "GET" ? listen(address, init) : call(address, init)),
  });
  return {
    // Its optional members are typed more loosely than the interface they implement.
    transport: transport as Transport,
    cause: () => "",
    async close(client) {
      // So that the server need not wait for the end of an idle session; that it has gone is no matter.
      const farewell = transport.terminateSession().catch(() => {});
      await Promise.race([farewell, wait(FAREWELL_MS, undefined, { ref: false })]);
      await client.close();
    },
  };
}

function secretOf(environment: Environment, name: string): string {
  const value = environment.secret(name);
  if (value === undefined) throw new AppError("unavailable", `the variable ${name} is not set`);
  return value;
}

/** The HTTP status a server refused with; undefined for another failure. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof StreamableHTTPError ? error.code : undefined;
}
