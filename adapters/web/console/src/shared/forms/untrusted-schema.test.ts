import { describe, expect, test } from "vitest";
import { readSchema, toVisibleText } from "./untrusted-schema.ts";

const fieldOf = (field: unknown, more: object = {}) =>
  readSchema({ type: "object", properties: { a: field }, ...more }).properties?.a;

describe("a schema of strangers", () => {
  test("gives fields with what a form needs of them", () => {
    const schema = {
      properties: {
        city: { type: "string", description: "Where", maxLength: 40 },
        days: { type: "integer", minimum: 1, maximum: 7, default: 3 },
        unit: { enum: ["C", "F"] },
        place: { type: "object", properties: { lat: { type: "number" } } },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["city", "gone"],
    };
    expect(readSchema(schema)).toEqual({
      properties: {
        city: { type: "string", description: "Where", maxLength: 40 },
        days: { type: "integer", minimum: 1, maximum: 7, default: 3 },
        unit: { type: "string", enum: ["C", "F"] },
        place: { type: "object", properties: { lat: { type: "number" } } },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["city"],
    });
  });

  test.each([
    [{ type: ["string", "null"] }, "string"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "integer"],
    [{ anyOf: [{ type: "integer" }, { type: "string" }] }, "json"],
    [{ $ref: "#/$defs/Unit" }, "boolean"],
    [{ $ref: "#/$defs/Loop" }, "json"],
    [{ $ref: "#/__proto__/x" }, "json"],
    [{ $ref: "https://elsewhere.example/s" }, "json"],
    [{}, "json"],
    [true, "json"],
    [null, "json"],
    [{ type: 7, description: { not: "a text" }, enum: "x", properties: [] }, "json"],
  ])("%j is a field of type %s", (field, type) => {
    const $defs = { Unit: { type: "boolean" }, Loop: { $ref: "#/$defs/Loop" } };
    expect(fieldOf(field, { $defs })).toEqual({ type });
  });

  test.each([undefined, null, 7, "x", [], { properties: 7 }, { properties: null, required: {} }])(
    "that is no schema (%j) has no fields",
    (schema) => expect(readSchema(schema)).toEqual({ properties: {}, required: [] }),
  );

  test("is not followed without end", () => {
    const self = { type: "object", properties: { a: { $ref: "#" } } };
    expect(JSON.stringify(readSchema(self)).length).toBeLessThan(1_000);
  });
});

test("characters that nobody sees are taken out of texts", () => {
  expect(toVisibleText("pay\u202e me\u200b\u001b[31m")).toBe("pay me[31m");
  expect(toVisibleText("x".repeat(20), 5)).toBe("xxxxx…");
  expect(toVisibleText({ toString: () => "no" })).toBe("");
});
