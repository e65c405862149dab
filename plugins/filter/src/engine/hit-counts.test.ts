import { systemClock } from "@parley/core";
import { memoryDatabases } from "@parley/testing";
import { expect, test } from "vitest";
import { createHitCounts, hitMigrations } from "./hit-counts.ts";

test("hits of several processes are added up, and a deleted rule has none", async () => {
  const databases = { ...memoryDatabases(), isShared: true as const };
  await databases.main.migrate("filter", hitMigrations);
  const [one, other] = [createHitCounts(() => databases, systemClock), createHitCounts(() => databases, systemClock)];
  one.add(["a", "b"]);
  other.add(["a"]);
  expect(one.all().get("a")?.hits).toBe(1);
  await one.store();
  await other.store();
  one.add(["a"]);
  expect(one.all().get("a")?.hits).toBe(2);
  await one.store();
  await other.store();
  expect([one.all().get("a")?.hits, other.all().get("a")?.hits, other.all().get("b")?.hits]).toEqual([3, 3, 1]);
  one.forget("b");
  await one.store();
  await other.store();
  expect([...other.all().keys()]).toEqual(["a"]);
});
