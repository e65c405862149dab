import { expect, test } from "vitest";
import { toFormFields, toPatch } from "./form-fields.ts";

test("a time that may be missing gets a time field, and an empty field means no time", () => {
  const fields = toFormFields({
    type: "object",
    properties: { until: { type: ["string", "null"], format: "date-time", default: null } },
  } as never);
  expect(fields).toMatchObject([{ name: "until", kind: "time", isNullable: true }]);
  const record = { until: "2026-01-31T08:00:00.000Z" };
  expect(toPatch(fields, { until: "" }, record)).toEqual({ until: null });
  expect(toPatch(fields, { until: null }, undefined)).toEqual({});
  expect(toPatch(fields, record, record)).toEqual({});
});
