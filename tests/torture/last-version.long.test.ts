import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgresPrograms } from "../harness/servers/postgres.ts";
import { tortureNodes } from "./nodes.ts";

const project = dirname(dirname(import.meta.dirname));
const steps = readFileSync(join(project, "tests", "fixtures", "schema-steps.json"), "utf8");
const { commit } = JSON.parse(steps) as { readonly commit: string };
const programs = findPostgresPrograms();
const isThere = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: project }).status === 0;
const why = isThere ? "takes a minute: npm run test:all" : "needs the history of the project";

describe.skipIf(!programs || !isThere || process.env.PARLEY_LONG === undefined)(`the previous version (${why})`, () => {
  let before: string;
  beforeAll(() => {
    before = mkdtempSync(join(tmpdir(), "parley-before-"));
    execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", project, before]);
    execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: before });
    execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--silent"], { cwd: before });
  }, 300_000);
  afterAll(() => rmSync(before, { recursive: true, force: true }));

  test("and this one work on one database during a rolling deployment: nothing is lost, nothing twice, all in order", async () => {
    const blows = [0, 1, 2].map((node) => ({ kind: "deploy", node }) as const);
    const { problems, messageCount } = await tortureNodes(programs ?? "", blows, before);
    expect(problems).toEqual([]);
    expect(messageCount).toBeGreaterThan(30);
  }, 300_000);
});
