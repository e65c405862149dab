import type { DefinedPlugin, ProtocolStreams } from "@parley/core";
import { applyChange, type Configuration, computeRevision, type Flags } from "./config/configuration.ts";
import type { OnAnswer } from "./http/application.ts";
import { type LoadedPlugin, loadPlugins, toLoadedPlugin } from "./plugins/load-plugins.ts";

export interface HostOptions {
  /** The service folder. Default: the working directory. */
  readonly root?: string;
  readonly flags?: Flags;
  /** Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Plugins besides the packages; they replace packages with the same id. */
  readonly plugins?: readonly DefinedPlugin[];
  /** Enabled packages; absent: those of config.ini. `[]` leaves only the given plugins. */
  readonly packages?: readonly string[];
  /** Timeout of one plugin's start in milliseconds. Default 60 s. */
  readonly startWithinMs?: number;
  /** Maximum wait of a request while plugins are replaced, in milliseconds. Default 2 s. */
  readonly waitWithinMs?: number;
  /** Timeout for a third-party plugin to release one resource, in milliseconds. Default 3 s. */
  readonly releaseWithinMs?: number;
  /** True when the process belongs to this program: a package whose import blocks is named on stderr and ends the process with code 1. */
  readonly ownsProcess?: boolean;
  /** Timeout of one package's import in milliseconds. Default 60 s. */
  readonly importWithinMs?: number;
  /** Reserves standard input and output for a protocol permanently; undefined when no client is connected. */
  readonly takeStandardIo?: (isOnly: boolean) => ProtocolStreams | undefined;
  /**
   * Called when an uncaught error requires the process to end. When given, the host handles uncaught errors of the
   * whole process and logs them with the plugin's name where known. Absent: Node's default.
   */
  readonly onCrash?: () => void;
  /** Called with every route answer before it is sent, to check it against the route's declaration; for tests. */
  readonly onAnswer?: OnAnswer;
  /** Called when a plugin requests the end of the service. */
  readonly onStop?: (reason: string, exitCode: number) => void;
  /** Returns the function that stops the service and starts it again; undefined when nothing would start it. */
  readonly createRestart?: () => ((reason: string) => void) | undefined;
}

/** Loads the configured plugins, together with the given ones. */
export async function loadConfiguredPlugins(
  configuration: Configuration,
  { plugins = [], packages, importWithinMs, ownsProcess }: HostOptions,
  onSlowImport?: (warning: string) => void,
): Promise<readonly LoadedPlugin[]> {
  const given = new Set(plugins.map(({ id }) => id));
  const wanted = configuration.plugins.filter(({ id }) => !given.has(id) && (packages?.includes(id) ?? true));
  const entries = new Map(configuration.plugins.map((entry) => [entry.id, entry]));
  const embedded = plugins.map((plugin) => {
    const { id } = plugin;
    const unnamed = { id, package: id, enabled: true, isNamed: true, settings: {}, revision: computeRevision() };
    return toLoadedPlugin(plugin, entries.get(id) ?? applyChange(unnamed, configuration.changes[id]));
  });
  const parts = { importWithinMs, ownsProcess, onSlowImport };
  return [...(await loadPlugins({ ...configuration, plugins: wanted }, parts)), ...embedded].filter(
    // Bundled packages that are neither installed nor requested do not count as plugins of this installation.
    ({ entry, path, plugin, failure }) => entry.isNamed || path !== "" || plugin !== undefined || failure !== undefined,
  );
}
