import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { toPortableTool } from "./tool-schemas.ts";

const portable = (inputSchema: object) =>
  toPortableTool({
    type: "function",
    name: "t",
    inputSchema: inputSchema as LanguageModelV4FunctionTool["inputSchema"],
  });
const schemaOf = (inputSchema: object) => portable(inputSchema).tool.inputSchema as Record<string, unknown>;

describe("the schema of a tool, as every provider accepts it", () => {
  it("stays as it is where nothing is odd", () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
      required: ["city"],
      additionalProperties: false,
    };
    expect(schemaOf(schema)).toEqual(schema);
    expect(portable(schema).restore).toBeUndefined();
  });

  it.each(["anyOf", "oneOf"])("has alternatives at its top (%s) folded into its properties", (key) => {
    const first = {
      type: "object",
      properties: { url: { type: "string" }, mode: { type: "string" } },
      required: ["url", "mode"],
    };
    const second = { properties: { path: { type: "string" }, mode: { type: "integer" } }, required: ["path", "mode"] };
    expect(schemaOf({ type: "object", [key]: [first, second] })).toEqual({
      type: "object",
      properties: {
        url: { type: "string" },
        mode: { anyOf: [{ type: "string" }, { type: "integer" }] },
        path: { type: "string" },
      },
      required: ["mode"],
    });
  });

  it("requires what all parts at its top require, also behind references", () => {
    const $defs = { Base: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } };
    const schema = schemaOf({ $defs, allOf: [{ $ref: "#/$defs/Base" }, { properties: { b: true }, required: ["b"] }] });
    expect(schema).toMatchObject({
      type: "object",
      properties: { a: { type: "string" }, b: {} },
      required: ["a", "b"],
    });
    expect(schemaOf({ $defs, $ref: "#/$defs/Base" })).toMatchObject({ properties: { a: {} }, required: ["a"] });
    for (const key of ["allOf", "$ref"]) expect(schema).not.toHaveProperty(key);
  });

  it("stops at a reference to itself", () => {
    const $defs = {
      Node: { properties: { next: { $ref: "#/$defs/Node" }, "a b": {} }, allOf: [{ $ref: "#/$defs/Node" }] },
    };
    const { tool, restore } = portable({ type: "object", $ref: "#/$defs/Node", $defs });
    expect(tool.inputSchema).toMatchObject({ properties: { next: { $ref: "#/$defs/Node" }, a_b: {} } });
    expect(restore?.({ next: { next: { a_b: 1 } } })).toEqual({ next: { next: { "a b": 1 } } });
  });

  it("renames each odd name to one of its own, wherever it is used", () => {
    const odd = ["$filter", "filter", "_filter", "@type", "名前", "x.y", "1st", "a".repeat(80), ""];
    const properties = Object.fromEntries(odd.map((name) => [name, { type: "string" }]));
    const { tool, restore } = portable({
      type: "object",
      properties,
      required: odd,
      dependentRequired: { $filter: ["x.y"] },
    });
    const { properties: sent, required } = tool.inputSchema as { properties: object; required: string[] };
    expect(new Set(Object.keys(sent)).size).toBe(odd.length);
    for (const name of Object.keys(sent)) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    expect(required).toEqual(Object.keys(sent));
    const given = Object.fromEntries(Object.keys(sent).map((name, index) => [name, index]));
    expect(restore?.(given)).toEqual(Object.fromEntries(odd.map((name, index) => [name, index])));
  });

  it("uses the current draft", () => {
    const old = {
      type: "object",
      properties: {
        pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
        list: { type: "array" },
        over: { type: "number", minimum: 0, exclusiveMinimum: true },
        any: true,
        never: false,
        sub: { type: "object", required: true },
      },
    };
    expect(schemaOf(old).properties).toEqual({
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: {} },
      list: { type: "array", items: {} },
      over: { type: "number", exclusiveMinimum: 0 },
      any: {},
      sub: { type: "object" },
    });
  });
});
