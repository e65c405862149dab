import { CHINESE_ERROR_TEXTS } from "@parley/core/chinese";

/**
 * What is wrong, in Chinese, by the key of the failure: those that many rows share, and joi's words for fields. In English
 * the service's own sentence is shown; in Chinese it stands behind what its code means, where its key has none here.
 */
export const CHINESE: Readonly<Record<string, string>> = {
  ...CHINESE_ERROR_TEXTS,
  "any.required": "必填",
  "any.only": "只能是：{valids}",
  "any.unknown": "不允许填写",
  "object.unknown": "不允许填写",
  "object.base": "必须是对象",
  "string.base": "必须是文本",
  "string.empty": "不能为空",
  "string.min": "至少 {limit} 个字符",
  "string.max": "最多 {limit} 个字符",
  "string.length": "必须是 {limit} 个字符",
  "string.pattern.base": "格式不正确",
  "string.pattern.name": "格式不正确",
  "string.uri": "不是有效的地址",
  "string.uriCustomScheme": "地址必须以 {scheme} 开头",
  "string.unreadable": "不能包含控制字符",
  "string.timestamp": "不是有效的时间，例如 2026-01-31T08:00:00Z",
  "string.isoDate": "不是有效的时间",
  "number.base": "必须是数字",
  "number.integer": "必须是整数",
  "number.min": "不能小于 {limit}",
  "number.max": "不能大于 {limit}",
  "number.unsafe": "数字过大",
  "boolean.base": "只能为是或否",
  "array.base": "必须是列表",
  "array.min": "至少 {limit} 项",
  "array.max": "最多 {limit} 项",
  "array.unique": "有重复项",
};
