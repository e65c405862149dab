import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const unit = readFileSync(join(import.meta.dirname, "..", "..", "host", "server", "deploy", "parley.service"), "utf8");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

/** Returns systemd's complaints about a unit, which do not affect its exit code. */
function findComplaints(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-unit-"));
  const file = join(folder, "parley.service");
  // The command and its user exist only on a machine with an installation.
  writeFileSync(file, text.replace(/^ExecStart=.*$/m, "ExecStart=/bin/true").replace(/^User=.*\n/m, ""));
  const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  return `${stdout}${stderr}`;
}

test.runIf(hasSystemd)("systemd understands every line of the bundled unit (needs systemd-analyze)", () => {
  expect(findComplaints(unit)).toBe("");
  // An invalid value is reported.
  expect(findComplaints(unit.replace("RestartSec=2", "RestartSec=soon"))).toContain("soon");
});
