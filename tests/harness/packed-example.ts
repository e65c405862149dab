import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const examples = join(import.meta.dirname, "..", "..", "examples");

/** Packs an example by `npm pack`, as its author would, and returns the path of the tarball in `folder`. */
export function packExample(name: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const args = ["pack", "--json", "--silent", "--pack-destination", folder];
  const packed = execFileSync("npm", args, { cwd: join(examples, name), encoding: "utf8" });
  // The build prints to the same output, in front of the JSON.
  const [tarball] = JSON.parse(packed.slice(packed.lastIndexOf("\n[") + 1)) as readonly { readonly filename: string }[];
  if (!tarball) throw new Error(`${name} was not packed`);
  return join(folder, tarball.filename);
}
