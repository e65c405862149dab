import type Joi from "@hapi/joi";
import { expect, test } from "vitest";
import { answerFields, commonFields, extend, listData, shape, without } from "./response-schemas.ts";

const { text, orNull, count, listOf, mapOf } = answerFields;

interface Part {
  readonly id: string;
}
interface Whole {
  readonly name: string;
  readonly note: string | null;
  readonly part: Part | null;
  readonly parts: readonly Part[];
  readonly sizes: Readonly<Record<string, number>>;
}
const part = shape<Part>({ id: text }, "Part");
const whole = shape<Whole>(
  { name: text, note: orNull(text), part: orNull(part), parts: listOf(part), sizes: mapOf(count) },
  "Whole",
);

function describedBy(schema: Joi.Schema) {
  const named = new Map<string, object>();
  const options = { target: "draft-2020-12", named, namedAt: "#/components/schemas/" };
  return { schema: schema["~standard"].jsonSchema.input(options as never), named: Object.fromEntries(named) };
}

const good = { name: "", note: null, part: null, parts: [{ id: "1" }], sizes: { a: 1 } };

test("an answer has every field of its shape, and no others", () => {
  expect(whole.validate(good).error).toBeUndefined();
  expect(whole.validate({ ...good, more: 1 }).error?.message).toContain("more");
  expect(whole.validate({ ...good, note: undefined }).error?.message).toContain("note");
  expect(whole.validate({ ...good, parts: [{}] }).error?.message).toContain("parts[0].id");
});

test("an optional field may be missing", () => {
  const some = shape({ id: text, extra: text.optional() });
  expect(some.validate({ id: "1" }).error).toBeUndefined();
});

test("shapes can be extended and reduced without knowing how they were defined", () => {
  const more = extend(part, { secret: text });
  expect(more.validate({ id: "1", secret: "s" }).error).toBeUndefined();
  expect(more.validate({ id: "1" }).error?.message).toContain("secret");
  expect(without(whole, ["part", "parts", "sizes"]).validate({ name: "n", note: null }).error).toBeUndefined();
});

test("a named shape is described once, and referenced wherever it occurs", () => {
  const { schema, named } = describedBy(listData(whole));
  expect(schema).toMatchObject({
    type: "object",
    required: ["items", "limit", "offset", "total"],
    additionalProperties: false,
    properties: { items: { items: { $ref: "#/components/schemas/Whole" } } },
  });
  const ref = { $ref: "#/components/schemas/Part" };
  expect(named).toMatchObject({
    Part: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
    Whole: {
      properties: {
        note: { type: ["string", "null"] },
        part: { anyOf: [{ type: "null" }, ref] },
        parts: { items: ref },
        sizes: { additionalProperties: { type: "integer" } },
      },
    },
  });
});

test("two shapes with the same name are an error", () => {
  const other = shape({ id: count }, "Part");
  expect(() => describedBy(shape({ part, other }))).toThrow("'Part'");
});

test("shapes are described inline when names are not collected", () => {
  const described = part["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  expect(described).toMatchObject({ type: "object", properties: { id: { type: "string" } } });
});

test("records have times and a revision", () => {
  const record = shape({ id: text, ...commonFields });
  const at = "2026-01-06T10:00:00.000Z";
  expect(record.validate({ id: "1", created_at: at, updated_at: at, revision: 1 }).error).toBeUndefined();
  expect(record.validate({ id: "1", created_at: "yesterday", updated_at: at, revision: 1 }).error).toBeDefined();
});
