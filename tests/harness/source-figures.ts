import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** Figures of how readable the source of one package is. */
export interface PackageFigures {
  readonly lines: number;
  /** Lines of the longest function, and the 95th percentile of all functions. */
  readonly maxFunctionLines: number;
  readonly p95FunctionLines: number;
}

/** Figures of the repository's TypeScript except text catalogues. Tests count for docstrings and words, but not for lines and functions. */
export interface SourceFigures {
  readonly packages: ReadonlyMap<string, PackageFigures>;
  /** Folders with more than 15 files that are not tests. */
  readonly crowdedFolders: readonly string[];
  /** Docstrings that begin with a question word (What, Who, Whether) or a reference to nothing before it. */
  readonly riddles: readonly string[];
  /** Parts of identifiers, such as `told` in `toldFailure`, that only this project understands, with their counts. */
  readonly privateWords: ReadonlyMap<string, number>;
}

const MAX_FOLDER_FILES = 15;
const RIDDLE = /^(What|Who|Whom|Whose|Whether|How|Where|Why|Which|Whatever|Whoever|Of|Those|It|They)\b/;
const PRIVATE_WORDS = new Set(
  "told said kept held heard elsewhere home door doubt verdict deeds doomed standing aside witness fate tally keeper".split(
    " ",
  ),
);
const DOCSTRING = /\/\*\*\s*\n?\s*\*?\s*([^\n]*)/g;
const PACKAGE = /^(?:(?:plugins|adapters|examples|tests)\/[^/]+|adapters\/web\/console|core|host\/cli|host)/;

export function readSourceFigures(root: string): SourceFigures {
  const listed = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: root, encoding: "utf8", maxBuffer: 1e8 });
  const files = listed.split("\n").filter((file) => file !== "" && !/generated|\/templates\/|\/locales\//.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  // Old names for published ones are no code to read.
  const sources = [...texts].filter(([file]) => !isTest(file) && !file.endsWith("/deprecated.ts"));
  return {
    packages: toPackageFigures(sources),
    crowdedFolders: findCrowdedFolders(sources.map(([file]) => file)),
    riddles: [...texts].flatMap(([file, text]) => findRiddles(file, text)),
    privateWords: countPrivateWords([...texts.values()]),
  };
}

function isTest(file: string): boolean {
  return file.startsWith("tests/") || file.endsWith(".test.ts") || file.endsWith("/test-setup.ts");
}

function toPackageFigures(sources: readonly (readonly [string, string])[]): ReadonlyMap<string, PackageFigures> {
  const byPackage = Map.groupBy(sources, ([file]) => toPackageName(file));
  return new Map([...byPackage].map(([name, own]) => [name, toFigures(own)] as const).toSorted());
}

function toPackageName(file: string): string {
  return file.startsWith("adapters/web/console/") ? "adapters/web/console" : (PACKAGE.exec(file)?.[0] ?? dirname(file));
}

function toFigures(own: readonly (readonly [string, string])[]): PackageFigures {
  const lengths = own.flatMap(([file, text]) => readFunctionLengths(file, text)).toSorted((a, b) => a - b);
  return {
    lines: own.reduce((sum, [, text]) => sum + text.split("\n").length - 1, 0),
    maxFunctionLines: lengths.at(-1) ?? 0,
    p95FunctionLines: lengths[Math.floor(lengths.length * 0.95)] ?? 0,
  };
}

/** Returns the line count of each named function and function expression, without docstrings. */
function readFunctionLengths(file: string, text: string): readonly number[] {
  const lengths: number[] = [];
  const measure = ({ start, end }: { readonly start: number; readonly end: number }) => {
    lengths.push(text.slice(start, end).split("\n").length);
  };
  const { program } = parseSync(file, text);
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return lengths;
}

function findCrowdedFolders(files: readonly string[]): readonly string[] {
  const byFolder = Map.groupBy(files, dirname);
  return [...byFolder].filter(([, own]) => own.length > MAX_FOLDER_FILES).map(([folder]) => folder);
}

function findRiddles(file: string, text: string): readonly string[] {
  return [...text.matchAll(DOCSTRING)]
    .map(([, first = ""]) => first)
    .filter((first) => RIDDLE.test(first))
    .map((first) => `${file}: ${first}`);
}

/** Counts words in code only, without comments and texts. */
function countPrivateWords(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "");
    for (const [identifier] of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
      for (const [part] of identifier.matchAll(/[A-Z]?[a-z]+/g)) {
        const word = part.toLowerCase();
        if (PRIVATE_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }
  return counts;
}
