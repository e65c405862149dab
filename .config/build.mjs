// Builds every package that is published (JavaScript by tsup, declarations by tsc), packs it and checks the tarball
// as its users will see it: publint for the manifest, "are the types wrong" for the exports.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "tsup";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tarballs = join(root, ".artefacts", "packages");
const packages = [
  "core",
  ...globSync(["host", "plugins/*", "adapters/*", "adapters/*/client", "tests/simulators"], { cwd: root }).sort(),
]
  .map((folder) => ({ folder: join(root, folder), manifestPath: join(root, folder, "package.json") }))
  .filter(({ manifestPath }) => existsSync(manifestPath))
  .map((entry) => ({ ...entry, manifest: JSON.parse(readFileSync(entry.manifestPath, "utf8")) }))
  .filter(({ manifest }) => !manifest.private);

rmSync(tarballs, { recursive: true, force: true });
mkdirSync(tarballs, { recursive: true });
for (const one of packages) await buildOne(one);
const problems = (await Promise.all(packages.map(problemsOf))).flat();
problems.push(...(await startProblems()));
for (const problem of problems) console.error(problem);
console.log(`${packages.length} packages built and packed, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function buildOne({ folder, manifest }) {
  const sources = Object.values(manifest.exports).flatMap((entry) => entry["@parley/source"] ?? []);
  // What the package starts by file: its command, and workers.
  const started = globSync(["src/main.ts", "src/**/*-worker.ts"], { cwd: folder }).map((file) => `./${file}`);
  const entry = Object.fromEntries(
    [...new Set([...sources, ...started])].map((file) => [
      relative("src", file).replace(/\.ts$/, ""),
      join(folder, file),
    ]),
  );
  for (const file of globSync("dist/**/*.{js,d.ts,map}", { cwd: folder, exclude: ["dist/console/**"] })) {
    rmSync(join(folder, file));
  }
  await build({
    entry,
    outDir: join(folder, "dist"),
    format: "esm",
    target: "node24",
    platform: "node",
    // Some modules of Node have no name without it.
    removeNodeProtocol: false,
    dts: false,
    clean: false,
    silent: true,
    config: false,
    tsconfig: join(folder, "tsconfig.json"),
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
  });
  const { status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { stdio: "inherit" });
  if (status !== 0) throw new Error(`${manifest.name}: declarations could not be made`);
}

async function problemsOf({ folder, manifest }) {
  const packed = JSON.parse(
    execFileSync("pnpm", ["pack", "--json", "--pack-destination", tarballs], { cwd: folder, encoding: "utf8" }),
  );
  const tarball = readFileSync(packed.filename);
  const { messages } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true });
  const { problems = [] } = await checkPackage(createPackageFromTarballData(tarball));
  return [
    ...messages.map((message) => `${manifest.name}: ${formatMessage(message, manifest) ?? message.code}`),
    ...problems
      // Parley packages are ES modules for Node 24; CommonJS and the resolution of Node 10 are not offered.
      .filter(({ resolutionKind }) => resolutionKind !== "node10" && resolutionKind !== "node16-cjs")
      .map((problem) => `${manifest.name}: ${JSON.stringify(problem)}`),
  ];
}

/** What is published must run, not only the sources: the built command starts the built packages once. */
async function startProblems() {
  const data = mkdtempSync(join(tmpdir(), "parley-built-"));
  const main = join(root, "host", "dist", "main.js");
  const child = spawn(process.execPath, [main, "--port", "0", "--data-dir", data], { cwd: data });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  child.stdout.on("data", () => /^ready /m.test(output) && child.kill("SIGTERM"));
  const [code] = await once(child, "exit");
  rmSync(data, { recursive: true, force: true });
  return code === 0 ? [] : [`the built service does not start:\n${output}`];
}

function toArrayBuffer({ buffer, byteOffset, byteLength }) {
  return buffer.slice(byteOffset, byteOffset + byteLength);
}
