import { expect, test } from "vitest";
import { diffValues } from "./is-deep-equal.ts";

test("a value that is changed back is no change", () => {
  const stored = { "web.title": "Parley", "web.cors_origins": ["a"], "chat.turn_timeout_s": 300 };
  const written = { ...stored, "web.cors_origins": ["a"], "chat.turn_timeout_s": 60 };
  expect(diffValues(written, stored)).toEqual({ "chat.turn_timeout_s": 60 });
});
