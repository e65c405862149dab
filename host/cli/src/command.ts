import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { Flags, HostOptions } from "@parley/host";
// Commands load their modules when they run, so that version and help respond at once.
import { Command, InvalidArgumentError } from "commander";
import { print } from "./process/print.ts";
import { readOwnVersion } from "./version.ts";

export interface CommandOptions {
  /** Turns the working directory into a Parley folder and returns lines about it. Absent: there is no `init` command. */
  readonly init?: () => readonly string[];
}

/** Runs the command `parley` with the arguments of the process, and ends the process afterwards. */
export async function runCommand({ init }: CommandOptions = {}): Promise<void> {
  prepareProcess();
  const program = createProgram();
  const options = () => ({ flags: program.opts<Flags>(), ownsProcess: true });
  addServiceCommands(program, options);
  addPackageCommands(program, options, init);
  addBackupCommands(program, options);
  addMigrateCommand(program, options);
  // Saved before plugins are examined, because `process.exit` throws meanwhile.
  const exit = process.exit.bind(process);
  await program.parseAsync().catch(printExpectedError);
  await flushOutput();
  // Ends the process even when a plugin left a handle open.
  exit();
}

async function flushOutput(): Promise<void> {
  const flush = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write("", () => resolve()));
  await Promise.all([process.stdout, process.stderr].map(flush));
}

function prepareProcess(): void {
  // Other users of the machine must not read the files.
  process.umask(0o077);
  // A closed output or a full disk must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  // A file at its size limit must only fail the write. Libraries that listen to this signal temporarily restore its default, which
  // ends the process.
  process.on("SIGXFSZ", () => {});
  // V8 collects by the machine's memory; here at half of the memory in use.
  setFlagsFromString("--heap-growing-percent=50");
  // The program's first line sets this for the main thread, which reads it only before the start; here it is for
  // workers.
  setFlagsFromString("--max-semi-space-size=8");
}

function createProgram(): Command {
  return new Command("parley")
    .description("A chat-bot backend: starts the service and its web console.")
    .version(readOwnVersion(), "--version", "print the version")
    .option("--config <file>", "the configuration file (default: config.ini in this folder)")
    .option("--data-dir <folder>", "the data folder (default: data)")
    .option("--host <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "the port to listen on, 0 for a free one (default: 5000)", parsePort)
    .option("--mcp", "also serve MCP clients")
    .option("--mcp-only", "serve one MCP client on standard input and output, and nothing else")
    .option("--mcp-connect <url>", "connect to a remote MCP server")
    .addHelpText(
      "after",
      "\nA plugin that was switched off in the console comes back with: parley plugins --enable <id>",
    )
    .showHelpAfterError();
}

type ReadOptions = () => { readonly flags: Flags; readonly ownsProcess: boolean };

function addServiceCommands(program: Command, options: ReadOptions): void {
  program
    .command("start", { isDefault: true })
    .description("start the service")
    // Unknown commands arrive here as arguments of the default command.
    .allowExcessArguments()
    .action(async (_own: object, { args: [written] }: Command) => {
      if (written !== undefined) await rejectUnknown(program, written);
      const { runService } = await import("./process/start-command.ts");
      await runService(options());
    });
  program
    .command("check")
    .description("check the configuration and the plugins without starting")
    .action(() => printCheck(options()));
  program
    .command("openapi")
    .description("write the OpenAPI document of the REST API")
    .option("--out <file>", "the file to write (default: standard output)")
    .action((given: { readonly out?: string }) => writeOpenApi(options(), given.out));
  program
    .command("dashboards")
    .description("write a Grafana dashboard and Prometheus alert rules")
    .argument("<folder>", "the folder to write to")
    .action(async (folder: string) => {
      const { runDashboards } = await import("./dashboards/dashboards-command.ts");
      await runDashboards({ ...options(), folder, print }).catch(printExpectedError);
    });
  program
    .command("replay")
    .description("replay a recorded message offline and show what differs (exit code 1)")
    .argument("<trace_id>", "its trace ID, as shown in logs and the console")
    .option("--test [folder]", "also write a Vitest file that fails when the outcome changes")
    .action(async (traceId: string, { test }: { readonly test?: string | true }) => {
      const { runReplay } = await import("./replay/replay-command.ts");
      process.exitCode = await runReplay({ ...options(), traceId, test, print });
    });
  program
    .command("doctor")
    .description(
      "find problems of the configuration, the data folder and the service, with their fixes (exit code 0: none, 1: problems, 2: warnings only)",
    )
    .option("--json", "print JSON")
    .option("--lang <language>", "the language: en, zh, or the code of a file in languages/ (default: from LANG)")
    .action(async ({ json = false, lang }: { readonly json?: boolean; readonly lang?: string }) => {
      const { runDoctor } = await import("./doctor/doctor-command.ts");
      process.exitCode = await runDoctor({ ...options(), isJson: json, language: lang, print });
    });
}

function addPackageCommands(program: Command, options: ReadOptions, init: CommandOptions["init"]): void {
  program
    .command("plugins")
    .description("list plugins, their packages and what they add")
    .option("--enable <id>", "enable a plugin that was switched off in the console; takes effect after a restart")
    .action((given: { readonly enable?: string }) => listPlugins(options(), given.enable));
  program
    .command("add")
    .description("install a package with npm and enable it in config.ini")
    .argument("<package>", "a name, optionally with a version (name@1.2.3), or a tarball or folder")
    .action(async (wanted: string) => {
      const { addPackage } = await import("./packages/add-command.ts");
      await addPackage({ ...options(), wanted, print }).catch(printExpectedError);
    });
  program
    .command("remove")
    .description("uninstall an added package and remove it from config.ini; its data is kept")
    .argument("<name>", "the name of the package or its plugin")
    .action(async (wanted: string) => {
      const { removePackage } = await import("./packages/remove-command.ts");
      await removePackage({ ...options(), wanted, print }).catch(printExpectedError);
    });
  program
    .command("check-package")
    .description("check a package of an adapter or plugin before publishing, with fixes (exit code 1: problems)")
    .argument("[folder]", "the package (default: this folder)", ".")
    .option("--no-tests", "skip its tests")
    .action(async (folder: string, { tests }: { readonly tests: boolean }) => {
      const { checkPackageFolder } = await import("./packages/check-package.ts");
      const findings = await checkPackageFolder({ folder, isWithoutTests: !tests, ownsProcess: true });
      for (const finding of findings) print(`finding: ${finding}`);
      print(findings.length === 0 ? "nothing is missing: npm publish" : formatCount(findings.length, "finding"));
      process.exitCode = findings.length === 0 ? 0 : 1;
    });
  if (!init) return;
  program
    .command("init")
    .description("create config.ini and the other files of a service in this folder; existing files are kept")
    .action(() => init().forEach(print));
}

async function rejectUnknown(program: Command, written: string): Promise<never> {
  const { findNearestWord } = await import("@parley/core");
  const near = findNearestWord(
    written,
    program.commands.map((one) => one.name()),
  );
  return program.error(`error: unknown command '${written}'${near === undefined ? "" : `\n(Did you mean ${near}?)`}`);
}

interface BackupFlags {
  readonly to?: string;
  readonly keep?: number;
  readonly withoutFiles?: true;
}

function addBackupCommands(program: Command, options: ReadOptions): void {
  program
    .command("backup")
    .description("back up the data folder, and data on a database server or in a bucket; works while the service runs")
    .option("--to <folder>", "the folder for backups (default: backups in the data folder)")
    .option("--keep <number>", "the number of backups to keep; older ones are deleted (default: all)", parseCount)
    .option("--without-files", "skip files outside the data folder, such as those in a bucket")
    .action(async ({ withoutFiles: isWithoutFiles, to, keep }: BackupFlags) => {
      const { runBackup } = await import("./backup/backup-command.ts");
      await runBackup({ ...options(), to, keep, isWithoutFiles, print }).catch(printExpectedError);
    });
  program
    .command("restore")
    .description("create a data folder from a backup; never overwrites existing data")
    .argument("<backup>", "the folder of the backup")
    .option("--dry-run", "check the backup without restoring it")
    .action(async (from: string, { dryRun = false }: { readonly dryRun?: boolean }) => {
      const { runRestore } = await import("./backup/backup-command.ts");
      await runRestore({ ...options(), from, isTrial: dryRun, print }).catch(printExpectedError);
    });
}

function addMigrateCommand(program: Command, options: ReadOptions): void {
  program
    .command("migrate")
    .description("copy all data of a stopped service to another storage; resumes when interrupted")
    .requiredOption(
      "--to <place>",
      "postgresql://user:password@host/database; postgres (its variable has the address); sqlite",
    )
    .option("--dry-run", "show what would be copied, and any obstacles, without copying")
    .option("--write-config", "switch config.ini to the new storage when the copy is complete")
    .action(async (given: { readonly to: string; readonly dryRun?: boolean; readonly writeConfig?: boolean }) => {
      const { runMigrate } = await import("./migrate/migrate-command.ts");
      const { to, dryRun = false, writeConfig: isConfigWritten = false } = given;
      await runMigrate({ ...options(), to, isTrial: dryRun, isConfigWritten, print }).catch(printExpectedError);
    });
}

async function printCheck(options: HostOptions): Promise<void> {
  const { checkConfiguration } = await import("./check/check-configuration.ts");
  const { problems, warnings } = await checkConfiguration(options);
  for (const warning of warnings) print(`note: ${warning}`);
  for (const problem of problems) print(`problem: ${problem}`);
  print(problems.length === 0 ? "everything fits together" : formatCount(problems.length, "problem"));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function listPlugins(options: HostOptions, enable: string | undefined): Promise<void> {
  if (enable !== undefined) return enablePluginById(options, enable);
  const { checkConfiguration } = await import("./check/check-configuration.ts");
  const { plugins } = await checkConfiguration(options);
  for (const { id, package: name, version, path, state, failure, adds } of plugins) {
    print(`${id}  ${name} ${version}  ${failure ? `failed: ${failure}` : state === "disabled" ? "off" : "fits"}`);
    if (path) print(`    from ${path}`);
    if (adds.length > 0) print(`    adds ${adds.join(", ")}`);
  }
}

async function enablePluginById(options: HostOptions, id: string): Promise<void> {
  const { enablePlugin } = await import("@parley/host/tooling");
  try {
    await enablePlugin(options, id);
    print(`${id} is switched on; restart Parley to use it`);
  } catch (error) {
    await printExpectedError(error);
  }
}

async function writeOpenApi(options: HostOptions, out: string | undefined): Promise<void> {
  const { describeConfiguration } = await import("./check/check-configuration.ts");
  const described = await describeConfiguration(options).catch(printExpectedError);
  if (!described) return;
  for (const warning of described.warnings) process.stderr.write(`note: ${warning}\n`);
  const text = `${JSON.stringify(described.document, undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text, { mode: 0o644 });
}

/** Prints what to do about an expected failure on stderr and sets exit code 1; throws any other failure. */
async function printExpectedError(error: unknown): Promise<undefined> {
  const { printExpectedError: print } = await import("./process/start-command.ts");
  return print(error);
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("not a number above 0");
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("not a port");
}
