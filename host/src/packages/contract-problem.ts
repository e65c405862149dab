import { CONTRACT_VERSION, type Localized } from "@parley/core";
import { sentence } from "../sentences.ts";

/** Why a plugin that was built for a contract cannot run here: the host runs those of its own and of the one before. */
export function contractProblem(built: number, ours: number = CONTRACT_VERSION): Localized | undefined {
  if (built === ours || isPreviousContract(built, ours)) return undefined;
  return sentence(built > ours ? "newer_contract" : "older_contract", { built, ours });
}

/** What the author of a plugin should know that still runs: the next contract will refuse it. */
export function contractWarning(built: number, ours: number = CONTRACT_VERSION): string | undefined {
  if (!isPreviousContract(built, ours)) return undefined;
  return `was built for contract ${built}; contract ${ours} still runs it, the next one will not: build it again with @parley/core of contract ${ours}`;
}

function isPreviousContract(built: number, ours: number): boolean {
  return built === ours - 1 && built >= 1;
}
