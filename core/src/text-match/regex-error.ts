import type { Localized } from "../localized.ts";

/** Chinese texts of the parser's errors for invalid patterns. */
const CHINESE_MESSAGES: Readonly<Record<string, string>> = {
  "\\ at end of pattern": "末尾有多余的反斜杠",
  "Duplicate capture group name": "捕获组的名称重复",
  "Incomplete quantifier": "量词不完整",
  "Invalid capture group name": "捕获组的名称无效",
  "Invalid character class": "方括号中的字符集无效",
  "Invalid character in character class": "方括号中有无效的字符",
  "Invalid class escape": "方括号中的转义无效",
  "Invalid decimal escape": "数字转义无效",
  "Invalid escape": "转义无效",
  "Invalid flag group": "标志组无效",
  "Invalid group": "括号后的写法无效",
  "Invalid named capture referenced": "引用了不存在的捕获组",
  "Invalid named reference": "对捕获组的引用无效",
  "Invalid property name": "Unicode 属性的名称无效",
  "Invalid property name in character class": "方括号中 Unicode 属性的名称无效",
  "Invalid unicode escape": "Unicode 转义无效",
  "Invalid Unicode escape": "Unicode 转义无效",
  "Lone quantifier brackets": "有单独的花括号",
  "Nothing to repeat": "量词前没有可重复的内容",
  "Range out of order in character class": "方括号中的范围首尾颠倒",
  "Regular expression too large": "表达式过大",
  "Repeated flag in flag group": "标志重复",
  "Too many captures": "捕获组过多",
  "Unmatched ')'": "有多余的右括号",
  "Unterminated character class": "方括号没有闭合",
  "Unterminated group": "括号没有闭合",
  "numbers out of order in {} quantifier": "花括号中的数字首尾颠倒",
};

/** Returns the localized error of a pattern that `compileRegex` rejected. */
export function describeRegexError(error: unknown): Localized {
  const en = error instanceof Error ? error.message : String(error);
  const known = Object.keys(CHINESE_MESSAGES).find((fault) => en.endsWith(`: ${fault}`));
  return { en, zh: CHINESE_MESSAGES[known ?? ""] ?? en };
}
