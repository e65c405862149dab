import { Joi } from "@parley/core";
import { expect, test } from "vitest";
import { parseValue } from "./structured-output.ts";

const schema = Joi.object<{ readonly mood: string }>({ mood: Joi.string().required() });

test.each(['{"mood":"calm"}', 'Here:\n```json\n{"mood":"calm"}\n```', 'It is {"mood":"calm"}.'])(
  "reads the value of %j",
  (text) => {
    expect(parseValue(text, schema)).toEqual({ value: { mood: "calm" } });
  },
);

test.each([
  ["Good morning!", "it is not JSON", "不是 JSON"],
  ["{}", '"mood" is required', "mood：必填"],
  ['{"mood":7}', '"mood" must be a string', "mood：必须是文本"],
])("says what is wrong with %j in both languages", (text, en, zh) => {
  expect(parseValue(text, schema)).toEqual({ problem: { en, zh } });
});
