import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "@parley/core";
import type { Flags } from "../configuration.ts";
import type { HostOptions } from "../host-options.ts";
import { alertRulesOf } from "./alert-rules.ts";
import { type DeclaredMetrics, declaredMetrics } from "./declared-metrics.ts";
import { dashboardOf } from "./grafana.ts";

export interface DashboardFiles {
  /** Texts by the names of the files. */
  readonly files: Readonly<Record<string, string>>;
  readonly groups: readonly DeclaredMetrics[];
  readonly warnings: readonly string[];
}

/** A dashboard for Grafana and rules for Prometheus, of what the plugins of a configuration declare. Nothing is started. */
export async function dashboardFiles(options: HostOptions = {}): Promise<DashboardFiles> {
  const { groups, warnings } = await declaredMetrics(options);
  const files = {
    "parley-dashboard.json": `${JSON.stringify(dashboardOf(groups), undefined, 2)}\n`,
    "parley-alerts.yaml": alertRulesOf(groups),
  };
  return { files, groups, warnings };
}

export interface DashboardsCommand {
  readonly flags: Flags;
  readonly folder: string;
  print(line: string): void;
}

/** `parley dashboards <folder>`. */
export async function runDashboards({ flags, folder, print }: DashboardsCommand): Promise<void> {
  const { files, warnings } = await dashboardFiles({ flags });
  for (const warning of warnings) print(`note: ${warning}`);
  makeFolder(folder);
  for (const [name, text] of Object.entries(files)) {
    const file = join(resolve(folder), name);
    await writeFile(file, text, { mode: 0o644 });
    print(file);
  }
}
