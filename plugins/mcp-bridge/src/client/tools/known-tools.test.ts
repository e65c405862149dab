import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { silentLogger } from "@parley/core";
import { memoryCollections } from "@parley/testing";
import { expect, it } from "vitest";
import { createKnownTools, type StoredFingerprints } from "./known-tools.ts";

const collection = memoryCollections().open<StoredFingerprints>("seen");
const parts = { serverId: "there", collection, log: silentLogger };
const named = (name: string, more: Partial<Tool> = {}): Tool => ({ name, inputSchema: { type: "object" }, ...more });
const looks = { annotations: { readOnlyHint: true } };
const again = async () => createKnownTools({ ...parts, stored: await collection.get("there") });

it("knows after a restart what it has seen, whatever the names", async () => {
  const first = createKnownTools({ ...parts, stored: undefined });
  const tools = ["__proto__", "constructor", "toString", "look"].map((name) => named(name));
  expect(tools.some(first.isNew)).toBe(false);
  first.compare(tools);
  const later = await again();
  expect(tools.map((tool) => [later.isNew(tool), later.getPreviousDescription(tool)])).toEqual(
    tools.map(() => [false, undefined]),
  );
  expect(later.isNew(named("hasOwnProperty"))).toBe(true);
});

it("takes what was kept before with it: those tools are seen, and what they say from now on counts", async () => {
  const seen = createKnownTools({ ...parts, stored: undefined });
  seen.compare([named("old")]);
  const stored = (await collection.get("there"))?.tools as readonly {
    name: string;
    hash: string;
    description: string;
  }[];
  const { hash = "", description = "" } = stored[0] ?? {};
  const older = createKnownTools({ ...parts, stored: { id: "there", tools: { old: { hash, description } } } });
  expect(older.getPreviousDescription(named("old", looks))).toBeUndefined();
  older.compare([named("old")]);
  expect(older.getPreviousDescription(named("old", looks))).toBe("");
  expect((await again()).getPreviousDescription(named("old", looks))).toBe("");
});

it("takes a tool as it is now once somebody has looked, and the others stay as they were", async () => {
  const seen = createKnownTools({ ...parts, stored: undefined });
  seen.compare([named("a"), named("b")]);
  const now = [named("a", { description: "other" }), named("b", { description: "other" }), named("c")];
  seen.compare(now);
  await seen.accept(now.filter(({ name }) => name !== "b"));
  const later = await again();
  expect(now.map((tool) => [later.isNew(tool), later.getPreviousDescription(tool)])).toEqual([
    [false, undefined],
    [false, ""],
    [false, undefined],
  ]);
});
