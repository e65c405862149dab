import { expect, test } from "vitest";
import { applySpacing, markEdges } from "./cjk-spacing.ts";

test.each([
  [`新建${markEdges("API 密钥")}`, "新建 API 密钥"],
  [`新建${markEdges("渠道")}`, "新建渠道"],
  [`${markEdges("MCP")}的操作`, "MCP 的操作"],
  [`已删除：${markEdges("Mira")}`, "已删除：Mira"],
  [`共 ${markEdges("3")} 项`, "共 3 项"],
  [`来自${markEdges("desk")}的消息`, "来自 desk 的消息"],
  [`已写：${markEdges("用API写")}`, "已写：用API写"],
])("values in Chinese text are separated by spaces when they are Latin: %s", (filled, expected) => {
  expect(applySpacing(filled)).toBe(expected);
});
