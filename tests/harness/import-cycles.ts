import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Returns the groups of files that import each other, types included; a file loaded on demand (`import()`) does not count. */
export function findImportCycles(root: string, patterns: readonly string[]): readonly (readonly string[])[] {
  const files = new Set(globSync([...patterns], { cwd: root, exclude: ["**/node_modules/**"] }));
  const graph = new Map([...files].map((file) => [file, readImports(root, file)]));
  removeLeaves(graph);
  return [...graph.keys()].flatMap((file) => {
    const circle = findCycle(graph, file);
    // Each circle is reported once, by its first file.
    return circle.length > 0 && circle.every((other) => file <= other) ? [circle] : [];
  });
}

/** Removes files that import no file of the graph until only circles and files that import them remain. */
function removeLeaves(graph: Map<string, readonly string[]>): void {
  for (let size = Number.POSITIVE_INFINITY; graph.size < size; ) {
    size = graph.size;
    for (const [file, imports] of graph) if (!imports.some((one) => graph.has(one))) graph.delete(file);
  }
}

function readImports(root: string, file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), "utf8"));
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? "")),
  ];
  return specifiers.filter((one) => one.startsWith(".")).map((one) => join(dirname(file), one));
}

/** Returns the files that a file reaches and that reach it. */
function findCycle(graph: ImportGraph, file: string): readonly string[] {
  return [...reach(graph, file)].filter((other) => reach(graph, other).has(file)).toSorted();
}

function reach(graph: ImportGraph, from: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...(graph.get(file) ?? []));
  }
  return reached;
}
