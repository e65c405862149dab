import { expect, it } from "vitest";
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
