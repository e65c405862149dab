// Writes core/api-report.md: every declaration third parties build on, of @parley/core and @parley/testing, so that a change of the contract is seen in review.
// `node .config/api-report.mjs` refreshes it, and refuses what would break plugins that were written for the contract as the
// report has it: that needs a new CONTRACT_VERSION, or --unpublished where no published version has had it.
// `--check` fails when the report is not what the sources say.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const report = join(root, "core", "api-report.md");
const INDEXES = [
  "index",
  "archive/index",
  "async/index",
  "channels/index",
  "characters/index",
  "http/index",
  "json/index",
  "limits/index",
  "markdown/index",
  "secrets/index",
  "storage/index",
  "transfer/index",
  "testing/index",
];
// Among core's own libraries, so that the declarations find theirs.
const modules = join(root, "core", "node_modules");
mkdirSync(modules, { recursive: true });
const work = mkdtempSync(join(modules, ".parley-api-"));
const out = join(work, "now");
// Also where the process ends early.
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const tsc = join(root, "node_modules", ".bin", "tsc");
declare("-p", join(root, "core"), "--outDir", out);
// The kit that tests are written with is read beside core, as if it were a folder of it.
const kit = join(work, "kit");
const fromSources = ["--rootDir", root, "--outDir", kit, "--customConditions", "@parley/source"];
declare("-p", join(root, "tests", "testing"), ...fromSources);
cpSync(join(kit, "tests", "testing", "src"), join(out, "testing"), { recursive: true });
for (const file of globSync("testing/**/*.d.ts", { cwd: out })) {
  const core = `"${relative(dirname(file), "index.ts")}"`;
  writeFileSync(join(out, file), readFileSync(join(out, file), "utf8").replaceAll('"@parley/core"', core));
}
const sections = INDEXES.flatMap((index) => [index, ...filesOf(index)]).sort();
const parts = [...new Set(sections)].map((file) => `## ${file}\n\n\`\`\`ts\n${declarationsOf(file)}\n\`\`\`\n`);
const text = `# The contract, declaration by declaration\n\nMade by \`node .config/api-report.mjs\`; not edited by hand.\n\n${parts.join("\n")}`;
const before = readFileSync(report, "utf8");
if (before === text) process.exit(0);
if (process.argv.includes("--check")) {
  console.error(
    "core/api-report.md is not what the sources say: run `node .config/api-report.mjs` and review the difference",
  );
  process.exit(1);
}
if (!process.argv.includes("--unpublished")) await refuseBreaking(before, text);
writeFileSync(report, text);

function declare(...options) {
  const { status } = spawnSync(tsc, options, { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

async function refuseBreaking(before, text) {
  const versionIn = (some) => /CONTRACT_VERSION = (\d+)/.exec(some)?.[1];
  if (versionIn(before) !== versionIn(text)) return;
  const { incompatibilities, writeReported } = await import("./compare-contract.mjs");
  const old = join(work, "before");
  cpSync(out, old, { recursive: true });
  writeReported(before, old);
  const problems = incompatibilities(old, out, INDEXES);
  if (problems.length === 0) return;
  console.error(
    [
      "This would break plugins that are written for the contract as core/api-report.md has it:",
      ...problems.map((problem) => `- ${problem}`),
      "Keep the old way beside the new one (@deprecated, `deprecated` of a point or a service), or raise CONTRACT_VERSION.",
      "What no published version has had: node .config/api-report.mjs --unpublished",
    ].join("\n"),
  );
  process.exit(1);
}

function filesOf(index) {
  const folder = dirname(index);
  const text = readFileSync(join(out, `${index}.d.ts`), "utf8");
  return [...text.matchAll(/from "\.\/([^"]+)\.ts"/g)].map(([, file]) => join(folder, file));
}

function declarationsOf(file) {
  return (
    readFileSync(join(out, `${file}.d.ts`), "utf8")
      .split("\n")
      // A deprecated name stands behind the comment that says so.
      .map((line) => line.replace(/^(\s*)\/\*\* @deprecated [^*]*\*\/ (?=\w)/, "$1"))
      .filter((line) => !/^\s*(\/\*\*|\*|\*\/|\/\/)/.test(line) && line.trim() !== "" && line.trim() !== "export {};")
      .join("\n")
  );
}
