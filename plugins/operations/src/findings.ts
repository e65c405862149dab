import {
  type Check,
  type Finding,
  type HostControl,
  inBothLanguages,
  type List,
  type Localized,
  listOf,
  type PluginStatus,
  type Probe,
  problemOf,
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
async function asked({ id, run }: Pick<Check, "id" | "run">): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    const { error, detail } = problemOf("too_late", { seconds: WITHIN_MS / 1_000 });
    timer = setTimeout(() => resolve([component(id, inBothLanguages(error, detail), "warning")]), WITHIN_MS);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return [component(id, plain(error), "warning")];
  } finally {
    clearTimeout(timer);
  }
}

async function ofProbe({ id, health }: Probe): Promise<readonly Finding[]> {
  try {
    const { status, detail } = (await health?.()) ?? { status: "ok", detail: "" };
    return status === "ok" ? [] : [component(id, inBothLanguages(detail), status === "down" ? "problem" : "warning")];
  } catch (error) {
    return [component(id, plain(error), "problem")];
  }
}

const plain = (error: unknown): Localized => inBothLanguages((error as Error).message);

const LOOK: Localized = { en: "check the log", zh: "请查看日志" };
const STORAGE: Localized = {
  en: "free up disk space, or give the folder back to the service's user",
  zh: "请清理磁盘，或将数据文件夹归还给运行服务的用户",
};

function component(name: string, reason: Localized, level: Finding["level"]): Finding {
  const isStorage = name === "storage";
  return {
    key: `component.${name}`,
    level,
    said: { en: `${name}: ${reason.en}`, zh: `${isStorage ? "存储" : name}：${reason.zh}` },
    advice: isStorage ? STORAGE : LOOK,
    parameters: { name, reason: reason.en },
  };
}

function ofPlugin({ id, failure, failure_detail: detail }: PluginStatus): readonly Finding[] {
  if (failure === null) return [];
  const reason = inBothLanguages(failure, detail);
  return [
    {
      key: "plugin",
      level: "problem",
      said: { en: `the plugin ${id} does not run: ${failure}`, zh: `插件 ${id} 未运行：${reason.zh}` },
      advice: {
        en: "fix its settings on the Plugins page, or switch it off",
        zh: "请在“插件”页面修正其设置，或将其关闭",
      },
      parameters: { plugin: id, reason: failure },
      page: "/plugins",
    },
  ];
}
