import { tortureAdapter } from "@parley/testing";
import { expect, test } from "vitest";
import options from "../torture.ts";

// A real service with this adapter is killed while people write. For more kills and other seeds: npm run torture.
test("every message is answered once and in order, though the service is killed", { timeout: 120_000 }, async () => {
  const result = await tortureAdapter({ ...options, kills: 2 });
  expect(result).toMatchObject({ lost: [], twice: [], outOfOrder: [], inDoubt: [] });
});
