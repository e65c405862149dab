// Writes the types of @parley/client from what `parley openapi` says of every first-party plugin.
// `node .config/client-types.mjs` refreshes them; `--check` fails when they are not what the rows say.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const client = join(root, "adapters", "web", "client");
const file = join(client, "src", "generated", "schema.ts");
// An empty folder: nobody's config.ini counts, and every first-party plugin is on.
const folder = mkdtempSync(join(tmpdir(), "parley-openapi-"));
try {
  const main = join(root, "host", "cli", "src", "main.ts");
  const { status, stdout } = spawnSync(process.execPath, ["--conditions=@parley/source", main, "openapi"], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(1);
  const { default: openapiTS, astToString } = createRequire(join(client, "package.json"))("openapi-typescript");
  const types = astToString(await openapiTS(JSON.parse(stdout), { immutable: true, alphabetize: true }));
  const text = `// Made by \`node .config/client-types.mjs\`; not edited by hand.\n\n${types}`;
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(
      "adapters/web/client/src/generated/schema.ts is not what the rows say: run `node .config/client-types.mjs` and review the difference",
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
