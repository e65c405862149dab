import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const repository = dirname(dirname(import.meta.dirname));
const files = globSync(
  "{README.md,package.json,.github/**/*.{md,yml},.changeset/*.md,{core,host,plugins,adapters,examples,tests}/**/*.{md,ts,tsx,js,mjs,json,service,yaml,yml},**/Dockerfile}",
  {
    cwd: repository,
    exclude: (path) => /node_modules|\/dist\/|CHANGELOG|api-report|generated/.test(path),
  },
).map((file) => ({ file, text: readFileSync(join(repository, file), "utf8") }));

// A third party who registers one of our names would run code on every machine on which it is typed.
test("documentation never uses npx for a program of ours that is not installed", () => {
  const fetching = files.filter(
    ({ file, text }) => !file.endsWith("package-names.test.ts") && /npx (?!--no )\S*(?:-p )?@?parley/.test(text),
  );
  expect(fetching.map(({ file }) => file)).toEqual([]);
});

// npx installs a missing package that has the name of the command, without confirmation where there is no terminal.
test("npx runs only what is installed, or a command whose package has the same name and is in the lockfile", () => {
  const lockfile = readFileSync(join(repository, "pnpm-lock.yaml"), "utf8");
  const isLocked = (name: string) => new RegExp(`^ {2}'?${name}@\\d`, "m").test(lockfile);
  const programs = files.filter(({ file }) => !/\.test\.tsx?$/.test(file));
  const typed = programs.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:^|[`(] *|&& )npx +([^\s`"']+)/gm)].map(([, first = ""]) => ({ file, first })),
  );
  expect(typed.length).toBeGreaterThan(5);
  expect(typed.filter(({ first }) => first !== "--no" && !isLocked(first))).toEqual([]);
  const started = programs.filter(({ text }) => /(?:spawn|exec)\w*\("npx"/.test(text));
  expect(started.map(({ file }) => file)).toContain("host/create/templates/shared/dev.mjs");
  expect(started.filter(({ text }) => !text.includes('["--no", ')).map(({ file }) => file)).toEqual([]);
});

test("no container or service fetches a package with a name of ours from the registry", () => {
  const deployed = files.filter(
    ({ file }) => file.startsWith("host/server/deploy/") || file.startsWith("host/server/bin/"),
  );
  expect(deployed.length).toBeGreaterThan(3);
  expect(
    deployed.filter(({ text }) => /npm (init|create|exec)\b|npm install \S*@parley/.test(text)).map(({ file }) => file),
  ).toEqual([]);
});

test("pending changesets name existing packages", () => {
  const names = globSync("{core,host,host/*,plugins/*,adapters/*,adapters/web/client,tests/*}/package.json", {
    cwd: repository,
  }).map((file) => JSON.parse(readFileSync(join(repository, file), "utf8")).name);
  const named = globSync(".changeset/*.md", { cwd: repository }).flatMap((file) =>
    [...readFileSync(join(repository, file), "utf8").matchAll(/^"(.+)": (?:major|minor|patch)$/gm)].map(
      ([, name]) => `${file} ${name}`,
    ),
  );
  expect(named.filter((one) => !names.includes(one.split(" ")[1]))).toEqual([]);
});

test("all packages of ours have the same version", () => {
  const versions = globSync(
    "{package.json,core/package.json,host/package.json,plugins/*/package.json,adapters/*/package.json}",
    {
      cwd: repository,
    },
  ).map((file) => `${JSON.parse(readFileSync(join(repository, file), "utf8")).version}`);
  expect(new Set(versions).size).toBe(1);
});

test("the README starts with commands of the clone, and uses package names under 'Once published'", () => {
  const readme = files.find(({ file }) => file === "README.md")?.text ?? "";
  const [before = "", after = ""] = readme.split("## Once published");
  expect(before).toContain("npm start");
  expect(before).not.toMatch(/npm init|npx /);
  expect(after).toContain("not on the npm registry yet");
});
