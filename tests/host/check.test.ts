import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkConfiguration } from "../../host/cli/src/check/check-configuration.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-check-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function findProblems(config: string, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(root, "config.ini"), config);
  return (await checkConfiguration({ root, env })).problems;
}

test("a check names each missing variable of a database and a bucket", async () => {
  const config = [
    ...["[plugins]", "storage = @parley/plugin-postgres", "s3 = @parley/plugin-s3"],
    ...["[plugin.s3]", "endpoint = http://127.0.0.1:9", "bucket = parley", ""],
  ].join("\n");
  expect(await findProblems(config)).toEqual([
    expect.stringContaining("the variable PARLEY_DATABASE_URL is not set"),
    expect.stringContaining("the variable PARLEY_S3_ACCESS_KEY is not set"),
  ]);
  const key = { PARLEY_S3_ACCESS_KEY: "access-key", PARLEY_S3_SECRET_KEY: "secret-key" };
  expect(await findProblems(config, { ...key, PARLEY_DATABASE_URL: "mysql://127.0.0.1/parley" })).toEqual([
    expect.stringContaining("the variable PARLEY_DATABASE_URL holds no address of a database"),
  ]);
  const address = { PARLEY_DATABASE_URL: "postgresql://parley:password@127.0.0.1:9/parley" };
  expect(await findProblems(config, { ...key, ...address })).toEqual([]);
});

test("a check reports once what is missing because a plugin is disabled", async () => {
  expect(await findProblems("[plugins]\noperations = off\n")).toEqual([
    expect.stringMatching(
      /^plugins 'jobs', .*: needs 'settings', which no enabled plugin provides \(switched off: operations\)$/,
    ),
  ]);
});
