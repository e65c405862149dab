import { expect, test } from "vitest";
import { toUniqueId } from "./unique-id.ts";

test("an unused id stays as it is", () => {
  expect(toUniqueId("webhook", ["web", "imA"])).toBe("webhook");
});

test("a used id gets the next free number, whatever its case", () => {
  expect(toUniqueId("imB", ["IMB"])).toBe("imB-2");
  expect(toUniqueId("webhook", ["webhook", "webhook-2", "webhook-4"])).toBe("webhook-3");
});
