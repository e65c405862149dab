import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError } from "@parley/core";
import { type Flags, StartError } from "@parley/host";
import {
  BUNDLED_PLUGINS,
  type Configuration,
  collectDeclaredSteps,
  computeIdentity,
  type DeclaredSteps,
  findExternalStorage,
  moveRows,
  openFiles,
  openPostgres,
  openSource,
  openSources,
  POSTGRES,
  planMove,
  readConfiguration,
  readOwners,
  rejectExistingFiles,
  rejectUsedDatabase,
  replacePackage,
  type Source,
  type Target,
  withAllPlugins,
} from "@parley/host/tooling";
import writeFileAtomic from "write-file-atomic";

export interface MigrateOptions {
  readonly flags: Flags;
  /** `sqlite`, `postgres`, or the address of a PostgreSQL database. */
  readonly to: string;
  /** True checks everything and copies nothing. */
  readonly isTrial: boolean;
  /** True sets the storage in config.ini after all rows are copied. */
  readonly isConfigWritten: boolean;
  print(line: string): void;
}

const POSTGRES_URL = /^postgres(ql)?:\/\//;

/** Runs `parley migrate`: copies the rows of a stopped service to another storage. */
export async function runMigrate({ flags, to, isTrial, isConfigWritten, print }: MigrateOptions): Promise<void> {
  const configuration = readConfiguration({ root: process.cwd(), flags, env: process.env });
  if (configuration.problems.length > 0) throw new StartError(configuration.problems);
  const isToPostgres = to === "postgres" || POSTGRES_URL.test(to);
  rejectSameStorage(configuration, to, isToPostgres);
  await using from = await openSource(configuration);
  const owners = await readOwners(from.databases.main);
  const declared = await collectDeclaredSteps(withAllPlugins(configuration), owners);
  const sources = await openSources(from.databases, configuration, declared.steps);
  const identity = await computeIdentity(sources);
  await printPlan({ sources, declared, isToPostgres, isTrial, print });
  if (isTrial && !isToPostgres) {
    rejectExistingFiles(configuration);
    return print("nothing was copied");
  }
  await using target = await (isToPostgres
    ? openPostgres(configuration, POSTGRES_URL.test(to) ? to : undefined)
    : openFiles(configuration, declared.steps));
  const isResumed = await rejectUsedDatabase(target.databases.main, target.databases, identity);
  if (isTrial) return print("nothing was copied");
  if (isResumed) print("going on where the last one ended");
  await moveAllRows({ sources, declared, target, print });
  const file = resolve(flags.config ?? process.env.SVC_CONFIG ?? join(configuration.root, "config.ini"));
  await printNextSteps({ file, isToPostgres, isConfigWritten, isAddress: POSTGRES_URL.test(to), print });
}

function rejectSameStorage(configuration: Configuration, to: string, isToPostgres: boolean): void {
  const externalStorage = findExternalStorage(configuration);
  if (!isToPostgres && to !== "sqlite") {
    throw new AppError(
      "bad_request",
      `'${to}' is no place for rows: sqlite, postgres, or postgresql://user:password@host/database`,
    );
  }
  if (!isToPostgres && externalStorage === undefined)
    throw new AppError("bad_request", "the rows are kept by SQLite already");
  if (to === "postgres" && externalStorage === POSTGRES)
    throw new AppError("bad_request", "the rows are kept by PostgreSQL already");
}

interface PrintPlanOptions {
  readonly sources: readonly Source[];
  readonly declared: DeclaredSteps;
  readonly isToPostgres: boolean;
  readonly isTrial: boolean;
  print(line: string): void;
}

async function printPlan({ sources, declared, isToPostgres, isTrial, print }: PrintPlanOptions): Promise<void> {
  const { tables, rejected, unknown } = await planMove(sources, declared, declared.tables, isToPostgres);
  const problems = [...rejected, ...unknown.map(({ error }) => error)];
  if (problems.length > 0) throw new AppError("conflict", ["the rows cannot be moved:", ...problems].join("\n  - "));
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

async function moveAllRows({
  sources,
  declared,
  target,
  print,
}: Omit<PrintPlanOptions, "isToPostgres" | "isTrial"> & { readonly target: Target }) {
  let count = 0;
  await moveRows({
    sources,
    declared,
    target: target.databases,
    openFile: target.openFile,
    onCopied: (table, rows) => {
      count += rows;
      if (rows > 0) print(`copied ${table}  ${rows}`);
    },
  });
  await target.finish();
  print(`all rows are there and as they were${count > 0 ? `: ${count}` : ""}`);
}

interface NextStepsOptions {
  readonly file: string;
  readonly isToPostgres: boolean;
  readonly isConfigWritten: boolean;
  /** True when the address was given on the command line. */
  readonly isAddress: boolean;
  print(line: string): void;
}

async function printNextSteps(deps: NextStepsOptions): Promise<void> {
  const { file, isToPostgres, isConfigWritten, isAddress, print } = deps;
  const storage = isToPostgres ? POSTGRES : (BUNDLED_PLUGINS.storage as string);
  if (isConfigWritten) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    await writeFileAtomic(file, replacePackage(text, "storage", storage));
    print(`${file} names ${storage} now`);
  } else print(`write this under [plugins] in ${file}, and start the service:\n  storage = ${storage}`);
  if (isAddress) print("and put the address into the variable PARLEY_DATABASE_URL, or the one that url_env names");
  print("What the rows were copied from is as it was; no service may go on with it. Files stay where they are");
}
