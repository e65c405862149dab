import { fillParams, type Localized } from "@parley/core";
import type { ErrorObject } from "ajv";

/** Chinese messages of argument validation, by keyword; `{name}` is a parameter of the error. */
const CHINESE_MESSAGES: Readonly<Record<string, string>> = {
  additionalProperties: "不允许填写 {additionalProperty}",
  anyOf: "不符合任何一种允许的形式",
  const: "只能是规定的值",
  enum: "只能是：{allowedValues}",
  exclusiveMaximum: "必须小于 {limit}",
  exclusiveMinimum: "必须大于 {limit}",
  maxItems: "最多 {limit} 项",
  maxLength: "最多 {limit} 个字符",
  maxProperties: "最多 {limit} 个字段",
  maximum: "不能大于 {limit}",
  minItems: "至少 {limit} 项",
  minLength: "至少 {limit} 个字符",
  minProperties: "至少 {limit} 个字段",
  minimum: "不能小于 {limit}",
  multipleOf: "必须是 {multipleOf} 的倍数",
  oneOf: "须恰好符合一种允许的形式",
  required: "缺少 {missingProperty}",
  type: "类型必须是 {type}",
  uniqueItems: "有重复项",
};

/** Describes why an argument does not match its schema: the library's message, and a Chinese one. */
export function describeArgumentError(problem: ErrorObject | undefined): Localized {
  const { instancePath = "", keyword = "", message = "does not fit", params = {} } = problem ?? {};
  const at = instancePath.slice(1).replaceAll("/", ".");
  const chinese = Object.hasOwn(CHINESE_MESSAGES, keyword) ? CHINESE_MESSAGES[keyword] : undefined;
  const words = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, formatValue(value)]));
  const text = chinese === undefined ? message : fillParams(chinese, words);
  return { en: `${at && `${at} `}${message}`, zh: `${at && `${at}：`}${text}` };
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(formatValue).join("、") : String(value);
}
