import { failuresOf } from "@parley/core";

/** Creates localized errors about memories. */
export const memoryFailure = failuresOf("memory", {
  days_of_short: { en: "expire_days is only for type short", zh: "expire_days 只能用于 short 类型" },
  fixed: { en: "cannot be changed", zh: "不能更改" },
  full: { en: "there are already {limit} memories", zh: "记忆已达上限（{limit} 条）" },
  many: { en: "at most {most} at once", zh: "一次最多 {most} 条" },
  no_character: { en: "character '{id}' does not exist", zh: "找不到角色“{id}”" },
  no_memory: { en: "is not a memory", zh: "不是记忆" },
  nobody: { en: "there is no conversation", zh: "不在会话中" },
  not_one: {
    en: "must belong to one person and one character, and be current",
    zh: "须属于同一人和同一角色，且均未被取代",
  },
  nothing_in_it: { en: "it contains no memories", zh: "其中没有记忆" },
  off: { en: "memory is switched off", zh: "记忆已关闭" },
  temporary: { en: "nothing is remembered from a temporary conversation", zh: "临时会话不会留下记忆" },
  word_twice: { en: "contains a word twice", zh: "有重复的词" },
});
