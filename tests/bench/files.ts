// Counts the source files that take part in one message, in one change of a character, and in the Characters page.
// node --conditions=@parley/source tests/bench/files.ts
import { existsSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { startParley } from "../harness/parley.ts";

const repository = dirname(dirname(import.meta.dirname));
const SOURCE = /^(core|host|plugins|adapters)\/(?!.*\.test\.ts$).*\/?src\//;

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await using parley = await startParley();
const api = await parley.signIn();
const { id: session } = await api.post<{ id: string }>("/api/sessions", {});
const { id: character } = await api.post<{ id: string }>("/api/characters", { name: "Mira" });
const say = (content: string) => api.post(`/api/sessions/${session}/chat`, { content });
const rename = (name: string) => api.put(`/api/characters/${character}`, { name });

// The first of each also loads what is loaded once.
await say("hello");
await rename("Mira B");
printFiles("one message of a web conversation", await countFiles(() => say("hello again")));
printFiles("PUT /api/characters/{character_id}", await countFiles(() => rename("Mira C")));
printFiles("the Characters page (files its module imports)", toGroups(findImports("areas/characters/page.tsx")));

/** Runs the work, and returns the files of which a function ran meanwhile, as numbers by their package. */
async function countFiles(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  await inspector.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  const ran = result
    .filter(({ url, functions }) => url.startsWith("file:") && functions.some(isCalled))
    .map(({ url }) => relative(repository, fileURLToPath(url)));
  return toGroups(ran.filter((file) => SOURCE.test(file)));
}

function isCalled({ functionName, ranges }: { functionName: string; ranges: readonly { count: number }[] }): boolean {
  return functionName !== "" && ranges.some(({ count }) => count > 0);
}

/** Returns the console's files that a module imports, directly or not. */
function findImports(entry: string): readonly string[] {
  const root = join(repository, "adapters/web/console/src");
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const target = join(dirname(file), from);
      if (/\.tsx?$/.test(target) && existsSync(target)) add(target);
    }
  };
  add(join(root, entry));
  return [...found].map((file) => relative(repository, file));
}

function toGroups(files: readonly string[]): ReadonlyMap<string, number> {
  const byPackage = Map.groupBy(files, (file) => file.split("/src/")[0] ?? file);
  return new Map([...byPackage].map(([name, own]) => [name, own.length] as const).toSorted(([, a], [, b]) => b - a));
}

function printFiles(what: string, groups: ReadonlyMap<string, number>): void {
  const total = [...groups.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...groups].map(([name, count]) => `${name} ${count}`).join(", ");
  console.log(`${what}: ${total} files (${parts})`);
}
