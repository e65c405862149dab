import { expect, test } from "vitest";
import { readFrontMatter } from "./storage/front-matter.ts";

test.each([
  ["name: a\nname: b", "第 2 行第 1 列，键重复"],
  ["name: 'a", "第 1 行第 9 列，缺少字符，例如引号、逗号或括号"],
])("invalid YAML in a skill's head is reported in Chinese, with its position: %j", async (head, problem) => {
  await expect(readFrontMatter(`---\n${head}\n---\n`)).rejects.toMatchObject({
    message: expect.stringContaining("SKILL.md: its front matter is not valid YAML: "),
    detail: { texts: { problem: expect.objectContaining({ zh: problem }) } },
  });
});
