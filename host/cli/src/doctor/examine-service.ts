import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding as Told } from "@parley/core";
import {
  type Finding,
  fromPluginFinding,
  isProcessAlive,
  toOk,
  toProblem,
  toWarning,
  untranslated,
} from "@parley/host/tooling";
import { cliTexts } from "../texts.ts";

const TIMEOUT_MS = 10_000;
/** Finding keys that the doctor checks itself, with or without a service. */
const CHECKED_LOCALLY = new Set([
  "host.disk",
  "host.rights",
  "host.backups",
  "host.no_backups",
  "host.version",
  "host.unread",
]);

interface Status {
  readonly ready: boolean;
  readonly phase: string;
  readonly version?: string;
  readonly error?: string | null;
  readonly components?: readonly { readonly name: string; readonly state: string; readonly error: string | null }[];
}

export interface ServiceOptions {
  readonly data: string;
  readonly version: string;
  /** Credential with read access; without it, only reachability is checked. */
  readonly token: string | undefined;
}

export interface ServiceExamination {
  readonly findings: readonly Finding[];
  /** True when a process uses the folder. */
  readonly isRunning: boolean;
  /** Address of the service. */
  readonly address?: string;
}

/** Examines the service of a data folder: its reachability and its own findings. */
export async function examineService({ data, version, token }: ServiceOptions): Promise<ServiceExamination> {
  const instance = await readInstance(data);
  if (!instance || !isProcessAlive(instance.pid)) {
    return {
      isRunning: false,
      findings: [toOk("service", cliTexts.localized("service_none"))],
    };
  }
  const { pid, address } = instance;
  if (address === "") {
    return { isRunning: true, findings: [toOk("service", cliTexts.localized("service_silent", { pid }))] };
  }
  const status = await fetchStatus(address, token);
  if (!status) {
    const message = cliTexts.localized("service_unreachable", { pid, address });
    const advice = cliTexts.localized("service_unreachable_advice");
    const findings = [toProblem("service", message, advice)];
    return { isRunning: true, findings };
  }
  return { isRunning: true, address, findings: await examineParts(status, { address, version, token }) };
}

async function examineParts(
  status: Status,
  { address, version, token }: Omit<ServiceOptions, "data"> & { readonly address: string },
): Promise<readonly Finding[]> {
  const { phase } = status;
  const up = status.ready
    ? toOk("service", cliTexts.localized("service_up", { address }))
    : toProblem(
        "service",
        cliTexts.localized("service_not_ready", { address, phase }),
        cliTexts.localized("service_logs"),
      );
  if (!status.components) {
    return [up, toOk("parts", cliTexts.localized("service_token"))];
  }
  const well = status.components
    .filter(({ state }) => state === "ok")
    .map(({ name }) => toOk(name, cliTexts.localized("component_ok")));
  return [up, ...compareVersions(status, version), ...well, ...(await fetchFindings(address, token))];
}

/** Fetches the service's own findings; folder and machine are checked locally. */
async function fetchFindings(address: string, token: string | undefined): Promise<readonly Finding[]> {
  const found = await fetchData<{ readonly items: readonly Told[] }>(address, "/api/system/findings", token);
  if (!found) {
    return [toWarning("parts", cliTexts.localized("findings_unread"), cliTexts.localized("findings_page"))];
  }
  return found.items.filter(({ key }) => !CHECKED_LOCALLY.has(key)).map(fromPluginFinding);
}

function compareVersions({ version = "" }: Status, own: string): readonly Finding[] {
  if (version === own) return [toOk("version", untranslated(own))];
  const message = cliTexts.localized("version_differs", { running: version, installed: own });
  return [toWarning("version", message, cliTexts.localized("restart"))];
}

async function readInstance(data: string) {
  try {
    const text = await readFile(join(data, "instance.json"), "utf8");
    return JSON.parse(text) as { readonly pid: number; readonly address: string };
  } catch {
    // The folder is unused, or a process is just claiming it.
    return undefined;
  }
}

function fetchStatus(address: string, token: string | undefined): Promise<Status | undefined> {
  return fetchData(address, "/api/startup-status", token);
}

async function fetchData<Data>(address: string, path: string, token: string | undefined): Promise<Data | undefined> {
  try {
    const answer = await fetch(`http://${address}${path}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    });
    return answer.ok ? ((await answer.json()) as { readonly data: Data }).data : undefined;
  } catch {
    return undefined;
  }
}
