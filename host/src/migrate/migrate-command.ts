import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError } from "@parley/core";
import writeFileAtomic from "write-file-atomic";
import { type Configuration, type Flags, readConfiguration } from "../configuration.ts";
import { FIRST_PARTY } from "../first-party.ts";
import { withPackage } from "../packages/enable-in-config.ts";
import { keeperElsewhere } from "../rows-elsewhere.ts";
import { StartError } from "../start-error.ts";
import { type Declared, declaredSteps } from "./declared-steps.ts";
import { openFiles, openPostgres, openSource, POSTGRES, refuseFiles, sourcesIn, type Target } from "./ends.ts";
import { identityOf, moveRows, refuseUsed } from "./move-rows.ts";
import { ownersIn, planMove, type Source, withAllPlugins } from "./plan-move.ts";

export interface MigrateCommand {
  readonly flags: Flags;
  /** `sqlite`, `postgres`, or the address of a PostgreSQL database. */
  readonly to: string;
  /** Looks at everything and copies nothing. */
  readonly isTrial: boolean;
  /** Names the storage in config.ini when all rows are there. */
  readonly isConfigWritten: boolean;
  print(line: string): void;
}

const ADDRESS = /^postgres(ql)?:\/\//;

/** `parley migrate`: copies the rows of a service that does not run to another storage. */
export async function runMigrate({ flags, to, isTrial, isConfigWritten, print }: MigrateCommand): Promise<void> {
  const configuration = readConfiguration({ root: process.cwd(), flags, env: process.env });
  if (configuration.problems.length > 0) throw new StartError(configuration.problems);
  const isToPostgres = to === "postgres" || ADDRESS.test(to);
  refuseSame(configuration, to, isToPostgres);
  await using from = await openSource(configuration);
  const owners = await ownersIn(from.databases.main);
  const declared = await declaredSteps(withAllPlugins(configuration), owners);
  const sources = await sourcesIn(from.databases, configuration, declared.steps);
  const identity = await identityOf(sources);
  await tellPlan({ sources, declared, isToPostgres, isTrial, print });
  if (isTrial && !isToPostgres) {
    refuseFiles(configuration);
    return print("nothing was copied");
  }
  await using target = await (isToPostgres
    ? openPostgres(configuration, ADDRESS.test(to) ? to : undefined)
    : openFiles(configuration, declared.steps));
  const isGoingOn = await refuseUsed(target.databases.main, target.databases, identity);
  if (isTrial) return print("nothing was copied");
  if (isGoingOn) print("going on where the last one ended");
  await moveAll({ sources, declared, target, print });
  const file = resolve(flags.config ?? process.env.SVC_CONFIG ?? join(configuration.root, "config.ini"));
  await tellEnd({ file, isToPostgres, isConfigWritten, isAddress: ADDRESS.test(to), print });
}

function refuseSame(configuration: Configuration, to: string, isToPostgres: boolean): void {
  const keeper = keeperElsewhere(configuration);
  if (!isToPostgres && to !== "sqlite") {
    throw new AppError(
      "bad_request",
      `'${to}' is no place for rows: sqlite, postgres, or postgresql://user:password@host/database`,
    );
  }
  if (!isToPostgres && keeper === undefined) throw new AppError("bad_request", "the rows are kept by SQLite already");
  if (to === "postgres" && keeper === POSTGRES)
    throw new AppError("bad_request", "the rows are kept by PostgreSQL already");
}

interface Telling {
  readonly sources: readonly Source[];
  readonly declared: Declared;
  readonly isToPostgres: boolean;
  readonly isTrial: boolean;
  print(line: string): void;
}

async function tellPlan({ sources, declared, isToPostgres, isTrial, print }: Telling): Promise<void> {
  const { tables, refused, unknown } = await planMove(sources, declared, declared.tables, isToPostgres);
  const against = [...refused, ...unknown.map(({ error }) => error)];
  if (against.length > 0) throw new AppError("conflict", ["the rows cannot be moved:", ...against].join("\n  - "));
  for (const { shape, rows, nuls } of tables) {
    if (isTrial && rows > 0) print(`${shape.name}  ${rows}`);
    if (nuls > 0)
      print(
        `note: ${shape.name} has ${nuls} texts with U+0000, which PostgreSQL does not keep: it is left out of them`,
      );
  }
  const sum = tables.reduce((all, { rows }) => all + rows, 0);
  print(`${sum} rows in ${tables.length} tables`);
}

async function moveAll({
  sources,
  declared,
  target,
  print,
}: Omit<Telling, "isToPostgres" | "isTrial"> & { readonly target: Target }) {
  let count = 0;
  await moveRows({
    sources,
    declared,
    target: target.databases,
    opened: target.opened,
    copied: (table, rows) => {
      count += rows;
      if (rows > 0) print(`copied ${table}  ${rows}`);
    },
  });
  await target.finish();
  print(`all rows are there and as they were${count > 0 ? `: ${count}` : ""}`);
}

interface Ending {
  readonly file: string;
  readonly isToPostgres: boolean;
  readonly isConfigWritten: boolean;
  /** The address was given on the command line. */
  readonly isAddress: boolean;
  print(line: string): void;
}

async function tellEnd({ file, isToPostgres, isConfigWritten, isAddress, print }: Ending): Promise<void> {
  const storage = isToPostgres ? POSTGRES : (FIRST_PARTY.storage as string);
  if (isConfigWritten) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    await writeFileAtomic(file, withPackage(text, "storage", storage));
    print(`${file} names ${storage} now`);
  } else print(`write this under [plugins] in ${file}, and start the service:\n  storage = ${storage}`);
  if (isAddress) print("and put the address into the variable PARLEY_DATABASE_URL, or the one that url_env names");
  print("What the rows were copied from is as it was; no service may go on with it. Files stay where they are");
}
