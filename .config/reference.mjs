// Writes core/reference.md: every name that @parley/core exports, with what its docstring says.
// `node .config/reference.mjs` refreshes it; `--check` fails when it is not what the sources say. A name without a docstring fails.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const core = join(root, "core");
const file = join(core, "reference.md");
// The compiler's own interface, which TypeScript 7 has not.
const ts = createRequire(join(root, "adapters", "web", "client", "package.json"))("typescript");
const ENTRIES = {
  "@parley/core": "src/index.ts",
  "@parley/core/testing": "src/testing/index.ts",
  "@parley/core/text": "src/text/index.ts",
  "@parley/core/text-match": "src/text-match/index.ts",
};
const KINDS = [
  ["Extension points", (type) => type.symbol?.name === "ExtensionPoint"],
  ["Services", (type) => type.symbol?.name === "ServiceKey"],
  ["Functions", (type) => type.getCallSignatures().length > 0],
  ["Values", () => true],
];

const sources = Object.values(ENTRIES).map((source) => join(core, source));
const program = ts.createProgram(sources, {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
});
const checker = program.getTypeChecker();
const bare = [];
const parts = Object.entries(ENTRIES).map(([name, source]) => `## ${name}\n\n${entryOf(source)}`);
const text = `# What @parley/core exports\n\nMade from the docstrings by \`node .config/reference.mjs\`; not edited by hand.\n\n${parts.join("\n")}`;
for (const name of bare) console.error(`${name} is exported and says nothing of itself: write a docstring`);
if (bare.length > 0) process.exitCode = 1;
else if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("core/reference.md is not what the docstrings say: run `node .config/reference.mjs`");
  process.exitCode = 1;
}

function entryOf(source) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(core, source)));
  const groups = new Map([...KINDS.map(([kind]) => kind), "Types"].map((kind) => [kind, []]));
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const from = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
    // What libraries say of theirs is theirs.
    if (relative(core, from).startsWith("..") || from.includes("node_modules")) continue;
    const said = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, " ").trim();
    if (said === "") bare.push(`${exported.name} (${relative(root, from)})`);
    groups.get(kindOf(symbol)).push(`- \`${exported.name}\`: ${said}`);
  }
  const told = [...groups].filter(([, lines]) => lines.length > 0);
  return told.map(([kind, lines]) => `### ${kind}\n\n${lines.sort().join("\n")}\n`).join("\n");
}

function kindOf(symbol) {
  if ((symbol.flags & ts.SymbolFlags.Value) === 0) return "Types";
  const type = checker.getTypeOfSymbol(symbol);
  return KINDS.find(([, is]) => is(type))[0];
}
