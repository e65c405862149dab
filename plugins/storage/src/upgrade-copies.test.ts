import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@parley/core";
import { expect, test } from "vitest";
import { createUpgradeCopies } from "./upgrade-copies.ts";

test("two starts of one second each keep their copy", async () => {
  const data = mkdtempSync(join(tmpdir(), "parley-copies-"));
  const start = (content: string) => {
    const copies = createUpgradeCopies({
      data,
      version: () => "0.2.0",
      clock: { now: () => 0 },
      log: silentLogger,
    });
    const exclusively = async (work: (run: (query: { parameters: readonly string[] }) => unknown) => unknown) =>
      work(({ parameters }) => writeFileSync(parameters[0] ?? "", content, { flag: "wx" }));
    return copies.make(join(data, "parley.db"), { exclusively } as never);
  };
  try {
    await start("first");
    await start("second");
    const made = readdirSync(join(data, "backups")).map((name) =>
      readFileSync(join(data, "backups", name, "parley.db"), "utf8"),
    );
    expect(made).toEqual(["first", "second"]);
  } finally {
    rmSync(data, { recursive: true });
  }
});
