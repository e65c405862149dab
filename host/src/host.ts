import { join, resolve } from "node:path";
import { type HostControl, type Logger, Nodes, ProtocolStreams, type Resolver, setAddedLanguages } from "@parley/core";
import { type Configuration, createSections, readConfiguration } from "./config/configuration.ts";
import { readLanguages } from "./config/languages.ts";
import { watchEventLoopLag } from "./diagnostics/event-loop-lag.ts";
import { createLogging } from "./diagnostics/logging.ts";
import { createRedaction } from "./diagnostics/redaction.ts";
import { readStoredLevels } from "./diagnostics/stored-levels.ts";
import { watchUncaughtErrors } from "./diagnostics/uncaught-errors.ts";
import { type HostOptions, loadConfiguredPlugins } from "./host-options.ts";
import { listHostRouteNames } from "./http/host-routes.ts";
import { createHttpListener, type HttpListener } from "./http/listener/http-listener.ts";
import { createControl } from "./lifecycle/control.ts";
import { createGeneration } from "./lifecycle/generation.ts";
import type { HostService } from "./lifecycle/host-service.ts";
import { createHostServices, toHostService } from "./lifecycle/host-services.ts";
import { createLiveEvents } from "./lifecycle/live-events.ts";
import { createReloadHandover } from "./lifecycle/reload-handover.ts";
import { createReloader } from "./lifecycle/reloader.ts";
import { createRunningSet } from "./lifecycle/running-set.ts";
import { locatePlugins } from "./plugins/load-plugins.ts";
import {
  explainReplacements,
  warnCoreCopies,
  warnForcedOn,
  warnNothingInstalled,
  warnUnusedSettings,
} from "./plugins/plugin-warnings.ts";
import { makeFolder } from "./process/file-system.ts";
import { countResources, reportLeakedHandles } from "./process/leaked-handles.ts";
import { createLocalConnections } from "./process/local-connections.ts";
import { sentence } from "./sentences.ts";
import { StartError, toReasons } from "./start-error.ts";

export interface Host extends Resolver, AsyncDisposable {
  /** `http://127.0.0.1:5000`; "" with `--mcp-only`. */
  readonly address: string;
  readonly data: string;
  readonly control: HostControl;
  readonly log: Logger;
  /** Accepts no new work and waits for running work; dispose the host afterwards. */
  drain(): Promise<void>;
}

/** Reads the configuration, loads and starts the plugins, and listens. Throws `StartError` and leaves nothing running on failure. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const source = { root: options.root ?? process.cwd(), flags: options.flags ?? {}, env: options.env ?? process.env };
  const startedAt = Date.now();
  const redaction = createRedaction();
  const initial = readConfiguration(source);
  const { languages, warnings: languageWarnings } = readLanguages(initial.root);
  setAddedLanguages(languages);
  let configuration = () => initial;
  const logging = createLogging({ ...logOptions(initial), redaction });
  const { log } = logging;
  logging.feed.setLevels(readStoredLevels(join(initial.data, "settings.json")));
  using guards = new DisposableStack();
  const { onCrash } = options;
  if (onCrash) guards.use(watchUncaughtErrors({ log, locations: () => locatePlugins(configuration()), onCrash }));
  // Set up before plugins are imported, because their output must not reach the protocol.
  const streams = hasStdioTransport(initial) ? options.takeStandardIo?.(isMcpOnly(initial)) : undefined;
  const loadPluginsOf = (config: Configuration) => loadConfiguredPlugins(config, options, (line) => log.warn(line));
  const loaded = await loadPluginsOf(initial);
  const initialHandles = countResources();
  let front: HttpListener | undefined;

  const control = createControl({
    startedAt,
    source,
    initial,
    redaction,
    running: () => running,
    reloading: () => reloading,
    server: () => front?.server,
    onStop: options.onStop,
    createRestart: options.createRestart,
  });
  const local = createLocalConnections(initial.data, log);
  const hostDeps = { control, redaction, logging, local, events: createLiveEvents(log) };
  const createServices = (config: Configuration): readonly HostService[] => [
    ...createHostServices(config, { ...hostDeps, variables: () => configuration().environment }),
    ...(streams ? [toHostService(ProtocolStreams, streams)] : []),
  ];
  const acrossReloads = createReloadHandover();
  const running = createRunningSet({
    configuration: initial,
    loaded,
    log,
    reloadHandover: acrossReloads,
    events: hostDeps.events,
    build: (config, plugins) =>
      createGeneration({
        loaded: plugins,
        services: createServices(config),
        reservedNames: listHostRouteNames(),
        log,
        ...(options.startWithinMs !== undefined && { startWithinMs: options.startWithinMs }),
        releaseWithinMs: options.releaseWithinMs,
        reloadHandover: acrossReloads,
      }),
    mount: ({ from }, { sections }) => {
      const iconOf = (id: string) => running.loaded().find(({ entry }) => entry.id === id)?.icon.svg;
      const plugins = { list: control.plugins, change: reloading.changePlugin, remove: reloading.removePlugin, iconOf };
      return front?.mount({ from, sections: createSections(sections), plugins, log });
    },
  });
  configuration = running.configuration;
  const reloading = createReloader({ running, source, load: loadPluginsOf, status: control.plugins });

  const watchers = guards.move();
  const stop = async () => {
    await running.stop();
    await Promise.all([front?.[Symbol.asyncDispose](), local[Symbol.asyncDispose]()]);
    watchers[Symbol.dispose]();
    await reportLeakedHandles(initialHandles, log);
    setAddedLanguages(new Map());
    logging[Symbol.dispose]();
  };
  const { problems, warnings, status } = running.generation();
  const found = [...initial.problems, ...warnNothingInstalled(loaded, options), ...problems];
  if (problems.length > 0) found.push(...explainReplacements(status()));
  if (found.length > 0) {
    watchers[Symbol.dispose]();
    logging[Symbol.dispose]();
    throw new StartError(found);
  }
  try {
    const startWarnings = [
      ...initial.warnings,
      ...initial.unknown,
      ...warnUnusedSettings(loaded),
      ...warnCoreCopies(loaded),
      ...warnForcedOn(loaded),
      ...languageWarnings,
    ];
    for (const warning of [...startWarnings.map(({ en }) => en), ...warnings]) log.warn(warning);
    for (const folder of [initial.data, toHistoryFolder(initial)]) ensureDataFolder(folder);
    const { host, port } = initial;
    if (!isMcpOnly(initial))
      front = await createHttpListener({
        host,
        port,
        log,
        onAnswer: options.onAnswer,
        waitTimeoutMs: options.waitWithinMs,
      });
    await running.start();
    // The main thread only needs a monitor when third-party plugins are loaded.
    const hasThirdParty = () => running.loaded().some((one) => one.isThirdParty && one.plugin !== undefined);
    const places = () => (onCrash !== undefined && hasThirdParty() ? locatePlugins(configuration()) : undefined);
    watchers.use(watchEventLoopLag({ log, locations: places }));
  } catch (error) {
    await stop();
    throw error instanceof StartError ? error : new StartError(toReasons(error));
  }
  const from = () => running.generation().from;
  return {
    address: front?.address ?? "",
    data: initial.data,
    control,
    log,
    get: (key) => from().get(key),
    find: (key) => from().find(key),
    all: (point) => from().all(point),
    async drain() {
      await Promise.all([front?.drain(), handOver(from(), log)]);
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Hands over this node's partitions while its last requests are answered. */
async function handOver(from: Resolver, log: Logger): Promise<void> {
  const nodes = from.find(Nodes);
  await nodes?.drain(nodes.id, true).catch((error) => log.warn("the other nodes could not be notified", { error }));
}

function isMcpOnly({ sections }: Configuration): boolean {
  return sections.mcp?.only === "true";
}

function hasStdioTransport({ sections }: Configuration): boolean {
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

function toHistoryFolder({ root, data, sections }: Configuration): string {
  const { data_dir } = sections.gateway ?? {};
  return data_dir ? resolve(root, data_dir) : data;
}

function ensureDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problemText =
      code === "EEXIST" ? sentence("data_is_file", { folder }) : sentence("data_unmade", { folder, message });
    throw new StartError([problemText]);
  }
}
