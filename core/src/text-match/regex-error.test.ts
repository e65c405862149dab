import { expect, test } from "vitest";
import { describeRegexError } from "./regex-error.ts";
import { compileRegex } from "./regex-pattern.ts";

function describeError(pattern: string) {
  try {
    compileRegex(pattern);
  } catch (error) {
    return describeRegexError(error);
  }
  throw new Error(`${pattern} is an expression`);
}

test.each([
  ["(", "括号没有闭合"],
  ["a)", "有多余的右括号"],
  ["[a", "方括号没有闭合"],
  ["*a", "量词前没有可重复的内容"],
  ["a\\", "末尾有多余的反斜杠"],
  ["[b-a]", "方括号中的范围首尾颠倒"],
  ["a{2,1}", "花括号中的数字首尾颠倒"],
  ["(?<a>b)(?<a>c)", "捕获组的名称重复"],
  ["(?<1>b)", "捕获组的名称无效"],
  ["(?~a)", "括号后的写法无效"],
  ["(?ii:a)", "标志重复"],
])("errors in the regular expression %s are described in Chinese", (pattern, zh) => {
  const fault = describeError(pattern);
  expect(fault).toEqual({ en: expect.stringContaining("Invalid regular expression"), zh });
});

test("unknown messages of the parser stay as they are", () => {
  expect(describeRegexError(new SyntaxError("Odd: Odd"))).toEqual({ en: "Odd: Odd", zh: "Odd: Odd" });
});
