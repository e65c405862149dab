import { expect, test } from "vitest";
import { selectFirstPreset } from "./built-in-presets.ts";

test.each([
  [{}, "preset_default"],
  [{ LANG: "C.UTF-8" }, "preset_default"],
  [{ LANG: "zh_CN.UTF-8" }, "preset_default_zh"],
  [{ LANG: "zh_CN.UTF-8", LC_ALL: "en_GB.UTF-8" }, "preset_default"],
  [{ LANG: "en_US.UTF-8", LC_MESSAGES: "zh_TW.UTF-8", LC_ALL: "" }, "preset_default_zh"],
] as const)("on a machine with the language %j a service starts with %s", (variables: Record<string, string>, id) => {
  expect(selectFirstPreset((name) => variables[name]).id).toBe(id);
});
