// Builds every package that is published (JavaScript by tsup, declarations by tsc), packs it and checks the tarball
// as its users will see it: publint for the manifest, "are the types wrong" for the exports.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "tsup";
import { completed, publishedPackages } from "./manifests.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tarballs = join(root, ".artefacts", "packages");
const packages = publishedPackages();

/**
 * Packages that bundle libraries rather than depend on them, and the entry of those whose declared one is unsuitable:
 * native modules, declarations, other tables and generated calls are many times the size of the used part. `false`: an
 * unused library, which is left out.
 */
const CARRIED = {
  // Keyv's storage in SQLite, without its drivers: it is given one of Node's own.
  "@parley/plugin-records": { "better-sqlite3": false, "bun:sqlite": false },
  "@parley/plugin-filter": { recheck: "recheck/lib/browser.js" },
  "@parley/plugin-telemetry": {},
  "@parley/plugin-text-index": {},
  "@parley/adapter-imc": { "@larksuiteoapi/node-sdk": "@larksuiteoapi/node-sdk/es/index.js" },
};
/** References to internal documents, which installed packages do not contain. */
const CITATION =
  /\bspec \d|\bcontract [\w-]+ §|\bgateway-delivery\b|\b(design|realtime|pitfalls)\.md|\b(mcp|wire \w+|im[ABC]) §/;

for (const [page, built] of [
  ["adapters/web/console", "adapters/web/dist/console/index.html"],
  ["adapters/web/console", "adapters/web/dist/console/pages.json"],
  ["adapters/widget/client", "adapters/widget/dist/client/widget.js"],
]) {
  if (existsSync(join(root, built))) continue;
  const how = `NODE_ENV=production node ${dirname(page)}/node_modules/vite/bin/vite.js build ${page}`;
  console.error(`${page} is not built (${built} is missing) and would not be in its package: ${how}`);
  process.exit(1);
}
rmSync(tarballs, { recursive: true, force: true });
mkdirSync(tarballs, { recursive: true });
await Promise.all(packages.map(buildOne));
declareAll(packages.filter(({ manifest }) => manifest.exports));
const problems = (await Promise.all(packages.map(problemsOf))).flat();
problems.push(...(await startProblems()));
for (const problem of problems) console.error(problem);
console.log(`${packages.length} packages built and packed, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function buildOne({ folder, manifest }) {
  if (!manifest.exports) return;
  const sources = Object.values(manifest.exports).flatMap((entry) => entry["@parley/source"] ?? []);
  // What the package starts by file: beside the one file that all others have become.
  const started = globSync("src/**/*-worker.ts", { cwd: folder });
  const entry = Object.fromEntries([
    ...sources.map((file) => [relative("src", file).replace(/\.ts$/, ""), join(folder, file)]),
    ...started.map((file) => [basename(file, ".ts"), join(folder, file)]),
  ]);
  for (const file of globSync("dist/**/*.{js,d.ts,map}", {
    cwd: folder,
    exclude: ["dist/console/**", "dist/client/**"],
  })) {
    rmSync(join(folder, file));
  }
  mkdirSync(join(folder, "dist"), { recursive: true });
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
    ...(CARRIED[manifest.name] && carrying(folder, CARRIED[manifest.name])),
  });
  // A new folder gets the clone's own, with every line explained.
  if (manifest.name === "@parley/create") copyFileSync(join(root, "config.ini"), join(folder, "dist", "config.ini"));
}

/** The declarations of all packages by one run of the compiler, which reads what they share once; each goes to its own `dist`. */
function declareAll(declared) {
  const made = join(root, ".artefacts", "declarations");
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const sources = declared.map(({ folder }) => join(folder, "src"));
  const config = {
    extends: join(root, ".config", "tsconfig.package.json"),
    compilerOptions: {
      rootDir: root,
      outDir: made,
      customConditions: ["@parley/source"],
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: sources,
    exclude: sources.flatMap((source) => [`${source}/**/*.test.ts`, `${source}/**/test-setup.ts`]),
  };
  writeFileSync(join(made, "tsconfig.json"), JSON.stringify(config));
  const { status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", made], { stdio: "inherit" });
  if (status !== 0) throw new Error("declarations could not be made");
  for (const { name, folder } of declared) cpSync(join(made, name, "src"), join(folder, "dist"), { recursive: true });
}

/** Builds with bundled libraries: defines the CommonJS globals they may use, and includes their licences. */
function carrying(folder, libraries) {
  const commonJs =
    'import { createRequire as parleyRequire } from "node:module"; const require = parleyRequire(import.meta.url); const __dirname = import.meta.dirname; const __filename = import.meta.filename;';
  const licences = {
    name: "licences",
    setup(context) {
      context.initialOptions.metafile = true;
      context.onEnd(
        ({ metafile }) => metafile && writeFileSync(join(folder, "dist", "LICENSES.txt"), licencesOf(metafile)),
      );
    },
  };
  const entries = Object.entries(libraries).filter(([, file]) => file !== false);
  const unused = Object.keys(libraries).filter((name) => libraries[name] === false);
  return {
    banner: { js: commonJs },
    esbuildPlugins: [licences, ...(unused.length > 0 ? [withoutLibraries(unused)] : [])],
    esbuildOptions: (options) => {
      options.alias = Object.fromEntries(entries.map(([name, file]) => [name, join(folder, "node_modules", file)]));
    },
  };
}

/** Resolves these imports to an empty module. */
function withoutLibraries(names) {
  return {
    name: "without-libraries",
    setup(context) {
      context.onResolve({ filter: new RegExp(`^(${names.join("|")})$`) }, ({ path }) => ({
        path,
        namespace: "unused",
      }));
      context.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
    },
  };
}

function licencesOf({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const [file] = globSync("{LICENSE,LICENCE,License,license}*", { cwd: folder });
      return `${name} ${version}, ${license}\n\n${file ? readFileSync(join(folder, file), "utf8") : ""}`;
    })
    .join("\n\n");
}

async function problemsOf({ name, folder, manifest }) {
  const packed = JSON.parse(
    execFileSync("pnpm", ["pack", "--json", "--pack-destination", tarballs], { cwd: folder, encoding: "utf8" }),
  );
  const tarball = readFileSync(packed.filename);
  const { messages } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true });
  const content = createPackageFromTarballData(tarball);
  const { problems = [] } = await checkPackage(content);
  return [
    ...landingProblems(name, manifest, content).map((problem) => `${manifest.name}: ${problem}`),
    ...messages.map((message) => `${manifest.name}: ${formatMessage(message, manifest) ?? message.code}`),
    ...problems
      // Parley packages are ES modules for Node 24; CommonJS and the resolution of Node 10 are not offered.
      .filter(({ resolutionKind }) => resolutionKind !== "node10" && resolutionKind !== "node16-cjs")
      .map((problem) => `${manifest.name}: ${JSON.stringify(problem)}`),
  ];
}

/** Problems of a package as installed: missing files, internal references and the like. */
function landingProblems(name, manifest, content) {
  const inside = (file) => `/node_modules/${manifest.name}/${file}`;
  const published = content.readFile(inside("package.json"));
  const declarations = content.listFiles().filter((file) => file.endsWith(".d.ts"));
  return [
    JSON.stringify(completed(name, manifest)) !== JSON.stringify(manifest) &&
      "its manifest: run node .config/manifests.mjs",
    /@parley\/source|workspace:|catalog:/.test(published) && "its manifest names what only a clone has",
    ...["LICENSE", "README.md"].map((file) => !content.fileExists(inside(file)) && `has no ${file}`),
    ...content.listFiles().flatMap((file) => missingWorkers(content, file)),
    ...declarations.map((file) => {
      const [cited] = CITATION.exec(content.readFile(file)) ?? [];
      return cited !== undefined && `${file} cites '${cited}', which only we have: say it in words`;
    }),
  ].filter((problem) => problem !== false);
}

/** Finds workers started by file name that are missing beside the file. */
function missingWorkers(content, file) {
  if (!file.endsWith(".js")) return [];
  return [...content.readFile(file).matchAll(/"\.\/([\w-]+-worker\.js)"/g)]
    .filter(([, name]) => !content.fileExists(`${dirname(file)}/${name}`))
    .map(([, name]) => `${file} starts ${name}, which is not beside it`);
}

/** Starts the built packages once by the built command, since the sources running proves nothing about the published files. */
async function startProblems() {
  const data = mkdtempSync(join(tmpdir(), "parley-built-"));
  const main = join(root, "host", "server", "bin", "parley.js");
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
