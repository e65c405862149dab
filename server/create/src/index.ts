import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";

/** Makes a folder to run Parley in. What is there already stays as it is; gives what was done, in lines. */
export function createFolder(folder: string): readonly string[] {
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  const files = {
    "config.ini": template(),
    "package.json": manifest(target),
    ".gitignore": IGNORED,
    "README.md": README,
  };
  const isKept = Object.entries(files).map(([name, text]) => [name, !isWritten(join(target, name), text)] as const);
  const kept = isKept.filter(([, is]) => is).map(([name]) => name);
  const written = isKept.filter(([, is]) => !is).map(([name]) => name);
  const enter = relative(process.cwd(), target) === "" ? "" : `cd ${relative(process.cwd(), target)} && `;
  const install = kept.includes("package.json") ? "npm install @parley/server" : "npm install";
  const start = kept.includes("package.json") ? "npx parley" : "npm start";
  return [
    ...(written.length > 0 ? [`written: ${written.join(", ")}`] : []),
    ...(kept.length > 0 ? [`there already, and left as it is: ${kept.join(", ")}`] : []),
    `Next: ${enter}${install} && ${start}`,
  ];
}

const IGNORED = ["node_modules/", "data/", ".env", ""].join("\n");

const README = `# My Parley

\`npm install\` and \`npm start\`; the first start prints the password of user \`admin\` once.
\`npx parley check\` looks at \`config.ini\`; \`npx parley add <package>\` installs an adapter or a plugin and enables it.
Everything is kept in \`data/\`: \`npx parley backup\` copies it. \`npm update\` brings newer versions.
`;

function manifest(folder: string): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  const content = {
    name: name || "my-parley",
    private: true,
    scripts: { start: "parley" },
    dependencies: { "@parley/server": `^${version}` },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

// The build lays it beside this file; in a clone it is the clone's own.
function template(): string {
  const [file = ""] = ["./config.ini", "../../../config.ini"]
    .map((path) => new URL(path, import.meta.url))
    .filter((path) => existsSync(path));
  return readFileSync(file, "utf8");
}

/** False where a file of this name is there already. */
function isWritten(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
