import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding as Told } from "@parley/core";
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
  return { isHeld: true, address, findings: await partsOf(status, { address, version, token }) };
}

async function partsOf(
  status: Status,
  { address, version, token }: Omit<ServiceExamined, "data"> & { readonly address: string },
): Promise<readonly Finding[]> {
  const named = `the service at ${address}`;
  const up = status.ready
    ? ok("service", `${named} is up`)
    : problem("service", `${named} is not ready: ${status.phase}`, "look into data/logs");
  if (!status.components) {
    return [up, ok("parts", "set PARLEY_TOKEN to an API key with the scope 'read' to have its parts looked at")];
  }
  const well = status.components.filter(({ state }) => state === "ok").map(({ name }) => ok(name, "well"));
  return [up, ...versionsOf(status, version), ...well, ...(await findingsOf(address, token))];
}

/** What the service itself finds wrong; the folder and the machine are looked at from here. */
async function findingsOf(address: string, token: string | undefined): Promise<readonly Finding[]> {
  const found = await askedOf<{ readonly items: readonly Told[] }>(address, "/api/system/findings", token);
  if (!found) return [warning("parts", "the service does not say what it finds wrong", "look at console → Status")];
  return found.items
    .filter(({ key }) => !key.startsWith("host."))
    .map(({ key, level, said, advice }) => ({ about: aboutOf(key), level, said, advice }));
}

/** `channels` of `channels.down`. */
function aboutOf(key: string): string {
  return key.split(".", 1)[0] ?? key;
}

function versionsOf({ version = "" }: Status, own: string): readonly Finding[] {
  if (version === own) return [ok("version", own)];
  return [warning("version", `Parley ${version} runs, and ${own} is installed`, "restart the service")];
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

function statusOf(address: string, token: string | undefined): Promise<Status | undefined> {
  return askedOf(address, "/api/startup-status", token);
}

async function askedOf<Data>(address: string, path: string, token: string | undefined): Promise<Data | undefined> {
  try {
    const answer = await fetch(`http://${address}${path}`, {
      signal: AbortSignal.timeout(WITHIN_MS),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    return answer.ok ? ((await answer.json()) as { readonly data: Data }).data : undefined;
  } catch {
    return undefined;
  }
}
