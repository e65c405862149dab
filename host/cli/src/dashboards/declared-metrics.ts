import { type Metric, Probes } from "@parley/core";
import { type HostOptions, StartError } from "@parley/host";
import { HOST_METRICS, isFirstParty, sentence } from "@parley/host/tooling";
import { registerPlugins } from "../check/check-configuration.ts";

/** The metrics of a plugin, in the order in which it declares them. */
export interface DeclaredMetrics {
  readonly plugin: string;
  readonly metrics: readonly Metric[];
}

/** Collects the metrics of a configuration without a start. A third-party plugin that fails is left out. */
export async function collectDeclaredMetrics(
  options: HostOptions = {},
): Promise<{ readonly groups: readonly DeclaredMetrics[]; readonly warnings: readonly string[] }> {
  const { configuration, generation } = await registerPlugins(options);
  const problems = [...configuration.problems, ...generation.problems];
  const warnings: string[] = [];
  const isThirdParty = new Set(
    generation.status().flatMap(({ id, package: name }) => (isFirstParty(name) ? [] : [id])),
  );
  const groups = new Map<string, readonly Metric[]>([["process", HOST_METRICS]]);
  for (const { plugin, ...probe } of generation.unstarted(Probes)) {
    if ("failure" in probe) {
      const message = sentence("of_plugin", { id: plugin, reason: probe.failure });
      if (isThirdParty.has(plugin)) warnings.push(message.en);
      else problems.push(message);
    } else groups.set(plugin, [...(groups.get(plugin) ?? []), ...(probe.made.metrics ?? [])]);
  }
  if (problems.length > 0) throw new StartError(problems);
  return {
    groups: [...groups].flatMap(([plugin, metrics]) => (metrics.length === 0 ? [] : [{ plugin, metrics }])),
    warnings,
  };
}
