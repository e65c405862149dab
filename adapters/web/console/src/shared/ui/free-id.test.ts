import { expect, test } from "vitest";
import { freeId } from "./free-id.ts";

test("an id that nobody has stays as it is", () => {
  expect(freeId("webhook", ["web", "imA"])).toBe("webhook");
});

test("the next free number follows one that is taken, whatever its case", () => {
  expect(freeId("imB", ["IMB"])).toBe("imB-2");
  expect(freeId("webhook", ["webhook", "webhook-2", "webhook-4"])).toBe("webhook-3");
});
