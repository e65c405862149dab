import {
  type Check,
  type Finding,
  type HostControl,
  type Localized,
  localizeMessage,
  type PluginStatus,
  type Probe,
  toSharedProblem,
} from "@parley/core";
import { resolveWithin } from "@parley/core/async";
import { type List, toPage } from "@parley/core/http";
import { operationsTexts } from "../texts.ts";

const CHECK_TIMEOUT_MS = 5_000;
const ALL_ITEMS = { limit: 500, offset: 0 };

export interface FindingsDeps {
  readonly host: Pick<HostControl, "examine" | "plugins">;
  readonly checks: () => readonly Check[];
  readonly probes: () => readonly Probe[];
}

/** Collects all findings, the most severe first; empty when there are none. */
export async function collectFindings({ host, checks, probes }: FindingsDeps): Promise<List<Finding>> {
  const known = checks();
  const ids = new Set(known.map(({ id }) => id));
  const found = await Promise.all([
    runCheck({ id: "host", run: host.examine }),
    ...known.map(runCheck),
    // Probes of parts without checks report only their own health.
    ...probes()
      .filter(({ id, health }) => health !== undefined && !ids.has(id))
      .map(toProbeFindings),
    ...host.plugins().map(toPluginFindings),
  ]);
  const problems = found.flat();
  return toPage(
    problems.toSorted((a, b) => getRank(a) - getRank(b)),
    ALL_ITEMS,
  );
}

const getRank = ({ level }: Finding): number => (level === "problem" ? 0 : 1);

/** Runs a check with a timeout. A check that does not answer is reported itself, and does not delay the others. */
async function runCheck({ id, run }: Pick<Check, "id" | "run">): Promise<readonly Finding[]> {
  const { error: message, detail } = toSharedProblem("too_late", { seconds: CHECK_TIMEOUT_MS / 1_000 });
  const late = [createComponentFinding(id, localizeMessage(message, detail), "warning")];
  try {
    return await resolveWithin(run(), CHECK_TIMEOUT_MS, late);
  } catch (error) {
    return [createComponentFinding(id, toLocalized(error), "warning")];
  }
}

async function toProbeFindings({ id, health }: Probe): Promise<readonly Finding[]> {
  try {
    const { status, detail } = (await health?.()) ?? { status: "ok", detail: "" };
    return status === "ok"
      ? []
      : [createComponentFinding(id, localizeMessage(detail), status === "down" ? "problem" : "warning")];
  } catch (error) {
    return [createComponentFinding(id, toLocalized(error), "problem")];
  }
}

const toLocalized = (error: unknown): Localized => localizeMessage((error as Error).message);

function createComponentFinding(name: string, reason: Localized, level: Finding["level"]): Finding {
  const isStorage = name === "storage";
  return {
    key: `component.${name}`,
    level,
    said: operationsTexts.localized("finding_component", {
      name: isStorage ? operationsTexts.localized("storage") : name,
      reason,
    }),
    advice: operationsTexts.localized(isStorage ? "finding_storage_advice" : "finding_component_advice"),
    parameters: { name, reason: reason.en },
  };
}

function toPluginFindings({ id, failure, failure_detail: detail }: PluginStatus): readonly Finding[] {
  if (failure === null) return [];
  const reason = localizeMessage(failure, detail);
  return [
    {
      key: "plugin",
      level: "problem",
      said: operationsTexts.localized("finding_plugin", { id, reason }),
      advice: operationsTexts.localized("finding_plugin_advice"),
      parameters: { plugin: id, reason: failure },
      page: "/plugins",
    },
  ];
}
