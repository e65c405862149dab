import { failuresOf } from "@parley/core";

/** Creates localized errors about characters and linked people. */
export const characterFailure = failuresOf("characters", {
  has_links: { en: "other addresses are linked to '{id}'", zh: "已有其他地址关联到“{id}”" },
  linked: { en: "'{id}' is linked to another address itself", zh: "“{id}”已关联到另一个地址" },
  many_of_name: { en: "several characters have this name: {ids}", zh: "有多个角色使用此名称：{ids}" },
  many_people: { en: "several people talk there: say who with target_id", zh: "此会话中有多人，请填写 target_id" },
  no_book: { en: "world book '{id}' does not exist", zh: "找不到世界书“{id}”" },
  other_person: { en: "is not the other person in session_id", zh: "不是 session_id 所指会话中的对方" },
  other_scope: { en: "is not the scope of session_id", zh: "与 session_id 所指的会话不符" },
  same: { en: "is the address itself", zh: "与地址相同" },
});
