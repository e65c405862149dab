import Joi from "@hapi/joi";
import { expect, test } from "vitest";
import { failuresOf } from "../deprecated.ts";
import { toLocalized } from "../error-texts.ts";
import {
  notBlank,
  reportProblem,
  toFieldProblems,
  toSchemaError,
  toValidationError,
  withPattern,
} from "./validation-error.ts";

const failure = failuresOf("dice", { odd: { en: "{face} is no face", zh: "没有 {face} 这一面" } });

const schema = Joi.object({
  face: Joi.string().custom((face: string, helpers) =>
    face === "6" ? face : reportProblem(failure("bad_request", "odd", { face }), helpers),
  ),
});

test.each(["9", "{{#label}} {x", "<b>"])(
  "the message of a validation schema for %s has both languages, at its field",
  (face) => {
    const { error } = schema.validate({ face }, { errors: { label: false } });
    const rejection = toSchemaError(error as NonNullable<typeof error>);
    expect(rejection).toMatchObject({ message: `${face} is no face`, detail: { key: "dice.odd", field: "face" } });
    expect(toLocalized(rejection).zh).toBe(`没有 ${face} 这一面`);
  },
);

test("a value that does not match a pattern is rejected in both languages, at its field and without the value", () => {
  const roll = Joi.object({
    face: withPattern(Joi.string(), /^[1-6]$/, { en: "must be a face", zh: "须为点数" }),
  });
  const { error } = roll.validate({ face: "secret" }, { errors: { label: false } });
  const rejection = toSchemaError(error as NonNullable<typeof error>);
  expect(rejection).toMatchObject({ message: "must be a face", detail: { key: "string.pattern.name", field: "face" } });
  expect(toLocalized(rejection).zh).toBe("face：须为点数");
  expect(JSON.stringify(rejection)).not.toContain("secret");
});

test.each([
  ["that must not be blank", notBlank(Joi.string()).required()],
  ["that is disallowed", Joi.string().allow("").invalid("").required()],
  ["of itself", Joi.string().required()],
])("an empty text %s is rejected as empty, in both languages", (_what, prompt) => {
  const { error } = Joi.object({ prompt }).validate({ prompt: "" }, { errors: { label: false } });
  const failed = error as NonNullable<typeof error>;
  for (const rejection of [toSchemaError(failed), toValidationError(toFieldProblems(failed), "body")]) {
    expect(rejection.message).toMatch(/is not allowed to be empty$/);
    expect(rejection.detail).toMatchObject({ key: "string.empty", field: "prompt" });
    expect(toLocalized(rejection).zh).toContain("不能为空");
  }
});
