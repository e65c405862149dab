import { createTexts, type KeyOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = createTexts("tools", {
  hint: [
    "What the AI can do while it answers. Switch off what it should not use, and create tools that call your own services.",
    "AI 在回答时可以使用的能力。可关闭不需要的工具，也可创建调用你自己服务的工具。",
  ],
  add: ["New tool", "新建工具"],
  own: ["Your tools", "你的工具"],
  none: ["No tools of your own yet", "还没有自己的工具"],
  noneHint: [
    "A tool calls a service or returns a fixed text. The AI uses its description to decide when to use it.",
    "工具可以调用某个服务，或返回固定文本。AI 根据描述决定何时使用。",
  ],
  group_time_and_web: ["Time and web", "时间与网络"],
  group_pictures: ["Pictures", "图片"],
  group_memory: ["Memory", "记忆"],
  group_knowledge: ["Knowledge", "知识库"],
  group_conversation: ["Conversation", "会话"],
  group_files: ["Files", "文件"],
  group_skills: ["Skills", "技能"],
  group_plugins: ["From other plugins", "其他插件"],
  on: ["The AI may use it", "允许 AI 使用"],
  notSetUp: ["not set up", "未设置"],
  notSetUpHint: [
    "It is on, but what it needs is not set up. See Settings.",
    "已启用，但所需的服务尚未设置，请查看设置。",
  ],
  asks: ["asks first", "先询问"],
  nameHint: ["Letters, digits and _; not beginning with a digit.", "字母、数字和 _，不能以数字开头。"],
  description: ["What it does", "用途说明"],
  descriptionHint: ["The AI uses this to decide when to use the tool.", "AI 据此判断何时使用。"],
  kind: ["Implementation", "实现方式"],
  parameters: ["Arguments, as a JSON Schema", "参数（JSON Schema）"],
  notJson: ["This is not JSON.", "不是有效的 JSON。"],
  confirm: ["Ask before each call", "每次调用前询问"],
  attempt: ["Try it", "试用"],
  attemptHint: ["Sends the request as shown here, saved or not.", "按此处内容发送请求，无需先保存。"],
  args: ["Arguments", "参数"],
  sent: ["Sent (secrets are masked)", "已发送（密钥已遮盖）"],
  answered: ["Result", "返回内容"],
  failed: ["Failed", "失败"],
  showMore: ["Arguments", "所需参数"],
});

export type TextKey = KeyOf<typeof useTexts>;
