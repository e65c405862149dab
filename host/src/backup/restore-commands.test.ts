import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Launch } from "../process/launch-command.ts";
import { createRestoreCommands } from "./restore-commands.ts";

let root: string;
let data: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley way-"));
  data = join(root, "data");
  mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
  writeFileSync(join(root, "node_modules", ".bin", "parley"), "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NODE: Launch = {
  execPath: "/usr/bin/node",
  execArgv: ["--conditions=x"],
  file: "/opt/own.js",
  platform: "linux",
  script: undefined,
  isContainer: false,
};
const describeRestore = (more: Partial<Launch>, config?: string) =>
  createRestoreCommands(join(data, "backups", "backup-1"), {
    root,
    data,
    config,
    storagePackage: undefined,
    started: { ...NODE, ...more },
  });

test("is started like the service, and moves existing data aside", () => {
  const rest = "restore data-before-restore/backups/backup-1 --data-dir data";
  const moved = [`cd '${root}'`, "mv data data-before-restore"];
  expect(describeRestore({ file: join(root, "node_modules/.bin/parley") })).toEqual({
    commands: [...moved, `npx --no parley ${rest}`],
    is_container: false,
    aside: `${data}-before-restore`,
    rows_in: null,
  });
  const clone = { file: join(root, "host", "cli", "src", "main.ts"), script: "start" };
  expect(describeRestore(clone).commands.at(-1)).toBe(`npm start -- ${rest}`);
  expect(describeRestore({}).commands.at(-1)).toBe(`/usr/bin/node --conditions=x /opt/own.js ${rest}`);
  expect(describeRestore({}, "/etc/p.ini").commands.at(-1)).toMatch(/ --config \/etc\/p.ini --data-dir data$/);
});

test("never moves existing data to a place that is in use", () => {
  mkdirSync(`${data}-before-restore`);
  expect(describeRestore({}).aside).toBe(`${data}-before-restore-2`);
});

test("gives a container another volume", () => {
  const { commands, is_container } = describeRestore({ isContainer: true });
  expect(is_container).toBe(true);
  expect(commands[1]).toContain(`-v parley-restored:${data} parley restore /before/backups/backup-1`);
});
