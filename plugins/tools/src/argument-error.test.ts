import { expect, test } from "vitest";
import { loadParameterSchemas } from "./custom/parameter-schema.ts";

const { check } = await loadParameterSchemas();
const fault = check({
  type: "object",
  properties: {
    city: { type: "string", minLength: 2 },
    days: { type: "integer", maximum: 9 },
    unit: { enum: ["C", "F"] },
  },
  required: ["city"],
  additionalProperties: false,
});

test.each([
  [{}, "must have required property 'city'", "缺少 city"],
  [{ city: 1 }, "city must be string", "city：类型必须是 string"],
  [{ city: "a" }, "city must NOT have fewer than 2 characters", "city：至少 2 个字符"],
  [{ city: "ab", days: 10 }, "days must be <= 9", "days：不能大于 9"],
  [{ city: "ab", unit: "K" }, "unit must be equal to one of the allowed values", "unit：只能是：C、F"],
  [{ city: "ab", odd: 1 }, "must NOT have additional properties", "不允许填写 odd"],
])("%j is rejected, in both languages", (args, en, zh) => {
  expect(fault(args)).toEqual({ en, zh });
});

test("valid arguments are accepted", () => {
  expect(fault({ city: "ab", days: 9, unit: "C" })).toBeUndefined();
});
