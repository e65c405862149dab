import { setImmediate } from "node:timers/promises";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { silentLogger } from "@parley/core";
import { memoryRecordStore } from "@parley/testing";
import { expect, it } from "vitest";
import { KNOWN_TOOLS } from "../document-kinds.ts";
import { createKnownTools } from "./known-tools.ts";

const collection = memoryRecordStore({ kinds: () => [], documents: () => [KNOWN_TOOLS as never] }).documents(
  KNOWN_TOOLS,
);
const parts = { serverId: "there", collection, log: silentLogger };
const named = (name: string, more: Partial<Tool> = {}): Tool => ({ name, inputSchema: { type: "object" }, ...more });
const looks = { annotations: { readOnlyHint: true } };
/** Returns the stored tools when all writes have ended. */
const readStored = async () => {
  await setImmediate();
  return collection.get("there");
};
const again = async () => createKnownTools({ ...parts, stored: await readStored() });

it("known tools are stored over a restart, whatever their names", async () => {
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

it("tools stored by an earlier version are known, and later changes of them count", async () => {
  const seen = createKnownTools({ ...parts, stored: undefined });
  seen.compare([named("old")]);
  const stored = (await readStored())?.tools as readonly {
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

it("reviewing a tool accepts its current state, and the others stay unchanged", async () => {
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
