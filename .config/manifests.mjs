// Writes what every published package says of itself in the same way: where it comes from, how it is published, and what it
// exports where it lands, which is JavaScript only. With --check nothing is written, and what differs ends with code 1.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = [
  "core",
  "host",
  "host/cli",
  "host/server",
  "host/create",
  "host/create-*",
  "plugins/*",
  "adapters/*",
  "adapters/*/client",
  "tests/simulators",
  "tests/testing",
];

/** Every package that is published, core first. */
export function publishedPackages() {
  return [...new Set(FOLDERS.flatMap((pattern) => globSync(pattern, { cwd: root }).sort()))]
    .map((name) => ({ name, folder: join(root, name), manifestPath: join(root, name, "package.json") }))
    .filter(({ manifestPath }) => existsSync(manifestPath))
    .map((entry) => ({ ...entry, manifest: readJson(entry.manifestPath) }))
    .filter(({ manifest }) => !manifest.private);
}

/** A manifest as it should be. */
export function completed(name, manifest) {
  const { license, repository, homepage, bugs } = readJson(join(root, "package.json"));
  const { description, version, keywords = ["parley", "chat-bot"], type, ...rest } = manifest;
  const { license: _, repository: __, homepage: ___, bugs: ____, publishConfig: _____, name: id, ...others } = rest;
  return {
    name: id,
    version,
    description,
    keywords,
    license,
    // Where it comes from is written once, in the root's manifest, when there is such a place.
    ...(homepage && { homepage }),
    ...(bugs && { bugs }),
    ...(repository && { repository: { ...repository, directory: name } }),
    type,
    ...withRanges(others),
    ...(name === "host/server" && { dependencies: everything() }),
    publishConfig: { access: "public", ...(manifest.exports && { exports: landing(manifest.exports) }) },
  };
}

/** All plugins and adapters, which the server installs. */
function everything() {
  const ours = publishedPackages().filter(({ name }) =>
    /^(core|host|host\/cli|host\/create|(plugins|adapters)\/[^/]+)$/.test(name),
  );
  return Object.fromEntries(ours.map(({ manifest }) => [manifest.name, "workspace:^"]).sort());
}

// A patch of one package must not bring a second copy of another.
function withRanges(manifest) {
  const ranges = (some) =>
    Object.fromEntries(
      Object.entries(some).map(([name, range]) => [name, range === "workspace:*" ? "workspace:^" : range]),
    );
  const kinds = ["dependencies", "peerDependencies"].filter((kind) => manifest[kind]);
  return { ...manifest, ...Object.fromEntries(kinds.map((kind) => [kind, ranges(manifest[kind])])) };
}

/** Returns `exports` without our own condition: sources of installed packages do not exist. */
function landing(entry) {
  if (typeof entry !== "object") return entry;
  const kept = Object.entries(entry).filter(([condition]) => condition !== "@parley/source");
  return Object.fromEntries(kept.map(([name, value]) => [name, landing(value)]));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, manifestPath, manifest } of publishedPackages()) {
    const wanted = `${JSON.stringify(completed(name, manifest), undefined, 2)}\n`;
    if (wanted === readFileSync(manifestPath, "utf8")) continue;
    if (!process.argv.includes("--check")) writeFileSync(manifestPath, wanted);
    else {
      console.error(`${name}/package.json is not as published packages are: run node .config/manifests.mjs`);
      process.exitCode = 1;
    }
  }
}
