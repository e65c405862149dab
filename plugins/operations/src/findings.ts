import {
  type Check,
  type Finding,
  type HostControl,
  type List,
  listOf,
  type PluginStatus,
  type Probe,
} from "@parley/core";

const WITHIN_MS = 5_000;
const ALL = { limit: 500, offset: 0 };

export interface FindingsParts {
  readonly host: Pick<HostControl, "examine" | "plugins">;
  readonly checks: () => readonly Check[];
  readonly probes: () => readonly Probe[];
}

/** Everything that is not as it should be, the worst first; empty when all is well. */
export async function findingsOf({ host, checks, probes }: FindingsParts): Promise<List<Finding>> {
  const known = checks();
  const ids = new Set(known.map(({ id }) => id));
  const found = await Promise.all([
    asked({ id: "host", run: host.examine }),
    ...known.map(asked),
    // Parts that look after nothing more than their own health.
    ...probes()
      .filter(({ id, health }) => health !== undefined && !ids.has(id))
      .map(ofProbe),
    ...host.plugins().map(ofPlugin),
  ]);
  const problems = found.flat();
  return listOf(
    problems.toSorted((a, b) => rank(a) - rank(b)),
    ALL,
  );
}

const rank = ({ level }: Finding): number => (level === "problem" ? 0 : 1);

/** One that does not answer is found wanting itself, and holds up nobody. */
async function asked({ id, run }: Check): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${WITHIN_MS / 1_000} s`)), WITHIN_MS);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return [component(id, (error as Error).message, "warning")];
  } finally {
    clearTimeout(timer);
  }
}

async function ofProbe({ id, health }: Probe): Promise<readonly Finding[]> {
  try {
    const { status, detail } = (await health?.()) ?? { status: "ok", detail: "" };
    return status === "ok" ? [] : [component(id, detail, status === "down" ? "problem" : "warning")];
  } catch (error) {
    return [component(id, (error as Error).message, "problem")];
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  storage: "make room on the disk, or give the folder back to the user of the service",
  settings: "repair data/settings.json: the last good values are in force",
};

function component(name: string, reason: string, level: Finding["level"]): Finding {
  return {
    key: `component.${ADVICE[name] === undefined ? "other" : name}`,
    level,
    said: `${name}: ${reason}`,
    advice: ADVICE[name] ?? "look into the log",
    parameters: { name, reason },
  };
}

function ofPlugin({ id, failure }: PluginStatus): readonly Finding[] {
  if (failure === null) return [];
  return [
    {
      key: "plugin",
      level: "problem",
      said: `the plugin ${id} does not run: ${failure}`,
      advice: "mend its settings on the page Plugins, or switch it off",
      parameters: { plugin: id, reason: failure },
      page: "/plugins",
    },
  ];
}
