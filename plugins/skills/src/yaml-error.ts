import type { Localized } from "@parley/core";

/** Chinese messages of YAML syntax errors, by code. */
const CHINESE_MESSAGES: Readonly<Record<string, string>> = {
  BAD_ALIAS: "别名无效",
  BAD_DQ_ESCAPE: "双引号中的转义无效",
  BAD_INDENT: "缩进有误",
  BAD_SCALAR_START: "值的开头有不允许的字符",
  BLOCK_AS_IMPLICIT_KEY: "键的写法有误",
  BLOCK_IN_FLOW: "括号中不能使用多行写法",
  DUPLICATE_KEY: "键重复",
  MISSING_CHAR: "缺少字符，例如引号、逗号或括号",
  MULTILINE_IMPLICIT_KEY: "键不能跨行",
  TAB_AS_INDENT: "不能用制表符缩进",
  UNEXPECTED_TOKEN: "有多余的内容",
};

/** Describes a YAML syntax error and its position: the parser's message, and the Chinese one. */
export function toYamlError(error: unknown, text: string): Localized {
  const {
    message,
    code = "",
    pos = [],
  } = error as Error & { readonly code?: string; readonly pos?: readonly number[] };
  const en = message.slice(0, 200);
  const known = Object.hasOwn(CHINESE_MESSAGES, code) ? CHINESE_MESSAGES[code] : undefined;
  if (pos[0] === undefined) return { en, zh: known ?? en };
  const before = text.slice(0, pos[0]).split("\n");
  const place = `第 ${before.length} 行第 ${(before.at(-1) ?? "").length + 1} 列`;
  return { en, zh: `${place}，${known ?? en}` };
}
