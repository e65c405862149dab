import { CONTRACT_VERSION, type Localized } from "@parley/core";
import { sentence } from "../sentences.ts";

/** Returns the reason a plugin's contract version cannot run here; the host runs the current and the previous one. */
export function findContractProblem(built: number, ours: number = CONTRACT_VERSION): Localized | undefined {
  if (built === ours || isPreviousContract(built, ours)) return undefined;
  return sentence(built > ours ? "newer_contract" : "older_contract", { built, ours });
}

/** Returns the warning for a plugin of the previous contract, which the next one will reject. */
export function createContractWarning(built: number, ours: number = CONTRACT_VERSION): string | undefined {
  if (!isPreviousContract(built, ours)) return undefined;
  return `was built for contract ${built}; contract ${ours} still runs it, the next one will not: build it again with @parley/core of contract ${ours}`;
}

function isPreviousContract(built: number, ours: number): boolean {
  return built === ours - 1 && built >= 1;
}
