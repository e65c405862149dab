import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  AppError,
  explainedAs,
  type HostControl,
  type Localized,
  type Logger,
  Nodes,
  notFound,
  type PluginStatus,
  ProtocolStreams,
  type ReloadConfigResult,
  type ReloadResult,
  type Resolver,
} from "@parley/core";
import { makeBackup } from "./backup/make-backup.ts";
import { rowsAside } from "./backup/rows-aside.ts";
import {
  type Configuration,
  createSections,
  type PluginChanges,
  readChanges,
  readConfiguration,
  reasonOf,
} from "./configuration.ts";
import { examineMachine } from "./doctor/examine-machine.ts";
import { watchFaults } from "./faults.ts";
import { createGeneration, type Generation, type HostService } from "./generation.ts";
import { type HostOptions, hostVersion, load } from "./host-options.ts";
import { hostServices, service } from "./host-services.ts";
import { createHttpFront, type HttpFront, type Mounted, type PluginChange } from "./http/front.ts";
import { hostRowNames } from "./http/host-routes.ts";
import { countResources, reportLeftovers } from "./leftovers.ts";
import { createLiveEvents } from "./live-events.ts";
import { type LoadedPlugin, placesOf } from "./loading.ts";
import { createLogging } from "./logging.ts";
import { watchLoop } from "./loop-watch.ts";
import { storeChanges, withoutNulls } from "./plugin-changes.ts";
import { createRedaction } from "./redaction.ts";
import { changedKeys, restartNeeded } from "./restart-needed.ts";
import { keeperElsewhere } from "./rows-elsewhere.ts";
import { StartError } from "./start-error.ts";
import { coreWarnings, kept, nothingInstalled, replacements, unread } from "./warnings.ts";

const REQUIRED: Localized = {
  en: "{why}; only config.ini can switch it off, with '{id} = off' under [plugins]",
  zh: "{because}；只能在 config.ini 的 [plugins] 中以“{id} = off”停用",
};

export interface Host extends Resolver, AsyncDisposable {
  /** `http://127.0.0.1:5000`; "" with `--mcp-only`. */
  readonly address: string;
  readonly data: string;
  readonly control: HostControl;
  readonly log: Logger;
  /** Takes no new work and lets what runs end; then dispose. */
  drain(): Promise<void>;
}

/** Reads the configuration, loads and starts the plugins and listens; throws `StartError` and leaves nothing behind. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const startedAt = Date.now();
  const redaction = createRedaction();
  let configuration = readConfiguration(source);
  const begun = configuration;
  const logging = createLogging({ ...logOptions(configuration), redaction });
  const { log } = logging;
  const events = createLiveEvents(log);
  using guards = new DisposableStack();
  const { onCrash } = options;
  if (onCrash) guards.use(watchFaults({ log, places: () => placesOf(configuration), onCrash }));
  // Before any plugin is imported: what one prints must not reach a protocol.
  const streams = speaksOverStdio(configuration) ? options.takeStandardIo?.(isMcpOnly(configuration)) : undefined;
  let phase: ReturnType<HostControl["phase"]> = "starting";
  let loaded = await load(configuration, options);
  let generation: Generation;
  let mounted: Mounted | undefined;
  let isReloading = false;
  const backUp = oneAtATime(makeBackup, "another backup is being made");
  let front: HttpFront | undefined;

  const control: HostControl = {
    version: hostVersion(),
    startedAt,
    phase: () => phase,
    plugins: () => generation.status().map((one) => redaction.mask(one) as PluginStatus),
    get server() {
      return front?.server;
    },
    reload: (ids) => exclusively(() => reload(ids)),
    reloadConfig: () => exclusively(reloadConfig),
    async backUp(to, keep) {
      const running = configuration;
      return backUp({
        data: configuration.data,
        root: configuration.root,
        to,
        keep,
        version: control.version,
        now: Date.now(),
        rows: keeperElsewhere(running) === undefined ? undefined : (into) => rowsAside(running, into),
      });
    },
    async examine() {
      const written = readConfiguration(source);
      const restart = restartNeeded({ begun, running: configuration, written, loaded, version: control.version });
      return [...restart, ...(await examineMachine(configuration.data, Date.now(), keeperElsewhere(configuration)))];
    },
    stop: (reason) => options.onStop?.(reason),
  };
  const servicesFor = (config: Configuration): readonly HostService[] => [
    ...hostServices(config, { control, redaction, logging, events, variables: () => configuration.environment }),
    ...(streams ? [service(ProtocolStreams, streams)] : []),
  ];
  const build = (config: Configuration, plugins: readonly LoadedPlugin[]) =>
    createGeneration({
      loaded: plugins,
      services: servicesFor(config),
      taken: hostRowNames(),
      log,
      ...(options.startWithinMs !== undefined && { startWithinMs: options.startWithinMs }),
      releaseWithinMs: options.releaseWithinMs,
    });
  const open = async (next: Generation, config: Configuration) => {
    await next.start();
    if (!front) return undefined;
    try {
      return await front.mount({
        from: next.from,
        sections: createSections(config.sections),
        plugins: { list: control.plugins, change: (id, change) => exclusively(() => changePlugin(id, change)) },
        log,
      });
    } catch (error) {
      await next.dispose();
      throw error;
    }
  };
  const settle = () => {
    phase = generation.status().some(({ state }) => state === "failed") ? "degraded" : "ready";
  };

  /** Replaces what runs; when the new set does not start, the old one runs again and the reason is thrown. */
  const swap = async (nextConfig: Configuration, nextLoaded: readonly LoadedPlugin[]) => {
    const next = build(nextConfig, nextLoaded);
    if (next.problems.length > 0) throw new StartError(next.problems);
    const old = { configuration, loaded };
    await mounted?.[Symbol.asyncDispose]();
    mounted = undefined;
    await generation.dispose();
    try {
      configuration = nextConfig;
      loaded = nextLoaded;
      generation = next;
      mounted = await open(next, nextConfig);
    } catch (error) {
      log.error("the new configuration did not start, the old one is started again", { error });
      configuration = old.configuration;
      loaded = old.loaded;
      generation = build(configuration, loaded);
      mounted = await open(generation, configuration);
      throw error;
    } finally {
      settle();
    }
  };
  const reload = async (ids?: readonly string[]): Promise<ReloadResult> => {
    const known = generation.status().map(({ id }) => id);
    for (const id of ids ?? []) if (!known.includes(id)) throw notFound("plugin", id);
    const begun = performance.now();
    try {
      const next = readConfiguration(source);
      if (next.problems.length > 0) throw new StartError(next.problems);
      await swap(next, await load(next, options));
      const failed = generation.status().flatMap(({ id, failure }) => (failure ? [{ name: id, error: failure }] : []));
      const running = generation.status().filter(({ state }) => state === "running");
      const reloaded = running.map(({ id }) => id).filter((id) => ids?.includes(id) ?? true);
      return { reloaded, failed, duration_ms: Math.round(performance.now() - begun) };
    } catch (error) {
      const problems = error instanceof StartError ? error.problems : reasonOf(error).split("\n");
      const failed = problems.map((problem) => ({
        name: /^plugin '([^']+)'/.exec(problem)?.[1] ?? "host",
        error: problem,
      }));
      return { reloaded: [], failed, duration_ms: Math.round(performance.now() - begun) };
    }
  };
  const reloadConfig = async (): Promise<ReloadConfigResult> => {
    const next = readConfiguration(source);
    if (next.problems.length > 0) throw new AppError("bad_request", next.problems.join("; "));
    const changed = changedKeys(configuration, next);
    configuration = { ...configuration, environment: next.environment };
    return {
      changed,
      restart_required: changed.filter((key) => !key.startsWith("env.")),
      warnings: [...next.warnings, ...next.unknown],
    };
  };
  const changePlugin = async (id: string, change: PluginChange): Promise<PluginStatus> => {
    const before = generation.status().find((one) => one.id === id);
    if (!before) throw notFound("plugin", id);
    if (change.enabled === false && before.required_texts !== null) {
      const { en, zh } = before.required_texts;
      throw explainedAs("conflict", "host.required", REQUIRED, { params: { why: en, because: zh, id } });
    }
    const file = join(configuration.data, "settings.json");
    const changes = readChanges(file, []);
    const config = change.config && withoutNulls({ ...changes[id]?.config, ...change.config });
    const next: PluginChanges = { ...changes, [id]: { ...changes[id], ...change, ...(config && { config }) } };
    const nextConfig = readConfiguration(source, next);
    const nextLoaded = await load(nextConfig, options);
    const tried = build(nextConfig, nextLoaded).problems;
    const own = build(nextConfig, nextLoaded)
      .status()
      .find((one) => one.id === id)?.failure;
    if (tried.length > 0 || (change.config && own)) throw new AppError("bad_request", tried.join("; ") || String(own));
    await storeChanges(generation.from, file, next);
    try {
      await swap(nextConfig, nextLoaded);
    } catch (error) {
      await storeChanges(generation.from, file, changes);
      throw new AppError("conflict", `the plugin did not start with this change: ${reasonOf(error)}`, { cause: error });
    }
    const after = control.plugins().find((one) => one.id === id);
    if (!after) throw notFound("plugin", id);
    return after;
  };
  const exclusively = async <T>(run: () => Promise<T>): Promise<T> => {
    if (isReloading) throw new AppError("conflict", "a reload is running", { retryAfterS: 1 });
    isReloading = true;
    try {
      return await run();
    } finally {
      isReloading = false;
    }
  };

  /** The other nodes take what this one has while its last requests are answered. */
  const handOver = async () => {
    const nodes = generation.from.find(Nodes);
    await nodes?.drain(nodes.id, true).catch((error) => log.warn("the other nodes could not be told", { error }));
  };
  const before = countResources();
  const watches = guards.move();
  const stop = async () => {
    await mounted?.[Symbol.asyncDispose]();
    await generation.dispose();
    await front?.[Symbol.asyncDispose]();
    watches[Symbol.dispose]();
    await reportLeftovers(before, log);
    logging[Symbol.dispose]();
  };
  generation = build(configuration, loaded);
  const problems = [...configuration.problems, ...nothingInstalled(loaded, options), ...generation.problems];
  if (generation.problems.length > 0) problems.push(...replacements(generation.status()));
  if (problems.length > 0) {
    watches[Symbol.dispose]();
    logging[Symbol.dispose]();
    throw new StartError(problems);
  }
  try {
    const told = [...configuration.warnings, ...configuration.unknown, ...unread(loaded)];
    for (const warning of [...told, ...coreWarnings(loaded), ...generation.warnings, ...kept(loaded)])
      log.warn(warning);
    mkdirSync(configuration.data, { recursive: true, mode: 0o700 });
    if (!isMcpOnly(configuration)) {
      front = await createHttpFront({
        host: configuration.host,
        port: configuration.port,
        log,
        onAnswer: options.onAnswer,
      });
    }
    mounted = await open(generation, configuration);
    settle();
    // In a program of one's own nobody looks into its main thread.
    const isStrange = () => onCrash !== undefined && loaded.some((one) => one.isThirdParty && one.plugin !== undefined);
    watches.use(watchLoop({ log, places: () => (isStrange() ? placesOf(configuration) : undefined) }));
  } catch (error) {
    phase = "failed";
    await stop();
    throw error instanceof StartError ? error : new StartError(reasonOf(error).split("\n"));
  }
  return {
    address: front?.address ?? "",
    data: configuration.data,
    control,
    log,
    get: (key) => generation.from.get(key),
    find: (key) => generation.from.find(key),
    all: (point) => generation.from.all(point),
    async drain() {
      await Promise.all([front?.drain(), handOver()]);
    },
    [Symbol.asyncDispose]: stop,
  };
}

function isMcpOnly({ sections }: Configuration): boolean {
  return sections.mcp?.only === "true";
}

function speaksOverStdio({ sections }: Configuration): boolean {
  const { enabled, transport = "stdio" } = sections.mcp ?? {};
  return enabled === "true" && transport === "stdio";
}

function logOptions({ sections, data }: Configuration) {
  const { level = "info", format = "pretty", file = "true" } = sections.log ?? {};
  const levels = ["debug", "info", "warn", "error"] as const;
  return {
    level: levels.find((one) => one === level) ?? "info",
    format: format === "json" ? ("json" as const) : ("pretty" as const),
    folder: file === "false" ? undefined : join(data, "logs"),
  };
}

function oneAtATime<Asked, Made>(work: (asked: Asked) => Promise<Made>, otherwise: string) {
  let isBusy = false;
  return async (asked: Asked): Promise<Made> => {
    if (isBusy) throw new AppError("conflict", otherwise);
    isBusy = true;
    try {
      return await work(asked);
    } finally {
      isBusy = false;
    }
  };
}
