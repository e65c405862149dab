import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const LOG_CALL = /\blog(?:\(\))?\.(?:info|warn|error)\(\s*(?:"((?:[^"\\]|\\.)*)"|(`))/g;

/** The packages that log something, with their sources and the log messages they translate. */
const packages = await Promise.all(
  globSync("{core,host,host/cli,plugins/*,adapters/*}/src", { cwd: root }).map(async (folder) => {
    const files = globSync("**/*.ts", { cwd: join(root, folder), exclude: ["**/*.test.ts", "locales/**"] });
    const text = files.map((file) => readFileSync(join(root, folder, file), "utf8")).join("\n");
    const [table] = globSync(`${folder}/locales/logs.ts`, { cwd: root });
    const { logs } = table === undefined ? { logs: {} } : await import(join(root, table));
    return { folder, text, translated: Object.keys(logs) };
  }),
);

test("each log message is constant, and its package has a Chinese text for it", () => {
  const written = packages.flatMap(({ folder, text, translated }) =>
    [...text.matchAll(LOG_CALL)].map(([, message]) => ({
      folder,
      message,
      isKnown: translated.includes(message ?? ""),
    })),
  );
  expect(written.length).toBeGreaterThan(100);
  expect(written.filter(({ isKnown }) => !isKnown)).toEqual([]);
});

test("each translated log message is in use", () => {
  const unused = packages.flatMap(({ folder, text, translated }) =>
    translated.filter((message) => !text.includes(JSON.stringify(message))).map((message) => `${folder}: ${message}`),
  );
  expect(unused).toEqual([]);
});
