import { AppError, type Localized, type Logger } from "@parley/core";
import type { ReportFailure } from "../plugins/declare-plugins.ts";
import { sentence, verbatim } from "../sentences.ts";

export interface PluginFailure {
  readonly id: string;
  readonly reason: Localized;
  readonly error: unknown;
  readonly isThirdParty: boolean;
  /** True when another plugin's failure is the cause. */
  readonly isConsequence: boolean;
}

/** Failures in one set of plugins, at most one for each plugin. */
export interface PluginFailures {
  readonly report: ReportFailure;
  has(id: string): boolean;
  reason(id: string): Localized | undefined;
  /** Reasons that stop the start: those of first-party plugins. Plugins with the same reason share a sentence. */
  problems(): readonly Localized[];
  /** Logs the failures so far; later ones are logged at once. */
  log(): void;
}

export function createPluginFailures(log: Logger): PluginFailures {
  const failures = new Map<string, PluginFailure>();
  let isLogging = false;
  const getFatal = () => [...failures.values()].filter((one) => !one.isThirdParty && !one.isConsequence);
  return {
    report({ entry: { id }, isThirdParty }, reason, { error, isConsequence = false } = {}) {
      if (failures.has(id)) return;
      const failure = { id, reason, error, isThirdParty, isConsequence };
      failures.set(id, failure);
      if (isLogging) logFailures(log, [failure]);
    },
    has: (id) => failures.has(id),
    reason: (id) => failures.get(id)?.reason,
    problems: () => groupByReason(getFatal()).map(toProblem),
    log() {
      isLogging = true;
      // When no plugin runs, the reason alone is sufficient.
      const isAllDown = getFatal().length > 0;
      const shown = [...failures.values()].filter(({ isConsequence }) => !isAllDown || !isConsequence);
      for (const group of groupByReason(shown)) logFailures(log, group);
    },
  };
}

type Group = readonly [PluginFailure, ...PluginFailure[]];

function groupByReason(failures: readonly PluginFailure[]): readonly Group[] {
  const groups = Map.groupBy(failures, ({ reason, isThirdParty }) => `${isThirdParty} ${reason.en}`);
  return [...groups.values()] as unknown as readonly Group[];
}

function toProblem(group: Group): Localized {
  const [{ id, reason }] = group;
  if (group.length === 1) return sentence("of_plugin", { id, reason });
  return sentence("of_plugins", { ids: listIds(group), reason });
}

function listIds(group: Group): Localized {
  const ids = group.map(({ id }) => id);
  return { ...verbatim(`'${ids.join("', '")}'`), zh: `“${ids.join("”、“")}”` };
}

/** Logs one line for each reason; first-party reasons are also part of the start error. */
function logFailures(log: Logger, group: Group): void {
  const [{ id, reason, error, isThirdParty }] = group;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const isOne = group.length === 1;
  log[isThirdParty ? "warn" : "error"](
    isOne ? `plugin '${id}' is left out: ${reason.en}` : `plugins ${listIds(group).en} are left out: ${reason.en}`,
    {
      plugin: id,
      // Errors with a message of ours need no stack.
      ...(cause !== undefined && !AppError.is(cause) && { error: cause }),
    },
  );
}
