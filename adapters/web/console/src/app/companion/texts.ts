import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("companion", {
  companion: ["Companion", "小伙伴"],
  show: ["Show the companion", "显示小伙伴"],
  hide: ["Hide it", "隐藏"],
  talk: ["Talk to it", "和它说话"],
  send: ["Say it", "发送"],
  close: ["Close", "关闭"],
  look: ["What do you think of this conversation?", "你怎么看这个会话？"],
  nothing: ["It has nothing to say.", "它没有什么想说的。"],
  forget: ["Forget what was said", "清除对话"],
  forgotten: ["Forgotten.", "已清除。"],
  wants: ["It would like to run {{tool}} with", "它想用以下参数运行 {{tool}}："],
  agree: ["Run it", "运行"],
  refuse: ["No", "不"],
  done: ["Done.", "已完成。"],
  noModel: ["It needs a model before it can talk.", "需要先设置模型，它才能说话。"],
});
