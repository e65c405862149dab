import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";

const examples = join(import.meta.dirname, "..", "..", "examples");

/** Builds and packs an example as its author would, in a folder of its own; gives the tarball. */
export async function packExample(name: string, work: string): Promise<string> {
  cpSync(join(examples, name), work, { recursive: true, filter: (path) => !path.includes("node_modules") });
  await build({
    entry: [join(work, "src", "index.ts")],
    outDir: join(work, "dist"),
    format: "esm",
    dts: false,
    silent: true,
    config: false,
    external: ["@parley/core"],
  });
  const {
    dependencies: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(work, "package.json"), "utf8"));
  const peerDependencies = { "@parley/core": "*" };
  const published = { ...manifest, private: false, exports: "./dist/index.js", files: ["dist"], peerDependencies };
  writeFileSync(join(work, "package.json"), JSON.stringify(published));
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts"], { cwd: work, encoding: "utf8" }),
  );
  return join(work, packed.filename);
}
