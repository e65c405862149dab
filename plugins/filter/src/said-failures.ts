import { failuresOf } from "@parley/core";

/** Creates localized errors about filter rules. */
export const filterFailure = failuresOf("filter", {
  another_id: { en: "another rule has this ID", zh: "已有相同 ID 的规则" },
  channel_needed: { en: "a rule for one conversation needs a channel", zh: "只用于一个会话的规则须指定渠道" },
  file_no_list: { en: "'{name}' must be a list of rules", zh: "“{name}”必须是规则的列表" },
  file_no_lists: {
    en: "'{name}' must be an object that maps channel IDs to lists of rules",
    zh: "“{name}”必须是对象，以渠道 ID 对应规则的列表",
  },
  file_no_object: {
    en: "must be an object with 'enabled', 'global' and 'channels'",
    zh: "必须是含有“enabled”、“global”和“channels”的对象",
  },
  fixed: { en: "cannot be changed: delete the rule and create a new one", zh: "不能更改，请删除规则后重新创建" },
  global_session: { en: "a global rule cannot be for one conversation", zh: "全局规则不能只用于一个会话" },
  half_character: { en: "contains an incomplete character", zh: "含有不完整的字符" },
  no_boolean: { en: "'{name}' must be true or false", zh: "“{name}”只能为 true 或 false" },
  no_channel: {
    en: "is not the ID of a channel; put a conversation into session_id",
    zh: "不是渠道 ID，会话请填入 session_id",
  },
  no_id: { en: "has no valid ID", zh: "没有有效的 ID" },
  no_keywords: { en: "contains no keywords", zh: "没有关键词" },
  no_object: { en: "is not an object", zh: "不是对象" },
  no_pattern: { en: "has no valid pattern", zh: "没有有效的 pattern" },
  no_regex: { en: "{problem}", zh: "不是有效的正则表达式：{problem}" },
  one_of: { en: "'{name}' must be one of {values}", zh: "“{name}”只能是：{values}" },
  other_channel: { en: "is not a conversation of the channel '{channel}'", zh: "不是渠道“{channel}”的会话" },
  other_list: { en: "is a rule of another list", zh: "是另一个列表中的规则" },
  other_place: { en: "the rule with this ID is elsewhere", zh: "此 ID 的规则在另一处" },
  replacement_needed: { en: "is required when the action is replace", zh: "动作为替换时必填" },
  say_kind: {
    en: "write imA:group:<id> or imA:private:<id>",
    zh: "请写成 imA:group:<id> 或 imA:private:<id>",
  },
  window_empty: { en: "needs a day, weekdays or hours", zh: "须有日期、星期或时间" },
  window_half: { en: "needs both start and end", zh: "须同时有开始和结束时间" },
  window_ends_before: { en: "ends before it begins", zh: "结束日期早于开始日期" },
  say_where: { en: "needs one of before, after and position", zh: "须填写 before、after、position 之一" },
  session_needed: { en: "is required when session_scope is specific", zh: "session_scope 为 specific 时必填" },
});
