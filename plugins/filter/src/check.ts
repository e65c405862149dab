import type { Check, Finding, JsonFile, Localized } from "@parley/core";
import { type RuleDocument, rulesOf } from "./document.ts";
import type { RuleHealth } from "./rule-health.ts";

export interface FilterCheckParts {
  readonly file: JsonFile<RuleDocument>;
  readonly health: RuleHealth;
}

/** Whether every rule is applied. */
export function filterCheck({ file, health }: FilterCheckParts): Check {
  return {
    id: "filter",
    async run() {
      const invalid = rulesOf(file.read()).invalid.length;
      const aside = health.quarantined().length;
      return [
        ...(invalid === 0 ? [] : [found("filter.invalid", notValid(invalid), REPAIR, { count: invalid })]),
        ...(aside === 0 ? [] : [found("filter.set_aside", setAside(aside), EDIT, { count: aside })]),
      ];
    },
  };
}

function found(key: string, said: Localized, advice: Localized, parameters: Finding["parameters"] = {}): Finding {
  return { key, level: "warning", said, advice, parameters, page: "/filter" };
}

const REPAIR: Localized = { en: "fix the rules file", zh: "请修复规则文件" };
const EDIT: Localized = {
  en: "edit the marked rules on the Filter page: they currently stop nothing",
  zh: "请在“过滤”页面修改带标记的规则：它们当前未生效",
};

const notValid = (count: number): Localized => ({
  en: count === 1 ? "1 rule of the message filter is not valid" : `${count} rules of the message filter are not valid`,
  zh: `${count} 条消息过滤规则无效`,
});

const setAside = (count: number): Localized => ({
  en:
    count === 1
      ? "1 rule of the message filter is set aside because it took too long"
      : `${count} rules of the message filter are set aside because they took too long`,
  zh: `${count} 条消息过滤规则因耗时过长已停用`,
});
