import { basename } from "node:path";
import {
  type BrokenFile,
  type Caller,
  type Finding,
  type HostControl,
  notFound,
  type RouteTable,
  reply,
  route,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { type Machine, machineData } from "../reports/machine.ts";
import { configReloadData, findingList, reloadData, restartData, startStatusData } from "../response-schemas.ts";
import { reloadBody, restartBody } from "../schema.ts";
import { operationsTexts } from "../texts.ts";

export interface SystemRoutesDeps {
  readonly host: HostControl;
  readonly status: (caller: Caller) => Promise<object>;
  readonly findings: () => Promise<List<Finding>>;
  readonly machine: () => Promise<Machine>;
  /** Files that people edit and that cannot be used. */
  readonly listBrokenFiles: () => readonly BrokenFile[];
  /** Returns files with values that do not apply. */
  readonly listInvalidFiles: () => readonly BrokenFile[];
  readonly now: () => number;
}

export function createSystemRoutes(deps: SystemRoutesDeps): RouteTable {
  const { host, status, findings, machine, listBrokenFiles, listInvalidFiles, now } = deps;
  return [
    route({
      method: "GET",
      path: "/api/startup-status",
      summary: "whether the service is up",
      data: startStatusData,
      auth: "open",
      run: ({ caller }) => status(caller),
    }),
    route({
      method: "GET",
      path: "/api/system/findings",
      summary: "list problems, with advice on each",
      data: findingList,
      run: findings,
    }),
    route({
      method: "GET",
      path: "/api/system/machine",
      summary: "processor, memory and disk",
      data: machineData,
      run: machine,
    }),
    route({
      method: "POST",
      path: "/api/system/reload-core",
      summary: "load the plugins anew, without losing a message",
      data: reloadData,
      scope: "admin",
      body: reloadBody,
      timeoutMs: 120_000,
      run({ body }) {
        rejectBrokenFiles(listBrokenFiles());
        return reloadPlugins(host, body.packages);
      },
    }),
    route({
      method: "POST",
      path: "/api/system/reload-config",
      summary: "read the configuration anew",
      data: configReloadData,
      scope: "admin",
      run() {
        rejectBrokenFiles([...listBrokenFiles(), ...listInvalidFiles()]);
        return host.reloadConfig();
      },
    }),
    route({
      method: "POST",
      path: "/api/system/restart",
      summary: "end the service in order and start it again",
      data: restartData,
      scope: "admin",
      body: restartBody,
      timeoutMs: 120_000,
      run: ({ body, caller }) => restartHost(host, now, body.confirm, caller),
    }),
  ];
}

async function reloadPlugins(host: HostControl, packages: readonly string[] | undefined) {
  const known = new Set(host.plugins().map(({ id }) => id));
  for (const id of packages ?? []) if (!known.has(id)) throw notFound("package", id);
  const result = await host.reload(packages);
  const counts = { reloaded_count: result.reloaded.length, failed_count: result.failed.length };
  return reply({ data: { ...result, ...counts }, message: result.failed[0]?.error ?? "" });
}

async function restartHost(host: HostControl, now: () => number, isConfirmed: boolean, { username }: Caller) {
  if (!isConfirmed) throw operationsTexts.error("confirmation_required", "restart_confirm");
  const asked_at = new Date(now()).toISOString();
  await host.restart(`${username} asked for a restart`);
  return reply({ data: { asked_at }, status: 202 });
}

/** Throws where a file is broken, since its content would not apply after the reload either. */
function rejectBrokenFiles([first]: readonly BrokenFile[]): void {
  if (!first) return;
  throw operationsTexts.error("bad_request", "file_broken", { file: basename(first.path), reason: first.problem });
}
