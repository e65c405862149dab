import type { Check, Finding, JsonFile, Localized } from "@parley/core";
import { parseRules, type RuleDocument } from "./rules/document.ts";
import type { RuleHealth } from "./rules/rule-health.ts";

export interface FilterCheckDeps {
  readonly file: JsonFile<RuleDocument>;
  readonly health: RuleHealth;
}

/** Creates the check that every filter rule is applied. */
export function createFilterCheck({ file, health }: FilterCheckDeps): Check {
  return {
    id: "filter",
    async run() {
      const invalid = parseRules(file.read()).invalid.length;
      const count = health.listQuarantined().length;
      return [
        ...(invalid === 0
          ? []
          : [createFinding("filter.invalid", toInvalidText(invalid), REPAIR_ADVICE, { count: invalid })]),
        ...(count === 0
          ? []
          : [
              createFinding("filter.set_aside", toQuarantinedText(count), EDIT_ADVICE, {
                count,
              }),
            ]),
      ];
    },
  };
}

function createFinding(
  key: string,
  message: Localized,
  advice: Localized,
  parameters: Finding["parameters"] = {},
): Finding {
  return { key, level: "warning", said: message, advice, parameters, page: "/filter" };
}

const REPAIR_ADVICE: Localized = { en: "fix the rules file", zh: "请修复规则文件" };
const EDIT_ADVICE: Localized = {
  en: "edit the marked rules on the Filter page: they currently stop nothing",
  zh: "请在“过滤”页面修改带标记的规则：它们当前未生效",
};

const toInvalidText = (count: number): Localized => ({
  en: count === 1 ? "1 rule of the message filter is not valid" : `${count} rules of the message filter are not valid`,
  zh: `${count} 条消息过滤规则无效`,
});

const toQuarantinedText = (count: number): Localized => ({
  en:
    count === 1
      ? "1 rule of the message filter is set aside because it took too long"
      : `${count} rules of the message filter are set aside because they took too long`,
  zh: `${count} 条消息过滤规则因耗时过长已停用`,
});
