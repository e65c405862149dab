import Joi from "@hapi/joi";
import { expect, test } from "vitest";
import { timestamp } from "./field-schemas.ts";
import { toResourceForm } from "./resource-view.ts";

test("a time has the type time in forms, also when it is optional", () => {
  const { properties } = toResourceForm(
    Joi.object({ from: timestamp().required(), until: timestamp().allow(null).default(null), name: Joi.string() }),
  );
  expect(properties.from).toMatchObject({ type: "string", format: "date-time" });
  expect(properties.until).toMatchObject({ type: ["string", "null"], format: "date-time", default: null });
  expect(properties.name).not.toHaveProperty("format");
});
