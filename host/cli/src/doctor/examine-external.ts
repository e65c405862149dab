import type { Check } from "@parley/core";
import { type Finding, fromPluginFinding, ok } from "@parley/host/tooling";

const REACHABLE = { en: "what is kept elsewhere can be reached", zh: "存放在别处的内容可以访问" };

/** Runs the plugins' checks of external systems, without a running service. */
export async function examineExternal(checks: readonly Check[]): Promise<readonly Finding[]> {
  const checked = checks.map(async ({ id, elsewhere }) => {
    if (!elsewhere) return [];
    const problems = (await elsewhere()).map(fromPluginFinding);
    return problems.length > 0 ? problems : [ok(id, REACHABLE)];
  });
  return (await Promise.all(checked)).flat();
}
