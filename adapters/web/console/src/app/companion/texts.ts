import { createTexts } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = createTexts("companion", {
  companion: ["Companion", "小伙伴"],
  show: ["Show the companion", "显示小伙伴"],
  hide: ["Hide it", "隐藏"],
  talk: ["Talk to it", "和它说话"],
  send: ["Send", "发送"],
  look: ["What do you think of this conversation?", "你怎么看这个会话？"],
  nothing: ["It has nothing to say.", "它没有什么想说的。"],
  forget: ["Clear chat", "清空对话"],
  forgotten: ["Cleared.", "已清空。"],
  wants: ["It wants to run {{tool}} with these arguments:", "它想用以下参数运行 {{tool}}："],
  agree: ["Run", "运行"],
  refuse: ["Do not run", "不运行"],
  done: ["Done.", "已完成。"],
  noModel: ["It needs a model before it can talk. Add one under Models.", "需要先添加模型，它才能说话。"],
});
