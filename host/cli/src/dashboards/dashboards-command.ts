import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Flags, HostOptions } from "@parley/host";
import { makeFolder } from "@parley/host/tooling";
import { createAlertRules } from "./alert-rules.ts";
import { collectDeclaredMetrics, type DeclaredMetrics } from "./declared-metrics.ts";
import { createDashboard } from "./grafana.ts";

export interface DashboardFiles {
  /** Contents by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly groups: readonly DeclaredMetrics[];
  readonly warnings: readonly string[];
}

/** Generates a Grafana dashboard and Prometheus rules from the metrics that the plugins of a configuration declare. Starts nothing. */
export async function createDashboardFiles(options: HostOptions = {}): Promise<DashboardFiles> {
  const { groups, warnings } = await collectDeclaredMetrics(options);
  const files = {
    "parley-dashboard.json": `${JSON.stringify(createDashboard(groups), undefined, 2)}\n`,
    "parley-alerts.yaml": createAlertRules(groups),
  };
  return { files, groups, warnings };
}

export interface DashboardsOptions {
  readonly flags: Flags;
  readonly folder: string;
  print(line: string): void;
}

/** Runs `parley dashboards <folder>`. */
export async function runDashboards({ flags, folder, print }: DashboardsOptions): Promise<void> {
  const { files, warnings } = await createDashboardFiles({ flags });
  for (const warning of warnings) print(`note: ${warning}`);
  makeFolder(folder);
  for (const [name, text] of Object.entries(files)) {
    const file = join(resolve(folder), name);
    await writeFile(file, text, { mode: 0o644 });
    print(file);
  }
}
