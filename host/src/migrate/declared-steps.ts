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
  tablesIn,
} from "@parley/core";
import type { Configuration } from "../configuration.ts";
import { FIRST_PARTY } from "../first-party.ts";
import { createGeneration, type Generation } from "../generation.ts";
import { load } from "../host-options.ts";
import { hostServices, service } from "../host-services.ts";
import { migrateIdempotency } from "../http/idempotency.ts";
import { idleControl } from "../idle-control.ts";
import { StartError } from "../start-error.ts";
import { openRows, quietParts } from "./open-rows.ts";

/** Steps of a schema, as a plugin gave them to its database. */
export interface OwnerSteps {
  /** Undefined: the main database. Else the file that a storage in files would keep it in. */
  readonly file: string | undefined;
  readonly owner: string;
  readonly steps: readonly Migration[];
  /** True: a start does not take them, the first use of the tables does. */
  readonly isAtFirstUse: boolean;
}

export interface Declared {
  readonly steps: readonly OwnerSteps[];
  /** The names of the tables that they make. */
  readonly tables: ReadonlySet<string>;
  readonly texts: TextIndex | undefined;
}

const NO_EGRESS: Egress = { fetch: () => reachesNobody, check: reachesNobody };
const OF_TEXTS = "text-index:";
/** It has no tables, and does not start where its bucket cannot be asked. */
const BUCKET = "@parley/plugin-s3";

/**
 * The tables that the enabled plugins work with. All of them start for a moment in an empty folder, without a network and
 * without anybody who could reach them, and what each asks its database to make is noted: at its start, and for what it has
 * declared as made at first use. `owners`: those that the rows know, for spaces of texts that their plugin has not declared.
 */
export async function declaredSteps(configuration: Configuration, owners: ReadonlySet<string>): Promise<Declared> {
  const folder = mkdtempSync(join(tmpdir(), "parley-tables-"));
  try {
    const [root, data] = [join(folder, "root"), join(folder, "data")];
    for (const each of [root, data]) mkdirSync(each);
    const alone = configuration.plugins.map((one) =>
      one.id === "storage" ? { ...one, package: FIRST_PARTY.storage as string, settings: {} } : one,
    );
    // A client at the other end, and servers elsewhere, have nothing to do with tables.
    const { mcp: _, ...sections } = configuration.sections;
    // One is made for an administrator who never comes; given, it is not told.
    const environment = { ...configuration.environment, SVC_ADMIN_PASSWORD: randomUUID() };
    const aside = { ...configuration, root, data, sections, environment, plugins: alone };
    await using rows = await openRows({ ...aside, root: configuration.root });
    const realOf = (file: string) => {
      const within = (from: string, to: string) => join(to, relative(from, file));
      if (file.startsWith(data)) return within(data, configuration.data);
      return file.startsWith(root) ? within(root, configuration.root) : file;
    };
    const recording = record(rows.databases, data, realOf);
    const generation = await registered(configuration, aside, recording.databases);
    await generation.start();
    try {
      await migrateIdempotency(recording.databases.main);
      const texts = generation.from.find(TextIndex);
      recording.started();
      for (const set of generation.from.all(StoredTables)) await set.prepare();
      await makeSpaces(texts, owners);
      return { steps: recording.steps, tables: await recording.tables(), texts };
    } finally {
      await generation.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Spaces of texts that have been made in the rows, whoever has declared them. */
export async function makeSpaces(texts: TextIndex | undefined, owners: ReadonlySet<string>): Promise<void> {
  for (const owner of owners) {
    if (owner.startsWith(OF_TEXTS)) await texts?.space(owner.slice(OF_TEXTS.length)).entriesOf("");
  }
}

async function registered(configuration: Configuration, aside: Configuration, databases: Databases) {
  const { log, ...parts } = quietParts();
  const loaded = await load(configuration, {});
  const generation: Generation = createGeneration({
    loaded: loaded.filter(({ entry }) => entry.id !== "storage" && entry.package !== BUCKET),
    services: [
      ...hostServices(aside, { ...parts, control: idleControl("a move of rows"), egress: NO_EGRESS }),
      service(Databases, databases),
      service(Signals, { isShared: false, telling: () => [], listen: () => () => {} }),
    ],
    log,
  });
  const problems = [...configuration.problems, ...generation.problems];
  if (problems.length > 0) throw new StartError(problems);
  return generation;
}

function record(of: Databases, data: string, realOf: (file: string) => string) {
  const steps: OwnerSteps[] = [];
  let isAtFirstUse = false;
  const known = new Map<string, Promise<Database>>();
  const noting = (database: Database, file: string | undefined): Database => ({
    ...database,
    async migrate(owner, migrations) {
      steps.push({ file, owner, steps: migrations, isAtFirstUse });
      await database.migrate(owner, migrations);
    },
  });
  const main = noting(of.main, undefined);
  const databases: Databases = {
    main,
    open(file, options) {
      // Wherever it would be kept, what is there stays as it is.
      const place = join(data, "others", String(known.size), basename(file));
      const opened = known.get(file) ?? of.open(place, options).then((one) => noting(one, realOf(file)));
      known.set(file, opened);
      return opened;
    },
  };
  const tables = async () => {
    const all = await Promise.all([main, ...(await Promise.all(known.values()))].map(tablesIn));
    return new Set(all.flatMap((one) => [...one.keys()]));
  };
  const started = () => {
    isAtFirstUse = true;
  };
  return { steps, databases, tables, started };
}

async function reachesNobody(): Promise<never> {
  throw new AppError("unavailable", "nothing is reached while rows are moved");
}
