import { expect, test } from "vitest";
import { getValue, toMergePatch } from "./merge-patch.ts";

const settings = { web: { title: "Parley", cors_origins: ["a"] }, chat: { turn_timeout_s: 300 }, timezone: "UTC" };

test("a dotted key sets a nested value, and an unknown key sets nothing", () => {
  expect(getValue(settings, "web.title")).toBe("Parley");
  expect(getValue(settings, "timezone")).toBe("UTC");
  expect(getValue(settings, "web.none.deeper")).toBeUndefined();
});

test("changes of one section are sent together", () => {
  expect(toMergePatch({ "web.title": "Ours", "web.cors_origins": [], timezone: "Asia/Shanghai" })).toEqual({
    web: { title: "Ours", cors_origins: [] },
    timezone: "Asia/Shanghai",
  });
});
