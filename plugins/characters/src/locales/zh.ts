import type { en } from "./en.ts";

/** Chinese texts of plugin characters. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  has_links: "已有其他地址关联到“{id}”",
  linked: "“{id}”已关联到另一个地址",
  many_of_name: "有多个角色使用此名称：{ids}",
  many_people: "此会话中有多人，请填写 target_id",
  no_book: "找不到世界书“{id}”",
  other_person: "不是 session_id 所指会话中的对方",
  other_scope: "与 session_id 所指的会话不符",
  same: "与地址相同",
};
