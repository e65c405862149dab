import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const repository = dirname(dirname(import.meta.dirname));
const files = globSync(
  "{README.md,{core,host,plugins,adapters,examples,tests}/**/*.{md,ts,js,mjs,json,service,yaml,yml},**/Dockerfile}",
  {
    cwd: repository,
    exclude: (path) => /node_modules|\/dist\/|CHANGELOG|api-report|generated/.test(path),
  },
).map((file) => ({ file, text: readFileSync(join(repository, file), "utf8") }));

// Whoever registers one of our names before us would run code on every machine that types it.
test("npx is only told to run what is installed, never to fetch a program of ours", () => {
  const fetching = files.filter(
    ({ file, text }) => !file.endsWith("package-names.test.ts") && /npx (?!--no )\S*(?:-p )?@?parley/.test(text),
  );
  expect(fetching.map(({ file }) => file)).toEqual([]);
});

test("nothing that a container or a service runs resolves a name of ours on the registry", () => {
  const deployed = files.filter(
    ({ file }) => file.startsWith("host/server/deploy/") || file.startsWith("host/server/bin/"),
  );
  expect(deployed.length).toBeGreaterThan(3);
  expect(
    deployed.filter(({ text }) => /npm (init|create|exec)\b|npm install \S*@parley/.test(text)).map(({ file }) => file),
  ).toEqual([]);
});

test("the README begins with commands of the clone, and names of packages stand under 'Once published'", () => {
  const readme = files.find(({ file }) => file === "README.md")?.text ?? "";
  const [before = "", after = ""] = readme.split("## Once published");
  expect(before).toContain("npm start");
  expect(before).not.toMatch(/npm init|npx /);
  expect(after).toContain("not on the npm registry yet");
});
