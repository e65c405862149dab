import { CONTRACT_VERSION } from "@parley/core";

/** Why a plugin that was built for a contract cannot run here: the host runs those of its own and of the one before. */
export function contractProblem(built: number, ours: number = CONTRACT_VERSION): string | undefined {
  if (built === ours || isEarlier(built, ours)) return undefined;
  const what = `was built for contract ${built}, this host has contract ${ours}`;
  if (built > ours) return `${what}: update Parley, or install an earlier version of the package`;
  return `${what}: install a newer version of the package`;
}

/** What the author of a plugin should know that still runs: the next contract will refuse it. */
export function contractWarning(built: number, ours: number = CONTRACT_VERSION): string | undefined {
  if (!isEarlier(built, ours)) return undefined;
  return `was built for contract ${built}; contract ${ours} still runs it, the next one will not: build it again with @parley/core of contract ${ours}`;
}

function isEarlier(built: number, ours: number): boolean {
  return built === ours - 1 && built >= 1;
}
