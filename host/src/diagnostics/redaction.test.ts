import { describe, expect, it } from "vitest";
import { createRedaction } from "./redaction.ts";

it("masks values under secret keys at any depth", () => {
  expect(createRedaction().mask({ a: [{ bot_token: "t", Authorization: "b", name: "n" }] })).toEqual({
    a: [{ bot_token: "***", Authorization: "***", name: "n" }],
  });
});

it("masks a remembered value inside texts, the longest first", () => {
  const redaction = createRedaction();
  redaction.remember("secret");
  redaction.remember("secret.+more");
  expect(redaction.mask({ line: "a secret.+more b secret" })).toEqual({ line: "a *** b ***" });
});

it("handles values that contain themselves", () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(createRedaction().mask(loop)).toEqual({ self: "[cut]" });
});

it.each(["x-api-key", "api-key", "apikey", "api_key", "X-Access-Key", "private-key", "X-Goog-Api-Key", "Set-Cookie"])(
  "masks the value of %s",
  (name) => {
    expect(createRedaction().mask({ headers: { [name]: "s3cret", other: "plain" } })).toEqual({
      headers: { [name]: "***", other: "plain" },
    });
  },
);

describe("JSON", () => {
  const redaction = createRedaction();
  for (const secret of ["123456", 'quo"ted\\', "line\nbreak"]) redaction.remember(secret);

  it.each([
    ["nothing secret", { a: ["x", 1, null, true] }],
    ["a secret key", { bot_token: { deep: "t" }, max_tokens: 5 }],
    ["a secret that could be a number", { text: "it is 123456.", count: 1_234_567 }],
    ["secrets that JSON writes with escapes", { text: 'a quo"ted\\ b', other: ["line\nbreak"] }],
  ])("with %s is what the masked value would be", (_, value) => {
    expect(redaction.toMaskedJson(value)).toBe(JSON.stringify(redaction.mask(value)));
  });

  it("of a value that contains itself is cut", () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(redaction.toMaskedJson(loop)).toBe('{"self":"[cut]"}');
  });
});
