import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { silentLogger } from "@parley/core";
import { memoryCollections } from "@parley/testing";
import { expect, it } from "vitest";
import { createSeenTools, type StoredMarks } from "./seen-tools.ts";

const collection = memoryCollections().open<StoredMarks>("seen");
const parts = { serverId: "there", collection, log: silentLogger };
const named = (name: string, more: Partial<Tool> = {}): Tool => ({ name, inputSchema: { type: "object" }, ...more });
const looks = { annotations: { readOnlyHint: true } };
const again = async () => createSeenTools({ ...parts, stored: await collection.get("there") });

it("knows after a restart what it has seen, whatever the names", async () => {
  const first = createSeenTools({ ...parts, stored: undefined });
  const tools = ["__proto__", "constructor", "toString", "look"].map((name) => named(name));
  expect(tools.some(first.isNew)).toBe(false);
  first.note(tools);
  const later = await again();
  expect(tools.map((tool) => [later.isNew(tool), later.changedFrom(tool)])).toEqual(
    tools.map(() => [false, undefined]),
  );
  expect(later.isNew(named("hasOwnProperty"))).toBe(true);
});

it("takes what was kept before with it: those tools are seen, and what they say from now on counts", async () => {
  const seen = createSeenTools({ ...parts, stored: undefined });
  seen.note([named("old")]);
  const kept = (await collection.get("there"))?.tools as readonly { name: string; hash: string; description: string }[];
  const { hash = "", description = "" } = kept[0] ?? {};
  const older = createSeenTools({ ...parts, stored: { id: "there", tools: { old: { hash, description } } } });
  expect(older.changedFrom(named("old", looks))).toBeUndefined();
  older.note([named("old")]);
  expect(older.changedFrom(named("old", looks))).toBe("");
  expect((await again()).changedFrom(named("old", looks))).toBe("");
});

it("takes a tool as it is now once somebody has looked, and the others stay as they were", async () => {
  const seen = createSeenTools({ ...parts, stored: undefined });
  seen.note([named("a"), named("b")]);
  const now = [named("a", { description: "other" }), named("b", { description: "other" }), named("c")];
  seen.note(now);
  await seen.accept(now.filter(({ name }) => name !== "b"));
  const later = await again();
  expect(now.map((tool) => [later.isNew(tool), later.changedFrom(tool)])).toEqual([
    [false, undefined],
    [false, ""],
    [false, undefined],
  ]);
});
