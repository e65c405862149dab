import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding as Told } from "@parley/core";
import {
  type Finding,
  fromPluginFinding,
  isProcessAlive,
  ok,
  problem,
  untranslated,
  warning,
} from "@parley/host/tooling";

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

export interface Service {
  readonly findings: readonly Finding[];
  /** True when a process uses the folder. */
  readonly isRunning: boolean;
  /** Address of the service. */
  readonly address?: string;
}

/** Examines the service of a data folder: its reachability and its own findings. */
export async function examineService({ data, version, token }: ServiceOptions): Promise<Service> {
  const instance = await readInstance(data);
  if (!instance || !isProcessAlive(instance.pid)) {
    return {
      isRunning: false,
      findings: [ok("service", { en: "no service works in this folder now", zh: "当前没有服务在使用此文件夹" })],
    };
  }
  const { pid, address } = instance;
  if (address === "") {
    const message = {
      en: `process ${pid} works in this folder and listens nowhere`,
      zh: `进程 ${pid} 正在使用此文件夹，但未监听任何地址`,
    };
    return { isRunning: true, findings: [ok("service", message)] };
  }
  const status = await fetchStatus(address, token);
  if (!status) {
    const message = {
      en: `process ${pid} has the folder, and does not answer at ${address}`,
      zh: `进程 ${pid} 正在使用此文件夹，但在 ${address} 没有应答`,
    };
    const advice = {
      en: "look into data/logs; restart it when it stays like that",
      zh: "请查看 data/logs；若一直如此，请重启服务",
    };
    const findings = [problem("service", message, advice)];
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
    ? ok("service", { en: `the service at ${address} is up`, zh: `${address} 的服务正在运行` })
    : problem(
        "service",
        { en: `the service at ${address} is not ready: ${phase}`, zh: `${address} 的服务未就绪：${phase}` },
        { en: "look into data/logs", zh: "请查看 data/logs" },
      );
  if (!status.components) {
    const message = {
      en: "set PARLEY_TOKEN to an API key with the scope 'read' to have its parts looked at",
      zh: "设置 PARLEY_TOKEN（具有 read 权限的 API 密钥）后可检查各组成部分",
    };
    return [up, ok("parts", message)];
  }
  const well = status.components
    .filter(({ state }) => state === "ok")
    .map(({ name }) => ok(name, { en: "well", zh: "正常" }));
  return [up, ...compareVersions(status, version), ...well, ...(await fetchFindings(address, token))];
}

/** Fetches the service's own findings; folder and machine are checked locally. */
async function fetchFindings(address: string, token: string | undefined): Promise<readonly Finding[]> {
  const found = await fetchData<{ readonly items: readonly Told[] }>(address, "/api/system/findings", token);
  if (!found) {
    const message = { en: "the service does not say what it finds wrong", zh: "服务未能说明哪里有问题" };
    return [warning("parts", message, { en: "look at console → Status", zh: "请查看控制台 → 状态" })];
  }
  return found.items.filter(({ key }) => !CHECKED_LOCALLY.has(key)).map(fromPluginFinding);
}

function compareVersions({ version = "" }: Status, own: string): readonly Finding[] {
  if (version === own) return [ok("version", untranslated(own))];
  const message = {
    en: `Parley ${version} runs, and ${own} is installed`,
    zh: `正在运行 Parley ${version}，已安装的是 ${own}`,
  };
  return [warning("version", message, { en: "restart the service", zh: "请重启服务" })];
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
