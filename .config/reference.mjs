// Writes reference.md of @parley/core and of @parley/testing: every name they export that is not deprecated, with its docstring.
// `node .config/reference.mjs` refreshes it; `--check` fails when one is not what the sources say. A name without a docstring fails.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The compiler's own interface, which TypeScript 7 has not.
const ts = createRequire(join(root, "adapters", "web", "client", "package.json"))("typescript");
const PACKAGES = {
  core: {
    "@parley/core": "src/index.ts",
    "@parley/core/archive": "src/archive/index.ts",
    "@parley/core/async": "src/async/index.ts",
    "@parley/core/channels": "src/channels/index.ts",
    "@parley/core/characters": "src/characters/index.ts",
    "@parley/core/http": "src/http/index.ts",
    "@parley/core/limits": "src/limits/index.ts",
    "@parley/core/markdown": "src/markdown/index.ts",
    "@parley/core/secrets": "src/secrets/index.ts",
    "@parley/core/storage": "src/storage/index.ts",
    "@parley/core/text": "src/text/index.ts",
    "@parley/core/text-match": "src/text-match/index.ts",
    "@parley/core/transfer": "src/transfer/index.ts",
  },
  "tests/testing": { "@parley/testing": "src/index.ts" },
};
const KINDS = [
  ["Extension points", (type) => type.symbol?.name === "ExtensionPoint"],
  ["Services", (type) => type.symbol?.name === "ServiceKey"],
  ["Functions", (type) => type.getCallSignatures().length > 0],
  ["Values", () => true],
];

const sources = Object.entries(PACKAGES).flatMap(([folder, entries]) =>
  Object.values(entries).map((source) => join(root, folder, source)),
);
const program = ts.createProgram(sources, {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  customConditions: ["@parley/source"],
});
const checker = program.getTypeChecker();
const bare = [];
const written = Object.entries(PACKAGES).map(([folder, entries]) => ({
  file: `${folder}/reference.md`,
  text: referenceOf(folder, entries),
}));
for (const name of bare) console.error(`${name} is exported and says nothing of itself: write a docstring`);
if (bare.length > 0) process.exitCode = 1;
else if (!process.argv.includes("--check")) for (const { file, text } of written) writeFileSync(join(root, file), text);
else
  for (const { file } of written.filter(({ file, text }) => readFileSync(join(root, file), "utf8") !== text)) {
    console.error(`${file} is not what the docstrings say: run \`node .config/reference.mjs\``);
    process.exitCode = 1;
  }

function referenceOf(folder, entries) {
  const parts = Object.entries(entries).map(([name, source]) => `## ${name}\n\n${entryOf(join(root, folder), source)}`);
  const [name] = Object.keys(entries);
  return `# What ${name} exports\n\nMade from the docstrings by \`node .config/reference.mjs\`; not edited by hand.\n\n${parts.join("\n")}`;
}

function entryOf(folder, source) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, source)));
  const groups = new Map([...KINDS.map(([kind]) => kind), "Types"].map((kind) => [kind, []]));
  for (const exported of checker.getExportsOfModule(module)) {
    if (exported.getJsDocTags(checker).some(({ name }) => name === "deprecated")) continue;
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const from = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
    // What libraries say of theirs is theirs.
    if (relative(folder, from).startsWith("..") || from.includes("node_modules")) continue;
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
