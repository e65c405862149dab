import { join, resolve } from "node:path";
import { type HostControl, type Logger, Nodes, ProtocolStreams, type Resolver } from "@parley/core";
import { createAcrossReloads } from "./across-reloads.ts";
import { type Configuration, createSections, readConfiguration } from "./configuration.ts";
import { createControl } from "./control.ts";
import { watchFaults } from "./faults.ts";
import { createGeneration, type HostService } from "./generation.ts";
import { type HostOptions, load } from "./host-options.ts";
import { hostServices, service } from "./host-services.ts";
import { createHttpFront, type HttpFront } from "./http/front.ts";
import { hostRowNames } from "./http/host-routes.ts";
import { countResources, reportLeftovers } from "./leftovers.ts";
import { createLiveEvents } from "./live-events.ts";
import { placesOf } from "./loading.ts";
import { createLocalConnections } from "./local-connections.ts";
import { createLogging } from "./logging.ts";
import { watchLoop } from "./loop-watch.ts";
import { makeFolder } from "./on-disk.ts";
import { createRedaction } from "./redaction.ts";
import { createReloading } from "./reloading.ts";
import { createRunningSet } from "./running-set.ts";
import { sentence } from "./sentences.ts";
import { reasonsOf, StartError } from "./start-error.ts";
import { storedLevels } from "./stored-levels.ts";
import { coreWarnings, kept, nothingInstalled, replacements, unread } from "./warnings.ts";

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
  const begun = readConfiguration(source);
  let configuration = () => begun;
  const logging = createLogging({ ...logOptions(begun), redaction });
  const { log } = logging;
  logging.feed.setLevels(storedLevels(join(begun.data, "settings.json")));
  using guards = new DisposableStack();
  const { onCrash } = options;
  if (onCrash) guards.use(watchFaults({ log, places: () => placesOf(configuration()), onCrash }));
  // Before any plugin is imported: what one prints must not reach a protocol.
  const streams = speaksOverStdio(begun) ? options.takeStandardIo?.(isMcpOnly(begun)) : undefined;
  const loadFor = (config: Configuration) => load(config, options, (line) => log.warn(line));
  const loaded = await loadFor(begun);
  const before = countResources();
  let front: HttpFront | undefined;

  const control = createControl({
    startedAt,
    source,
    begun,
    redaction,
    running: () => running,
    reloading: () => reloading,
    server: () => front?.server,
    onStop: options.onStop,
    restarts: options.restarts,
  });
  const local = createLocalConnections(begun.data, log);
  const shared = { control, redaction, logging, local, events: createLiveEvents(log) };
  const servicesFor = (config: Configuration): readonly HostService[] => [
    ...hostServices(config, { ...shared, variables: () => configuration().environment }),
    ...(streams ? [service(ProtocolStreams, streams)] : []),
  ];
  const acrossReloads = createAcrossReloads();
  const running = createRunningSet({
    configuration: begun,
    loaded,
    log,
    acrossReloads,
    events: shared.events,
    build: (config, plugins) =>
      createGeneration({
        loaded: plugins,
        services: servicesFor(config),
        taken: hostRowNames(),
        log,
        ...(options.startWithinMs !== undefined && { startWithinMs: options.startWithinMs }),
        releaseWithinMs: options.releaseWithinMs,
        acrossReloads,
      }),
    mount: ({ from }, { sections }) => {
      const iconOf = (id: string) => running.loaded().find(({ entry }) => entry.id === id)?.icon.svg;
      const plugins = { list: control.plugins, change: reloading.changePlugin, remove: reloading.removePlugin, iconOf };
      return front?.mount({ from, sections: createSections(sections), plugins, log });
    },
  });
  configuration = running.configuration;
  const reloading = createReloading({ running, source, load: loadFor, status: control.plugins });

  const watches = guards.move();
  const stop = async () => {
    await running.stop();
    await Promise.all([front?.[Symbol.asyncDispose](), local[Symbol.asyncDispose]()]);
    watches[Symbol.dispose]();
    await reportLeftovers(before, log);
    logging[Symbol.dispose]();
  };
  const { problems, warnings, status } = running.generation();
  const found = [...begun.problems, ...nothingInstalled(loaded, options), ...problems];
  if (problems.length > 0) found.push(...replacements(status()));
  if (found.length > 0) {
    watches[Symbol.dispose]();
    logging[Symbol.dispose]();
    throw new StartError(found);
  }
  try {
    const told = [...begun.warnings, ...begun.unknown, ...unread(loaded), ...coreWarnings(loaded), ...kept(loaded)];
    for (const warning of [...told.map(({ en }) => en), ...warnings]) log.warn(warning);
    for (const folder of [begun.data, gatewayFolder(begun)]) makeDataFolder(folder);
    const { host, port } = begun;
    if (!isMcpOnly(begun))
      front = await createHttpFront({
        host,
        port,
        log,
        onAnswer: options.onAnswer,
        waitWithinMs: options.waitWithinMs,
      });
    await running.start();
    // In a program of one's own nobody looks into its main thread.
    const isStrange = () => running.loaded().some((one) => one.isThirdParty && one.plugin !== undefined);
    const places = () => (onCrash !== undefined && isStrange() ? placesOf(configuration()) : undefined);
    watches.use(watchLoop({ log, places }));
  } catch (error) {
    await stop();
    throw error instanceof StartError ? error : new StartError(reasonsOf(error));
  }
  const from = () => running.generation().from;
  return {
    address: front?.address ?? "",
    data: begun.data,
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

/** The other nodes take what this one has while its last requests are answered. */
async function handOver(from: Resolver, log: Logger): Promise<void> {
  const nodes = from.find(Nodes);
  await nodes?.drain(nodes.id, true).catch((error) => log.warn("the other nodes could not be told", { error }));
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

/** Returns the folder of the message history. */
function gatewayFolder({ root, data, sections }: Configuration): string {
  const { data_dir } = sections.gateway ?? {};
  return data_dir ? resolve(root, data_dir) : data;
}

function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const said =
      code === "EEXIST" ? sentence("data_is_file", { folder }) : sentence("data_unmade", { folder, message });
    throw new StartError([said]);
  }
}
