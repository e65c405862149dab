import { expect, test } from "vitest";
import { edged, spaced } from "./spacing.ts";

test.each([
  [`新建${edged("API 密钥")}`, "新建 API 密钥"],
  [`新建${edged("渠道")}`, "新建渠道"],
  [`${edged("MCP")}的操作`, "MCP 的操作"],
  [`已删除：${edged("Mira")}`, "已删除：Mira"],
  [`共 ${edged("3")} 项`, "共 3 项"],
  [`来自${edged("desk")}的消息`, "来自 desk 的消息"],
  [`已写：${edged("用API写")}`, "已写：用API写"],
])("what is filled into Chinese stands apart from it where it is Latin: %s", (filled, expected) => {
  expect(spaced(filled)).toBe(expected);
});
