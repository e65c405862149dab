import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSourceFigures } from "./harness/source-figures.ts";
const root = dirname(import.meta.dirname);
const f = readSourceFigures(root);
const p = join(root, "tests/readability-limits.json");
const old = JSON.parse(readFileSync(p, "utf8"));
const total = [...f.privateWords.values()].reduce((s, c) => s + c, 0);
const packages = Object.fromEntries([...f.packages].sort(([a], [b]) => a.localeCompare(b)).map(([n, x]) => [n, [x.lines, x.maxFunctionLines, x.p95FunctionLines]]));
for (const [n, v] of Object.entries(packages)) { const o = old.packages[n]; if (!o || v.some((x, i) => x > o[i])) console.log("ROSE", n, o, v); else if (v.some((x, i) => x < o[i])) console.log("fell", n, o, v); }
console.log({ crowded: [old.crowded_folders, f.crowdedFolders.length], riddles: f.riddles.length, private: [old.private_words, total], lines: Object.values(packages).reduce((s, v) => s + v[0], 0) });
if (process.argv[2] === "write") writeFileSync(p, JSON.stringify({ crowded_folders: f.crowdedFolders.length, riddles: f.riddles.length, private_words: total, packages }, null, 2) + "\n");
