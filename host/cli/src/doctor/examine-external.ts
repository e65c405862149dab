import type { Check } from "@parley/core";
import { type Finding, fromPluginFinding, toOk } from "@parley/host/tooling";
import { cliTexts } from "../texts.ts";

const REACHABLE = cliTexts.localized("external_ok");

/** Runs the plugins' checks of external systems, without a running service. */
export async function examineExternal(checks: readonly Check[]): Promise<readonly Finding[]> {
  const checked = checks.map(async ({ id, elsewhere }) => {
    if (!elsewhere) return [];
    const problems = (await elsewhere()).map(fromPluginFinding);
    return problems.length > 0 ? problems : [toOk(id, REACHABLE)];
  });
  return (await Promise.all(checked)).flat();
}
