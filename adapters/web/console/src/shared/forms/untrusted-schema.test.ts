import { describe, expect, test } from "vitest";
import { readSchema, toVisibleText } from "./untrusted-schema.ts";

const fieldOf = (field: unknown, more: object = {}) =>
  readSchema({ type: "object", properties: { a: field }, ...more }).properties?.a;

describe("a schema from an external server", () => {
  test("becomes fields with the properties that a form needs", () => {
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
  ])("%j becomes a field of type %s", (field, type) => {
    const $defs = { Unit: { type: "boolean" }, Loop: { $ref: "#/$defs/Loop" } };
    expect(fieldOf(field, { $defs })).toEqual({ type });
  });

  test.each([undefined, null, 7, "x", [], { properties: 7 }, { properties: null, required: {} }])(
    "has no fields when it is invalid: %j",
    (schema) => expect(readSchema(schema)).toEqual({ properties: {}, required: [] }),
  );

  test("is read up to a maximum depth", () => {
    const self = { type: "object", properties: { a: { $ref: "#" } } };
    expect(JSON.stringify(readSchema(self)).length).toBeLessThan(1_000);
  });
});

test("invisible characters are removed from texts", () => {
  expect(toVisibleText("pay\u202e me\u200b\u001b[31m")).toBe("pay me[31m");
  expect(toVisibleText("x".repeat(20), 5)).toBe("xxxxx…");
  expect(toVisibleText({ toString: () => "no" })).toBe("");
});
