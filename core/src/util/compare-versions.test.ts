import { expect, test } from "vitest";
import { isNewerVersion } from "./compare-versions.ts";

test.each([
  ["1.10.0", "1.9.2", true],
  ["1.2.0", "1.2.0", false],
  ["0.9.9", "1.0.0", false],
  ["2.0.0-beta.1", "1.9.0", true],
])("%s is newer than %s: %s", (version, than, expected) => {
  expect(isNewerVersion(version, than)).toBe(expected);
});
