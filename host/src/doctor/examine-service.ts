import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Finding, ok, problem, warning } from "./finding.ts";

const WITHIN_MS = 10_000;

interface Status {
  readonly ready: boolean;
  readonly phase: string;
  readonly version?: string;
  readonly error?: string | null;
  readonly components?: readonly { readonly name: string; readonly state: string; readonly error: string | null }[];
}

export interface ServiceExamined {
  readonly data: string;
  /** Of this command. */
  readonly version: string;
  /** A credential that may read; without it only whether the service is up is known. */
  readonly token: string | undefined;
}

export interface Service {
  readonly findings: readonly Finding[];
  /** A process has the folder. */
  readonly isHeld: boolean;
  /** Where it answers. */
  readonly address?: string;
}

/** The service that works in a data folder: whether it answers, and what its parts say of themselves. */
export async function examineService({ data, version, token }: ServiceExamined): Promise<Service> {
  const holder = await readHolder(data);
  if (!holder || !isAlive(holder.pid)) {
    return { isHeld: false, findings: [ok("service", "no service works in this folder now")] };
  }
  const { pid, address } = holder;
  if (address === "") {
    return { isHeld: true, findings: [ok("service", `process ${pid} works in this folder and listens nowhere`)] };
  }
  const status = await statusOf(address, token);
  if (!status) {
    const said = `process ${pid} has the folder, and does not answer at ${address}`;
    const findings = [problem("service", said, "look into data/logs; restart it when it stays like that")];
    return { isHeld: true, findings };
  }
  return { isHeld: true, address, findings: partsOf(status, address, version) };
}

function partsOf(status: Status, address: string, version: string): readonly Finding[] {
  const named = `the service at ${address}`;
  const up = status.ready
    ? ok("service", `${named} is up`)
    : problem("service", `${named} is not ready: ${status.phase}`, "look into data/logs");
  if (!status.components) {
    return [up, ok("parts", "set PARLEY_TOKEN to an API key with the scope 'read' to have its parts looked at")];
  }
  return [up, ...versionsOf(status, version), ...status.components.map(partOf)];
}

function versionsOf({ version = "" }: Status, own: string): readonly Finding[] {
  if (version === own) return [ok("version", own)];
  return [warning("version", `Parley ${version} runs, and ${own} is installed`, "restart the service")];
}

const ADVICE: Readonly<Record<string, string>> = {
  storage: "make room on the disk, or give the folder back to the user of the service",
  models: "console → Models: test the model; look at its key, its address and its limits",
  gateway: "console → Gateway: look at what waits and at what could not be delivered",
  channels: "console → Channels: test the channel that is named",
  settings: "repair data/settings.json: the last good values are in force",
};

function partOf({ name, state, error }: NonNullable<Status["components"]>[number]): Finding {
  if (state === "ok") return ok(name, "well");
  const advice = ADVICE[name] ?? "console → Status, and the log";
  return (state === "down" ? problem : warning)(name, error ?? state, advice);
}

async function readHolder(data: string) {
  try {
    const text = await readFile(join(data, "instance.json"), "utf8");
    return JSON.parse(text) as { readonly pid: number; readonly address: string };
  } catch {
    // Nobody has it, or is just taking it.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function statusOf(address: string, token: string | undefined): Promise<Status | undefined> {
  try {
    const answer = await fetch(`http://${address}/api/startup-status`, {
      signal: AbortSignal.timeout(WITHIN_MS),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    return ((await answer.json()) as { readonly data: Status }).data;
  } catch {
    return undefined;
  }
}
