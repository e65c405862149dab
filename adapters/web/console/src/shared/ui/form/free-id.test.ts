import { expect, test } from "vitest";
import { toUniqueId } from "./free-id.ts";

test("an id that nobody has stays as it is", () => {
  expect(toUniqueId("webhook", ["web", "imA"])).toBe("webhook");
});

test("the next free number follows one that is taken, whatever its case", () => {
  expect(toUniqueId("imB", ["IMB"])).toBe("imB-2");
  expect(toUniqueId("webhook", ["webhook", "webhook-2", "webhook-4"])).toBe("webhook-3");
});
