import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type TortureOptions, tortureAdapter } from "./torture-adapter.ts";
import type { TortureReport } from "./torture-report.ts";

export interface TortureCommandOptions {
  readonly args: readonly string[];
  print(line: string): void;
}

const USAGE = `parley-torture <file> [--seeds <number>] [--from <number>] [--kills <number>]
The file's default export is what tortureAdapter takes. Each seed is a service of its own that is killed in places of its own.
--seeds 1, --from 1: how many, and the first of them; --kills 12: how often each service is killed, about five seconds each.`;

/** Tests the adapter of a file with one seed after another; returns the exit code: 0 when all promises hold. */
export async function tortureCommand({ args, print }: TortureCommandOptions): Promise<number> {
  const given = parseArguments(args);
  if (!given) {
    print(USAGE);
    return 1;
  }
  const options = await loadOptions(given.file);
  if (typeof options === "string") {
    print(options);
    return 1;
  }
  let broken = 0;
  for (let seed = given.from; seed < given.from + given.seeds; seed += 1) {
    const result = await tortureAdapter({ ...options, seed, kills: given.kills });
    const problems = listProblems(result);
    print(`seed ${seed}: ${result.said} messages, killed at ${result.kills.join(", ")}`);
    for (const problem of problems) print(`  ${problem}`);
    if (problems.length > 0) broken += 1;
  }
  print(
    broken === 0 ? "every message was answered once and in order" : `${broken} of ${given.seeds} seeds broke something`,
  );
  return broken === 0 ? 0 : 1;
}

async function loadOptions(file: string): Promise<TortureOptions | string> {
  const path = resolve(file);
  if (!existsSync(path)) return `${file} is not there`;
  const { default: options } = (await import(pathToFileURL(path).href)) as {
    readonly default?: Partial<TortureOptions>;
  };
  const isOne =
    typeof options?.start === "function" && typeof options.type === "string" && options.plugins !== undefined;
  return isOne
    ? (options as TortureOptions)
    : `${file} has no default export with plugins, type and start: TortureOptions of @parley/testing says what they are`;
}

/** Lists all problems, including unknown outcomes, which only an adapter without idempotency and reconciliation can have. */
function listProblems({ lost, twice, outOfOrder, inDoubt }: TortureReport): readonly string[] {
  const found = { lost, "answered twice": twice, "out of order": outOfOrder, "in doubt": inDoubt };
  return Object.entries(found).flatMap(([what, texts]) => (texts.length > 0 ? [`${what}: ${texts.join(", ")}`] : []));
}

interface TortureArguments {
  readonly file: string;
  readonly seeds: number;
  readonly from: number;
  readonly kills: number;
}

function parseArguments(args: readonly string[]): TortureArguments | undefined {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      ...{ args: [...args], allowPositionals: true },
      options: { seeds: text, from: text, kills: text },
    });
    const [file] = positionals;
    const { seeds, from, kills } = { seeds: "1", from: "1", kills: "12", ...values };
    const numbers = [seeds, from, kills].map(Number);
    if (file === undefined || positionals.length !== 1) return undefined;
    if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return undefined;
    return { file, seeds: Number(seeds), from: Number(from), kills: Number(kills) };
  } catch {
    // For an unknown option the usage is printed.
    return undefined;
  }
}
