import { expect, test } from "vitest";
import { formatDetailHeader } from "./responses.ts";

test("what a failure says to translators is a header of plain letters that reads back whole", () => {
  const params = { name: "小明 😀\r\nset-cookie: a=b", most: 5 };
  const detail = { key: "not_found", field: "name", params, chinese: "找不到 {name}" };
  const header = formatDetailHeader(detail);
  expect(header).toMatch(/^[ -~]+$/);
  expect(JSON.parse(header)).toEqual(detail);
});

test("parameters that are too long for a header are left out, the key and the field stay", () => {
  const params = { name: "x".repeat(2_000) };
  const header = formatDetailHeader({ key: "not_found", field: "name", params, chinese: "找不到 {name}" });
  expect(JSON.parse(header)).toEqual({ key: "not_found", field: "name" });
});

test("no detail is longer than a header may be, whatever a plugin gives", () => {
  expect(formatDetailHeader({ key: "k".repeat(5_000), field: "😀".repeat(5_000) }).length).toBeLessThan(1_025);
});
