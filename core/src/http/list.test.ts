import { expect, test } from "vitest";
import { clampPage, listQuery } from "./list.ts";

test.each([
  [{}, { limit: 50, offset: 0 }],
  [
    { limit: "7", offset: "3" },
    { limit: 7, offset: 3 },
  ],
  [{ limit: "501" }, { limit: 500, offset: 0 }],
  [{ limit: "99999999999999999999" }, { limit: 500, offset: 0 }],
])("a list can be requested with %j", (query, page) => {
  const { value, error } = listQuery().validate(query);
  expect(error).toBeUndefined();
  expect(clampPage(value)).toEqual(page);
});

test.each([[{ limit: "0" }], [{ limit: "1.5" }], [{ limit: "many" }], [{ offset: "-1" }]])(
  "a list cannot be requested with %j",
  (query) => {
    expect(listQuery().validate(query).error).toBeDefined();
  },
);
