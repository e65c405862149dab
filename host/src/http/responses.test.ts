import { expect, test } from "vitest";
import { formatDetailHeader } from "./responses.ts";

test("the detail of an error becomes an ASCII header that can be decoded completely", () => {
  const params = { name: "小明 😀\r\nset-cookie: a=b", most: 5 };
  const detail = { key: "not_found", field: "name", params };
  const header = formatDetailHeader(detail);
  expect(header).toMatch(/^[ -~]+$/);
  expect(JSON.parse(header)).toEqual(detail);
});

test("parameters that are too long for a header are omitted, the key and the field remain", () => {
  const params = { name: "x".repeat(2_000) };
  const header = formatDetailHeader({ key: "not_found", field: "name", params });
  expect(JSON.parse(header)).toEqual({ key: "not_found", field: "name" });
});

test("no detail is longer than a header may be, whatever a plugin provides", () => {
  expect(formatDetailHeader({ key: "k".repeat(5_000), field: "😀".repeat(5_000) }).length).toBeLessThan(1_025);
});
