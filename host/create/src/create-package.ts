import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { formatEnterCommand, toPackageName, writeFiles } from "./write-files.ts";

/** Kind of extension. */
export type PackageKind = "adapter" | "plugin";

const TEMPLATES = fileURLToPath(new URL("../templates/", import.meta.url));
/** Real names by template file name; under their real names the files would affect this package. */
const REAL_NAMES: Readonly<Record<string, string>> = { gitignore: ".gitignore", "terms.txt": "LICENSE" };
/** Development tools of the created package, in the versions that the templates are tested with. */
const TOOLS = ["@types/node", "typescript", "vitest"];

/** Creates a package that builds, is tested and can be published; existing files stay. Returns a report in lines. */
export function createPackage(kind: PackageKind, folder: string): readonly string[] {
  const target = resolve(folder);
  const names = toNames(kind, basename(target));
  const sources = { ...readTemplates("shared"), ...readTemplates(kind) };
  const files = Object.entries(sources).map(([name, text]) => [name, replaceNames(text, names)] as const);
  const { lines } = writeFiles(target, { "package.json": createManifest(kind, names), ...Object.fromEntries(files) });
  return [...lines, `Next: ${formatEnterCommand(target)}npm install && npm test`];
}

interface Names {
  /** Name of the npm package. */
  readonly name: string;
  /** Id of the plugin, and type of its channels. */
  readonly id: string;
}

function toNames(kind: PackageKind, folder: string): Names {
  const given = toPackageName(folder);
  const id = given
    .split("-")
    .filter((word) => !["parley", "adapter", "plugin"].includes(word))
    .join("-")
    .replace(/^[^a-z]+/, "");
  if (id === "") throw new Error(`'${folder}' has no letter of a to z to call the ${kind} by: choose another folder`);
  return { id, name: given.includes("parley") ? given : `${id}-parley-${kind}` };
}

function readTemplates(folder: string): Readonly<Record<string, string>> {
  const root = join(TEMPLATES, folder);
  const files = globSync("**/*", { cwd: root }).filter((file) => statSync(join(root, file)).isFile());
  return Object.fromEntries(files.map((file) => [REAL_NAMES[file] ?? file, readFileSync(join(root, file), "utf8")]));
}

/** Replaces the template's names, which belong to a package called acme. */
function replaceNames(text: string, { name, id }: Names): string {
  const words = id.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const pascal = words.join("");
  return text
    .replaceAll(/acme-parley-(adapter|plugin)/g, name)
    .replaceAll(/acme(?=[A-Z])/g, pascal.charAt(0).toLowerCase() + pascal.slice(1))
    .replaceAll(/acme(?=_)/g, id.replaceAll("-", "_"))
    .replaceAll(/(import) acme( from)|\[acme\]/g, (found) => found.replace("acme", toCamelCase(pascal)))
    .replaceAll(/acme(?=: \{)|(?<=\{ )acme(?=: )/g, id.includes("-") ? `"${id}"` : id)
    .replaceAll("ACME", id.toUpperCase().replaceAll("-", "_"))
    .replaceAll(/Acme(?=[A-Z])/g, pascal)
    .replaceAll("Acme", words.join(" "))
    .replaceAll("acme", id);
}

function toCamelCase(pascal: string): string {
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

function createManifest(kind: PackageKind, { name, id }: Names): string {
  const { version, devDependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  // In a clone the manifest refers to the catalog instead of a version.
  const pickVersion = (tool: string) => (devDependencies[tool] === "catalog:" ? "latest" : devDependencies[tool]);
  const content = {
    name,
    version: "0.1.0",
    description: kind === "adapter" ? `Channels of Parley over ${id}.` : `The plugin ${id} of Parley.`,
    keywords: ["parley", `parley-${kind}`],
    license: "MIT",
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    scripts: {
      build: "tsc -p tsconfig.build.json",
      check: "npm run build && parley check-package",
      dev: "node dev.mjs",
      prepack: "npm run build",
      test: "tsc -p tsconfig.json && vitest run",
      ...(kind === "adapter" && { torture: "parley-torture torture.ts" }),
    },
    engines: { node: ">=24" },
    peerDependencies: { "@parley/core": `>=${version}` },
    devDependencies: {
      "@parley/core": `^${version}`,
      "@parley/server": `^${version}`,
      ...(kind === "adapter" && { "@parley/simulators": `^${version}` }),
      "@parley/testing": `^${version}`,
      ...Object.fromEntries(TOOLS.map((tool) => [tool, pickVersion(tool)])),
    },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
