import Joi from "@hapi/joi";
import { expect, test } from "vitest";
import { resolveMaxNames } from "./max-names.ts";

const plain = { name: Joi.string(), count: Joi.number(), tags: Joi.array().items(Joi.string()) };

test("a route with a few fields accepts few names", () => {
  expect(resolveMaxNames({ body: Joi.object(plain) })).toBe(1_003);
  expect(resolveMaxNames({ body: Joi.object({ inner: Joi.object(plain), mode: Joi.valid("a", "b") }) })).toBe(1_005);
  expect(resolveMaxNames({})).toBe(1_000);
});

test.each([
  ["any", Joi.any()],
  ["objects without names", Joi.object()],
  ["names that are data", Joi.object().pattern(Joi.string(), Joi.string())],
  ["names that are not known", Joi.object(plain).unknown()],
  ["lists of objects", Joi.array().items(Joi.object(plain))],
  ["one of several", Joi.alternatives().try(Joi.string(), Joi.object())],
])("a route that takes %s is limited by bytes alone", (_what, value) => {
  expect(resolveMaxNames({ body: Joi.object({ value }) })).toBeUndefined();
});
