import { createTexts } from "../../shared/i18n/i18n.ts";

export const useTexts = createTexts("companion", {
  companion: ["Companion", "小伙伴"],
  show: ["Show the companion", "显示小伙伴"],
  hide: ["Hide", "隐藏"],
  talk: ["Talk to the companion", "和小伙伴说话"],
  send: ["Send", "发送"],
  comment: ["What do you think of this conversation?", "你怎么看这个会话？"],
  nothingToSay: ["It has nothing to say.", "它没有什么想说的。"],
  clear: ["Clear chat", "清空对话"],
  cleared: ["Cleared.", "已清空。"],
  wantsToRun: ["It wants to run {{tool}} with these arguments:", "它想用以下参数运行 {{tool}}："],
  runTool: ["Run", "运行"],
  reject: ["Don't run", "不运行"],
  done: ["Done.", "已完成。"],
  noModel: ["Add a model under Models so that the companion can talk.", "小伙伴需要模型才能说话，请先在“模型”中添加。"],
});
