import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { formatEnterCommand, toPackageName, writeFiles } from "./write-files.ts";

export { createPackage, type PackageKind } from "./create-package.ts";

/** Creates a folder to run Parley in. Existing files stay unchanged; returns a report in lines. */
export function createFolder(folder: string): readonly string[] {
  const target = resolve(folder);
  const { existing, lines } = writeFiles(target, {
    "config.ini": readTemplate(),
    "package.json": createManifest(target),
    ".gitignore": IGNORED,
    "README.md": README,
  });
  const install = existing.includes("package.json") ? "npm install @parley/server" : "npm install";
  const start = existing.includes("package.json") ? "npx --no parley" : "npm start";
  return [...lines, `Next: ${formatEnterCommand(target)}${install} && ${start}`];
}

const IGNORED = ["node_modules/", "data/", ".env", ""].join("\n");

const README = `# My Parley

\`npm install\` and \`npm start\`; the first start prints the password of user \`admin\` once.
\`npx --no parley check\` looks at \`config.ini\`; \`npx --no parley add <package>\` installs an adapter or a plugin and enables it.
Everything is kept in \`data/\`: \`npx --no parley backup\` copies it. \`npm update\` brings newer versions.
`;

function createManifest(folder: string): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const content = {
    name: toPackageName(basename(folder)) || "my-parley",
    private: true,
    scripts: { start: "parley" },
    dependencies: { "@parley/server": `^${version}` },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

// The build places the template beside this file; in a clone it is read from its source.
function readTemplate(): string {
  const [file = ""] = ["./config.ini", "../../../config.ini"]
    .map((path) => new URL(path, import.meta.url))
    .filter((path) => existsSync(path));
  return readFileSync(file, "utf8");
}
