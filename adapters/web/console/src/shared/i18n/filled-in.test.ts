import { expect, test } from "vitest";
import { edged, spaced } from "./filled-in.ts";

const said = (text: string, values: Readonly<Record<string, string>>) => {
  const filled = Object.entries(edged(values)).reduce((now, [name, value]) => now.replace(`{{${name}}}`, value), text);
  return spaced(filled);
};

test("Latin letters that are filled into a Chinese text have a space on the side of a Chinese letter", () => {
  expect(said("新建{{name}}", { name: "API 密钥" })).toBe("新建 API 密钥");
  expect(said("删除{{name}}？", { name: "CI" })).toBe("删除 CI？");
  expect(said("由{{name}}发起", { name: "admin" })).toBe("由 admin 发起");
  expect(said("共{{count}}项", { count: "3" })).toBe("共 3 项");
});

test("what has a space, a sign or Chinese beside it stays, and so does what was filled in", () => {
  expect(said("新建{{name}}", { name: "账户" })).toBe("新建账户");
  expect(said("已选 {{count}} 项", { count: "3" })).toBe("已选 3 项");
  expect(said("“{{name}}”", { name: "A会话B" })).toBe("“A会话B”");
  expect(edged({ context: "one" })).toEqual({ context: "one" });
});
