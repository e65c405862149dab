// Writes core/api-report.md: every declaration third parties build on, so that a change of the contract is seen in review.
// `node .config/api-report.mjs` refreshes it; `--check` fails when it is not what the sources say.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const report = join(root, "core", "api-report.md");
const out = mkdtempSync(join(tmpdir(), "parley-api-"));
try {
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const { status } = spawnSync(tsc, ["-p", join(root, "core"), "--outDir", out], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  const sections = filesOf("index").concat(filesOf("testing/index")).sort();
  const parts = [...new Set(sections)].map((file) => `## ${file}\n\n\`\`\`ts\n${declarationsOf(file)}\n\`\`\`\n`);
  const text = `# The contract, declaration by declaration\n\nMade by \`node .config/api-report.mjs\`; not edited by hand.\n\n${parts.join("\n")}`;
  if (!process.argv.includes("--check")) writeFileSync(report, text);
  else if (readFileSync(report, "utf8") !== text) {
    console.error(
      "core/api-report.md is not what the sources say: run `node .config/api-report.mjs` and review the difference",
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}

function filesOf(index) {
  const folder = dirname(index);
  const text = readFileSync(join(out, `${index}.d.ts`), "utf8");
  return [...text.matchAll(/from "\.\/([^"]+)\.ts"/g)].map(([, file]) => join(folder, file));
}

function declarationsOf(file) {
  return readFileSync(join(out, `${file}.d.ts`), "utf8")
    .split("\n")
    .filter((line) => !/^\s*(\/\*\*|\*|\*\/|\/\/)/.test(line) && line.trim() !== "" && line.trim() !== "export {};")
    .join("\n");
}
