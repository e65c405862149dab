import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AppError,
  Clock,
  ConfigSections,
  type DefinedPlugin,
  Egress,
  Environment,
  HostControl,
  JsonFiles,
  LiveEvents,
  LogFeed,
  type Logger,
  notFound,
  Paths,
  type PluginStatus,
  ProtocolStreams,
  Redaction,
  type ReloadConfigResult,
  type ReloadResult,
  type Resolver,
  type Route,
  RouteTables,
  routeName,
  type ServiceKey,
  systemClock,
} from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import {
  type Configuration,
  changed,
  checkVariableName,
  createSections,
  type Flags,
  type PluginChanges,
  readChanges,
  readConfiguration,
  reasonOf,
} from "./configuration.ts";
import { createEgress } from "./egress.ts";
import { watchFaults } from "./faults.ts";
import { FIRST_PARTY, isFirstParty } from "./first-party.ts";
import { createGeneration, type Generation, type HostService } from "./generation.ts";
import type { OnAnswer } from "./http/application.ts";
import { describeApi } from "./http/describe-api.ts";
import { createHttpFront, type HttpFront, type Mounted, type PluginChange } from "./http/front.ts";
import { hostRowNames, unmountedHostRoutes } from "./http/host-routes.ts";
import { createLiveEvents } from "./live-events.ts";
import { givenPlugin, type LoadedPlugin, loadPlugins, ownCore, placesOf } from "./loading.ts";
import { createLogging, type Logging } from "./logging.ts";
import { watchLoop } from "./loop-watch.ts";
import { createRedaction } from "./redaction.ts";

export interface HostOptions {
  /** The operator's folder. Default: the working directory. */
  readonly root?: string;
  readonly flags?: Flags;
  /** Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Plugins that are at hand, in place of the packages of the same ids or beside them. */
  readonly plugins?: readonly DefinedPlugin[];
  /** Enabled packages; absent: what config.ini says. `[]` leaves only the given plugins. */
  readonly packages?: readonly string[];
  /** How long one plugin's start may take. Default 60 s. */
  readonly startWithinMs?: number;
  /** How long the import of one package may take. Default 20 s. */
  readonly importWithinMs?: number;
  /** Gives standard input and output to a protocol, for good; undefined when nobody is at the other end. */
  readonly takeStandardIo?: (isOnly: boolean) => ProtocolStreams | undefined;
  /**
   * The process must end: something failed that nobody catches. Given: the host listens for such faults of the whole
   * process and logs them, with the plugin's name where it can be told. Absent: Node's own way.
   */
  readonly onCrash?: () => void;
  /** Is told of every answer of a row before it goes out, to be held against what the row declares; for tests. */
  readonly onAnswer?: OnAnswer;
  /** A plugin asks for the end of the service. */
  readonly onStop?: (reason: string) => void;
}

export interface Host extends Resolver, AsyncDisposable {
  /** `http://127.0.0.1:5000`; "" with `--mcp-only`. */
  readonly address: string;
  readonly data: string;
  readonly control: HostControl;
  readonly log: Logger;
  /** Takes no new work and lets what runs end; then dispose. */
  drain(): Promise<void>;
}

/** What stands between a configuration and a start, one sentence a line. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Reads the configuration, loads and starts the plugins and listens; throws `StartError` and leaves nothing behind. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const startedAt = Date.now();
  const redaction = createRedaction();
  let configuration = readConfiguration(source);
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
    const wanted = ids ?? known;
    try {
      const next = readConfiguration(source);
      if (next.problems.length > 0) throw new StartError(next.problems);
      await swap(next, await load(next, options));
      const failed = generation.status().flatMap(({ id, failure }) => (failure ? [{ name: id, error: failure }] : []));
      const running = generation.status().filter(({ state }) => state === "running");
      const reloaded = running.map(({ id }) => id).filter((id) => wanted.includes(id));
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
    if (change.enabled === false && before.required_reason !== null) {
      const way = `only config.ini can switch it off, with '${id} = off' under [plugins]`;
      throw new AppError("conflict", `${before.required_reason}; ${way}`);
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
  const problems = [...configuration.problems, ...generation.problems];
  if (generation.problems.length > 0) problems.push(...replacements(generation.status()));
  if (problems.length > 0) {
    watches[Symbol.dispose]();
    logging[Symbol.dispose]();
    throw new StartError(problems);
  }
  try {
    const told = [...configuration.warnings, ...configuration.unknown, ...unread(loaded)];
    for (const warning of [...told, ...coreWarnings(loaded), ...kept(loaded)]) log.warn(warning);
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
    watches.use(watchLoop(log));
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
    drain: () => front?.drain() ?? Promise.resolve(),
    [Symbol.asyncDispose]: stop,
  };
}

/** Switches on a plugin that was switched off in the console; what runs takes it up at the next start or reload. */
export async function enablePlugin(options: HostOptions, id: string): Promise<void> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const { data, plugins } = readConfiguration(source);
  if (!plugins.some((entry) => entry.id === id)) throw notFound("plugin", id);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, "settings.json");
  const changes = readChanges(file, []);
  await writeChanges(file, { ...changes, [id]: { ...changes[id], enabled: true } });
}

/** Everything that is wrong with a configuration, without starting anything. */
export async function checkConfiguration(options: HostOptions = {}): Promise<{
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly plugins: readonly PluginStatus[];
}> {
  const { configuration, loaded, generation } = await unstarted(options);
  generation.look();
  const plugins = generation.status();
  const left = plugins.flatMap(({ id, failure }) => (failure ? [`plugin '${id}': ${failure}`] : []));
  return {
    problems: [
      ...new Set([
        ...configuration.problems,
        ...configuration.unknown,
        ...unread(loaded),
        ...generation.problems,
        ...left,
      ]),
    ],
    warnings: [...configuration.warnings, ...coreWarnings(loaded), ...kept(loaded)],
    plugins,
  };
}

/**
 * The OpenAPI document of what a configuration would serve, without starting anything. Throws `StartError` when ours
 * cannot be described; a third party's plugin that cannot is left out, and told of in `warnings`.
 */
export async function describeConfiguration(
  options: HostOptions = {},
): Promise<{ readonly document: object; readonly warnings: readonly string[] }> {
  const { configuration, generation } = await unstarted(options);
  const problems = [...configuration.problems, ...generation.problems];
  const warnings: string[] = [];
  const rows = new Map<string, Route>(unmountedHostRoutes().map((row) => [routeName(row), row]));
  const isThirdParty = new Set(
    generation
      .status()
      .filter(({ package: name }) => !isFirstParty(name))
      .map(({ id }) => id),
  );
  for (const { plugin, ...table } of generation.unstarted(RouteTables)) {
    const told = isThirdParty.has(plugin) ? warnings : problems;
    if ("failure" in table) told.push(`plugin '${plugin}': ${table.failure}`);
    else {
      const taken = table.made.find((row) => rows.has(routeName(row)));
      if (taken) told.push(`plugin '${plugin}': adds the row ${routeName(taken)}, which is there already`);
      else for (const row of table.made) rows.set(routeName(row), row);
    }
  }
  warnings.push(...generation.status().flatMap(({ id, failure }) => (failure ? [`plugin '${id}': ${failure}`] : [])));
  if (problems.length > 0) throw new StartError(problems);
  return { document: describeApi([...rows.values()]), warnings };
}

/** A configuration with its plugins registered, and nothing more. */
async function unstarted(options: HostOptions) {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const configuration = readConfiguration(source);
  const loaded = await load(configuration, options);
  const redaction = createRedaction();
  const logging = createLogging({ level: "error", format: "pretty", folder: undefined, redaction });
  const { log } = logging;
  const control = { plugins: () => [] } as unknown as HostControl;
  const services = hostServices(configuration, { control, redaction, logging, events: createLiveEvents(log) });
  const generation = createGeneration({ loaded, log, services, taken: hostRowNames() });
  return { configuration, loaded, generation };
}

export interface HostServiceParts {
  readonly control: HostControl;
  readonly redaction: Redaction;
  readonly logging: Logging;
  readonly events: LiveEvents;
  /** Default: those of the configuration. */
  readonly variables?: () => Configuration["environment"];
  /** Default: the network. */
  readonly egress?: Egress;
}

/** What the host itself gives to plugins. */
export function hostServices(configuration: Configuration, parts: HostServiceParts): readonly HostService[] {
  const { root, data, sections, environment } = configuration;
  const { control, redaction, logging, events, variables = () => environment, egress = createEgress() } = parts;
  return [
    service(Paths, { root, data }),
    service(Environment, createEnvironment(variables, redaction)),
    service(Redaction, redaction),
    service(ConfigSections, createSections(sections)),
    service(HostControl, control),
    service(Clock, systemClock),
    service(Egress, egress),
    service(LiveEvents, events),
    service(LogFeed, logging.feed),
  ];
}

/** Every plugin of a configuration, and those that are at hand. */
export async function load(
  configuration: Configuration,
  { plugins = [], packages, importWithinMs }: HostOptions,
): Promise<readonly LoadedPlugin[]> {
  const given = new Set(plugins.map(({ id }) => id));
  const wanted = configuration.plugins.filter(({ id }) => !given.has(id) && (packages?.includes(id) ?? true));
  const entries = new Map(configuration.plugins.map((entry) => [entry.id, entry]));
  const atHand = plugins.map((plugin) => {
    const { id } = plugin;
    const unnamed = { id, package: id, enabled: true, isNamed: true, settings: {} };
    return givenPlugin(plugin, entries.get(id) ?? changed(unnamed, configuration.changes[id]));
  });
  return [...(await loadPlugins({ ...configuration, plugins: wanted }, importWithinMs)), ...atHand].filter(
    // What comes along but is not installed and was not asked for is no plugin of this installation.
    ({ entry, path, plugin, failure }) => entry.isNamed || path !== "" || plugin !== undefined || failure !== undefined,
  );
}

function isMcpOnly({ sections }: Configuration): boolean {
  return sections.mcp?.only === "true";
}

function speaksOverStdio({ sections }: Configuration): boolean {
  const { enabled, transport = "stdio" } = sections.mcp ?? {};
  return enabled === "true" && transport === "stdio";
}

export function service<T>(key: ServiceKey<T>, value: T): HostService {
  return [key as ServiceKey<never>, value];
}

function createEnvironment(
  variables: () => Readonly<Record<string, string | undefined>>,
  redaction: Redaction,
): Environment {
  return {
    get: (name) => variables()[name],
    secret(name) {
      checkVariableName(name);
      const value = variables()[name];
      if (!value) return undefined;
      redaction.remember(value);
      return value;
    },
  };
}

/** Writes the `plugins` key and leaves everything else in the file as it is. */
async function storeChanges(from: Resolver, path: string, plugins: PluginChanges): Promise<void> {
  const files = from.find(JsonFiles);
  if (files) {
    const parse = (json: unknown) => json as Record<string, unknown>;
    await files.open({ path, empty: {}, parse }).update((content) => ({ ...content, plugins }));
    return;
  }
  await writeChanges(path, plugins);
}

async function writeChanges(path: string, plugins: PluginChanges): Promise<void> {
  const content = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  await writeFileAtomic(path, `${JSON.stringify({ ...content, plugins }, null, 2)}\n`);
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

function changedKeys(old: Configuration, next: Configuration): readonly string[] {
  const flat = ({ sections, plugins, environment }: Configuration) => [
    ...Object.entries(sections).flatMap(([name, section]) =>
      Object.entries(section).map(([key, value]) => [`${name}.${key}`, value] as const),
    ),
    ...plugins.map(({ id, ...entry }) => [`plugin.${id}`, JSON.stringify(entry)] as const),
    ...Object.entries(environment).map(([name, value]) => [`env.${name}`, value ?? ""] as const),
  ];
  const [before, after] = [new Map(flat(old)), new Map(flat(next))];
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key)).sort();
}

function coreWarnings(loaded: readonly LoadedPlugin[]): readonly string[] {
  return loaded.flatMap(({ entry, otherCore }) =>
    otherCore ? [`plugin '${entry.id}' brings its own copy of @parley/core: ${otherCore} beside ${ownCore()}`] : [],
  );
}

/** Settings of plugins that have none. */
function unread(loaded: readonly LoadedPlugin[]): readonly string[] {
  return loaded.flatMap(({ entry, plugin }) => {
    if (!plugin || plugin.config) return [];
    return Object.keys(entry.settings).map((key) => `[plugin.${entry.id}] ${key}: the plugin has no settings`);
  });
}

/** What is switched off in the console, and stays on because the console needs it. */
function kept(loaded: readonly LoadedPlugin[]): readonly string[] {
  return loaded.flatMap(({ entry: { id, enabled, isOffInConsole }, required }) =>
    enabled && isOffInConsole ? [`settings.json switches off '${id}', which stays on: ${required}`] : [],
  );
}

/** Why packages failed that stand in place of ours: what the others miss is theirs. */
function replacements(plugins: readonly PluginStatus[]): readonly string[] {
  return plugins.flatMap(({ id, package: name, failure }) =>
    failure !== null && id in FIRST_PARTY && !isFirstParty(name) ? [`plugin '${id}' (${name}): ${failure}`] : [],
  );
}

function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Names what plugins should have released: timers, sockets and workers beyond those before the start. */
async function reportLeftovers(before: ReadonlyMap<string, number>, log: Logger): Promise<void> {
  const leftovers = () =>
    [...countResources()].flatMap(([kind, count]) => {
      const more = count - (before.get(kind) ?? 0);
      return more > 0 && /^(Timeout|TCPServerWrap|MessagePort|FSEvent|Pipe)/.test(kind) ? [`${more} × ${kind}`] : [];
    });
  let left = leftovers();
  // What was closed a moment ago is counted until the event loop has come round.
  for (let turns = 0; left.length > 0 && turns < 10; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    left = leftovers();
  }
  if (left.length > 0) log.warn(`after the stop there is still ${left.join(", ")}`);
}

export function hostVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

/** A setting that is set to null takes its default again. */
function withoutNulls(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}
