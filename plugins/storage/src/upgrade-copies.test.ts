import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@parley/core";
import { expect, test } from "vitest";
import { createUpgradeCopies } from "./upgrade-copies.ts";

/** Creates a connection whose backup of the database is a file with this content. */
function createCopyingConnection(content: string, flag: "w" | "wx") {
  const run = ({ parameters }: { readonly parameters: readonly string[] }) =>
    writeFileSync(parameters[0] ?? "", content, { flag });
  return { exclusively: async (work: (turn: { run: typeof run }) => unknown) => work({ run }) } as never;
}

test("two starts in one second have separate copies", async () => {
  const data = mkdtempSync(join(tmpdir(), "parley-copies-"));
  const start = (content: string) => {
    const copies = createUpgradeCopies({
      data,
      version: () => "0.2.0",
      clock: { now: () => 0 },
      log: silentLogger,
    });
    return copies.make(join(data, "parley.db"), createCopyingConnection(content, "wx"));
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

test("a copy is named after the version that can use it, and removed after a week", async () => {
  const data = mkdtempSync(join(tmpdir(), "parley-copies-"));
  let now = Date.UTC(2026, 0, 1);
  const copies = createUpgradeCopies({ data, version: () => "0.2.0", clock: { now: () => now }, log: silentLogger });
  const file = join(data, "parley.db");
  try {
    await copies.make(file, createCopyingConnection("as it was", "w"));
    const copy = join(data, "backups", "before-0.2.0-20260101T000000Z", "parley.db");
    expect([copies.find(file, "0.1.0"), copies.find(file, "0.2.0")]).toEqual([copy, undefined]);
    now += 6 * 86_400_000;
    copies.prune();
    expect(copies.find(file, "0.1.0")).toBe(copy);
    now += 2 * 86_400_000;
    copies.prune();
    expect(copies.find(file, "0.1.0")).toBeUndefined();
  } finally {
    rmSync(data, { recursive: true });
  }
});
