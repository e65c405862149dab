import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import {
  AppError,
  type Database,
  Databases,
  type Egress,
  type Migration,
  Signals,
  StoredTables,
  TextIndex,
} from "@parley/core";
import { tablesIn } from "@parley/core/storage";
import type { Configuration } from "../config/configuration.ts";
import { loadConfiguredPlugins } from "../host-options.ts";
import { migrateIdempotency } from "../http/request/idempotency.ts";
import { createGeneration, type Generation } from "../lifecycle/generation.ts";
import { createHostServices, toHostService } from "../lifecycle/host-services.ts";
import { createIdleControl } from "../lifecycle/idle-control.ts";
import { BUNDLED_PLUGINS } from "../plugins/first-party.ts";
import { StartError } from "../start-error.ts";
import { createQuietDeps, openRows } from "./open-rows.ts";

/** Steps of a schema that a plugin passed to its database. */
export interface OwnerSteps {
  /** File of the database in a storage in files; undefined for the main one. */
  readonly file: string | undefined;
  readonly owner: string;
  readonly steps: readonly Migration[];
  /** True when the step is applied at the first use of the tables instead of the start. */
  readonly isAtFirstUse: boolean;
}

export interface DeclaredSteps {
  readonly steps: readonly OwnerSteps[];
  /** Names of the tables that the steps create. */
  readonly tables: ReadonlySet<string>;
  readonly texts: TextIndex | undefined;
}

const NO_EGRESS: Egress = { fetch: () => rejectEgress, check: rejectEgress };
const TEXT_INDEX_OWNER = "text-index:";
/** Plugin skipped for table discovery: it has no tables and does not start without its bucket. */
const BUCKET_PLUGIN = "@parley/plugin-s3";

/**
 * Collects the tables of the enabled plugins by starting them briefly in an empty folder, without network or clients, and recording
 * their migrations: those at start and those declared for first use. `owners` are owners known from the rows, for text spaces that their
 * plugins do not declare.
 */
export async function collectDeclaredSteps(
  configuration: Configuration,
  owners: ReadonlySet<string>,
): Promise<DeclaredSteps> {
  const folder = mkdtempSync(join(tmpdir(), "parley-tables-"));
  try {
    const [root, data] = [join(folder, "root"), join(folder, "data")];
    for (const each of [root, data]) mkdirSync(each);
    const pluginsWithFiles = configuration.plugins.map((one) =>
      one.id === "storage" ? { ...one, package: BUNDLED_PLUGINS.storage as string, settings: {} } : one,
    );
    // Tables do not depend on MCP clients or other servers.
    const { mcp: _, ...sections } = configuration.sections;
    // Set so that no password is generated and printed for the temporary administrator.
    const environment = { ...configuration.environment, SVC_ADMIN_PASSWORD: randomUUID() };
    const dryRunConfiguration = { ...configuration, root, data, sections, environment, plugins: pluginsWithFiles };
    await using rows = await openRows({ ...dryRunConfiguration, root: configuration.root });
    const toRealPath = (file: string) => {
      const within = (from: string, to: string) => join(to, relative(from, file));
      if (file.startsWith(data)) return within(data, configuration.data);
      return file.startsWith(root) ? within(root, configuration.root) : file;
    };
    const recording = recordMigrations(rows.databases, data, toRealPath);
    const generation = await registerPlugins(configuration, dryRunConfiguration, recording.databases);
    await generation.start();
    try {
      await migrateIdempotency(recording.databases.main);
      const texts = generation.from.find(TextIndex);
      recording.started();
      for (const set of generation.from.all(StoredTables)) await set.prepare();
      await createTextSpaces(texts, owners);
      return { steps: recording.steps, tables: await recording.tables(), texts };
    } finally {
      await generation.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the text spaces that exist in the rows, independent of the plugin that declared them. */
export async function createTextSpaces(texts: TextIndex | undefined, owners: ReadonlySet<string>): Promise<void> {
  for (const owner of owners) {
    if (owner.startsWith(TEXT_INDEX_OWNER)) await texts?.space(owner.slice(TEXT_INDEX_OWNER.length)).entriesOf("");
  }
}

async function registerPlugins(configuration: Configuration, dryRunConfiguration: Configuration, databases: Databases) {
  const { log, ...parts } = createQuietDeps();
  const loaded = await loadConfiguredPlugins(configuration, {});
  const generation: Generation = createGeneration({
    loaded: loaded.filter(({ entry }) => entry.id !== "storage" && entry.package !== BUCKET_PLUGIN),
    services: [
      ...createHostServices(dryRunConfiguration, {
        ...parts,
        control: createIdleControl("a move of rows"),
        egress: NO_EGRESS,
      }),
      toHostService(Databases, databases),
      toHostService(Signals, { isShared: false, telling: () => [], listen: () => () => {}, catchUp: async () => {} }),
    ],
    log,
  });
  const problems = [...configuration.problems, ...generation.problems];
  if (problems.length > 0) throw new StartError(problems);
  return generation;
}

function recordMigrations(storage: Databases, data: string, toRealPath: (file: string) => string) {
  const steps: OwnerSteps[] = [];
  let isAtFirstUse = false;
  const known = new Map<string, Promise<Database>>();
  const withRecording = (database: Database, file: string | undefined): Database => ({
    ...database,
    async migrate(owner, migrations) {
      steps.push({ file, owner, steps: migrations, isAtFirstUse });
      await database.migrate(owner, migrations);
    },
  });
  const main = withRecording(storage.main, undefined);
  const databases: Databases = {
    main,
    open(file, options) {
      // Redirected, so that existing files stay unchanged.
      const place = join(data, "others", String(known.size), basename(file));
      const opened =
        known.get(file) ?? storage.open(place, options).then((one) => withRecording(one, toRealPath(file)));
      known.set(file, opened);
      return opened;
    },
  };
  const tables = async () => {
    const all = await Promise.all([main, ...(await Promise.all(known.values()))].map(tablesIn));
    return new Set(all.flatMap((one) => [...one.keys()]));
  };
  const markStarted = () => {
    isAtFirstUse = true;
  };
  return { steps, databases, tables, started: markStarted };
}

async function rejectEgress(): Promise<never> {
  throw new AppError("unavailable", "nothing is reached while rows are moved");
}
