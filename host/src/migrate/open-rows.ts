import { AppError, Databases, HostControl, StoredRows } from "@parley/core";
import type { Configuration } from "../config/configuration.ts";
import { createLogging } from "../diagnostics/logging.ts";
import { createRedaction } from "../diagnostics/redaction.ts";
import { loadConfiguredPlugins } from "../host-options.ts";
import { createGeneration, type Generation } from "../lifecycle/generation.ts";
import { createHostServices, type HostServicesDeps } from "../lifecycle/host-services.ts";
import { createLiveEvents } from "../lifecycle/live-events.ts";
import { StartError } from "../start-error.ts";

/** The open storage of a configuration, without the other plugins; no service may use it meanwhile. */
export interface OpenRows extends AsyncDisposable {
  readonly databases: Databases;
}

export type QuietDeps = Omit<HostServicesDeps, "control"> & {
  readonly log: ReturnType<typeof createLogging>["log"];
};

/** Creates quiet dependencies for plugins that start briefly: only errors are logged. */
export function createQuietDeps(): QuietDeps {
  const redaction = createRedaction();
  const logging = createLogging({ level: "error", format: "pretty", folder: undefined, redaction });
  const { log } = logging;
  return { redaction, logging, events: createLiveEvents(log), log };
}

export async function openRows(configuration: Configuration): Promise<OpenRows> {
  const generation = await registerStorage(configuration);
  await generation.start();
  return { databases: generation.from.get(Databases), [Symbol.asyncDispose]: generation.dispose };
}

/** Runs `read` on a snapshot of a server's rows; services may keep using it. */
export async function readSnapshot<T>(
  configuration: Configuration,
  read: (databases: Databases) => Promise<T>,
): Promise<T> {
  const { from } = await registerStorage(configuration);
  const stored = from.find(StoredRows);
  if (stored) return stored.atOneMoment(read);
  const storagePackage = configuration.plugins.find(({ id }) => id === "storage")?.package;
  throw new AppError(
    "unavailable",
    `${storagePackage} keeps the rows, and nobody reads them beside the service: see its README`,
  );
}

async function registerStorage(configuration: Configuration): Promise<Generation> {
  const { log, ...parts } = createQuietDeps();
  const services = createHostServices(configuration, { ...parts, control: undefined as never });
  const generation = createGeneration({
    loaded: await loadConfiguredPlugins(configuration, { packages: ["storage"] }),
    // Without a version, the storage does not check whether this version can use it.
    services: services.filter(([key]) => key.id !== HostControl.id),
    log,
  });
  if (generation.problems.length > 0) throw new StartError(generation.problems);
  return generation;
}
