import Joi from "@hapi/joi";
import {
  type Check,
  type Clock,
  type Collection,
  type DocumentKind,
  type Egress,
  type HostControl,
  type JobKind,
  jobKind,
  type Schedules,
  type Settings,
  setting,
} from "@parley/core";
import { operationsTexts } from "../texts.ts";

const UPDATES_JOB = "operations.updates";
const NIGHTLY_CRON = "10 4 * * *";
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 20_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Package that stands for all first-party ones, which share one version. */
const HOST_PACKAGE = "@parley/host";
const FIRST_PARTY = /^@parley\//;

const CHECK_SETTING = setting<boolean>({
  key: "updates.check",
  schema: Joi.boolean().default(false),
  title: { en: "Check for updates", zh: "检查更新" },
  help: {
    en: "Asks the package registry once a night whether Parley and the added packages have newer versions. The registry learns their names and this machine's address. Nothing is installed.",
    zh: "每晚向软件包仓库查询 Parley 与已添加的包是否有新版本。仓库会得知这些包的名称和本机地址。不会安装任何内容。",
  },
  group: "system",
});
const REGISTRY_SETTING = setting<string>({
  key: "updates.registry",
  schema: Joi.string()
    .uri({ scheme: ["http", "https"] })
    .max(500)
    .default("https://registry.npmjs.org"),
  title: { en: "Registry for update checks", zh: "检查更新所用的仓库" },
  help: { en: "An npm registry, which can be your own.", zh: "npm 仓库，也可以使用自建仓库。" },
  group: "system",
});
export const UPDATE_SETTINGS = [CHECK_SETTING, REGISTRY_SETTING] as const;

/** Newest version of a package in the registry; `id` is the name of the package. */
export interface KnownVersion {
  readonly id: string;
  readonly latest: string;
  readonly at: string;
}

export const KNOWN_VERSIONS: DocumentKind<KnownVersion> = { name: "known-versions" };

export interface UpdatesDeps {
  readonly host: Pick<HostControl, "plugins" | "version">;
  readonly settings: Settings;
  readonly known: Collection<KnownVersion>;
  readonly egress: Pick<Egress, "fetch">;
  readonly clock: Pick<Clock, "now">;
}

/** Creates the job that asks the registry for the newest versions; it fails while the setting is off. */
export function createUpdatesJob(deps: () => UpdatesDeps): JobKind {
  return jobKind({
    kind: UPDATES_JOB,
    titles: { en: "Check for updates", zh: "检查更新" },
    schema: Joi.object({}),
    concurrency: 1,
    retry: { attempts: 3, firstDelayMs: 60_000, maxDelayMs: HOUR_MS },
    timeoutMs: HOUR_MS,
    async run(_payload, { log, signal }) {
      const { host, settings, known, egress, clock } = deps();
      if (!settings.get(CHECK_SETTING)) throw operationsTexts.error("permission_denied", "no_asking");
      // An administrator entered the address; only a version is read from the response.
      const ask = egress.fetch({ reach: "private", timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
      const installed = listInstalledPackages(host);
      for (const name of installed.keys()) {
        const latest = await fetchLatestVersion(ask, settings.get(REGISTRY_SETTING), name, signal);
        log(`${name}: ${latest ?? "the registry does not have it"}`);
        if (latest === undefined) await known.remove(name);
        else await known.put({ id: name, latest, at: new Date(clock.now()).toISOString() });
      }
      for (const { id } of await known.list()) if (!installed.has(id)) await known.remove(id);
    },
  });
}

/** Schedules the nightly check while the setting is on. Returns the function that stops following the setting. */
export async function scheduleUpdates(schedules: Schedules, settings: Settings, failed: (error: unknown) => void) {
  const put = (enabled: boolean) =>
    schedules.put({
      id: UPDATES_JOB,
      kind: UPDATES_JOB,
      payload: {},
      cron: NIGHTLY_CRON,
      enabled,
      madeUpWithinMs: 24 * HOUR_MS,
    });
  await put(settings.get(CHECK_SETTING));
  return settings.watch(CHECK_SETTING, (isOn) => void put(isOn).catch(failed));
}

/** Creates the check for outdated packages by the registry's last answer; it reports nothing while disabled. */
export function createUpdatesCheck(deps: () => UpdatesDeps): Check {
  return {
    id: "updates",
    async run() {
      const { host, settings, known } = deps();
      if (!settings.get(CHECK_SETTING)) return [];
      const installed = listInstalledPackages(host);
      return (await known.list()).flatMap(({ id, latest }) => {
        const version = installed.get(id);
        return version !== undefined && isNewer(latest, version) ? [createUpdateFinding(id, version, latest)] : [];
      });
    },
  };
}

function createUpdateFinding(name: string, version: string, latest: string) {
  const shown = name === HOST_PACKAGE ? "Parley" : name;
  return {
    key: "updates.newer",
    level: "warning" as const,
    said: operationsTexts.localized("finding_update", { name: shown, latest, version }),
    advice:
      name === HOST_PACKAGE
        ? operationsTexts.localized("finding_update_own_advice")
        : operationsTexts.localized("finding_update_advice", { name, latest }),
    parameters: { package: name, version, latest },
    page: "/plugins",
  };
}

/** Returns versions by package: one for all first-party packages, and those of added packages. */
function listInstalledPackages({ plugins, version }: UpdatesDeps["host"]): ReadonlyMap<string, string> {
  const added = plugins().filter((one) => one.version !== "" && !FIRST_PARTY.test(one.package));
  return new Map([[HOST_PACKAGE, version], ...added.map((one) => [one.package, one.version] as const)]);
}

async function fetchLatestVersion(ask: typeof fetch, registry: string, name: string, signal: AbortSignal) {
  const address = `${registry.replace(/\/+$/, "")}/${name.replace("/", "%2f")}/latest`;
  const answer = await ask(address, { signal, headers: { accept: "application/json" } });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw operationsTexts.error("upstream_failed", "registry_answers", { status: answer.status, name });
  const { version } = (await answer.json()) as { readonly version?: unknown };
  if (typeof version === "string" && /^\d+\.\d+\.\d+[\w.+-]{0,60}$/.test(version)) return version;
  throw operationsTexts.error("upstream_failed", "registry_silent", { name });
}

/** Compares by semantic versioning; a release is newer than its pre-releases, which count as equal to each other. */
export function isNewer(latest: string, installed: string): boolean {
  const [a, b] = [parseVersion(latest), parseVersion(installed)];
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index]);
  if (at >= 0) return (a.numbers[at] ?? 0) > (b.numbers[at] ?? 0);
  return a.isRelease && !b.isRelease;
}

function parseVersion(version: string) {
  const [, core = "", before] = /^(\d+\.\d+\.\d+)(-[^+]+)?/.exec(version) ?? [];
  return { numbers: core.split(".").map(Number), isRelease: before === undefined };
}
