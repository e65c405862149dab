import { createTexts } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = createTexts("skills", {
  skills: ["Skills", "技能"],
  hint: [
    "Folders of instructions, files and scripts. The AI sees the name and description, and reads the rest when it needs it.",
    "包含说明、文件和脚本的文件夹。AI 可以看到名称和描述，需要时再读取其余内容。",
  ],
  add: ["New skill", "新建技能"],
  uploadFolder: ["Upload a folder", "上传文件夹"],
  uploadZip: ["Upload a ZIP", "上传 ZIP"],
  none: ["No skills yet", "还没有技能"],
  noneHint: [
    "Write down how something is done, and the AI will follow it. You can also upload skills made for other agents (a folder with SKILL.md).",
    "写下某件事应该怎么做，AI 就会照着做。也可以上传其他智能体的技能（含 SKILL.md 的文件夹）。",
  ],
  on: ["The AI may use it", "允许 AI 使用"],
  removeHint: ["The skill and its folder are deleted permanently.", "将永久删除此技能及其文件夹。"],
  open: ["Open", "打开"],
  back: ["All skills", "全部技能"],
  nameHint: [
    "Letters, digits, “.”, “_” and “-”. It is also the folder's name and cannot be changed later.",
    "字母、数字、“.”、“_” 和 “-”。也是文件夹名称，之后不能修改。",
  ],
  description: ["What it is for", "用途"],
  descriptionHint: ["The AI uses this to decide when to use the skill.", "AI 据此判断何时使用。"],
  howUsed: ["How the AI uses it", "AI 如何使用"],
  aliases: ["Other names", "别名"],
  aliasesHint: ["Other names that people and the AI can use.", "AI 和用户也可以这样称呼它。"],
  implementation: ["When it is used", "使用时"],
  kindPrompt: ["Instructions", "说明"],
  kindPromptHint: ["The AI reads SKILL.md and does what it says.", "AI 读取 SKILL.md 并照做。"],
  parameters: ["Arguments, as a JSON Schema", "参数（JSON Schema）"],
  parametersHint: ["Of type object. Empty: no arguments.", "类型为 object；留空表示没有参数。"],
  notJson: ["This is not a JSON object.", "不是有效的 JSON 对象。"],
  files: ["Files", "文件"],
  newFile: ["New file", "新建文件"],
  newFileHint: ["For example reference.md or scripts/run.py", "例如 reference.md 或 scripts/run.py"],
  addFile: ["Add file", "添加文件"],
  noFolder: [
    "Its folder no longer exists. Save SKILL.md to create it again.",
    "文件夹已不存在。保存 SKILL.md 可重新创建。",
  ],
  isBinary: ["This is not a text file.", "此文件不是文本文件。"],
  download: ["Download", "下载"],
  scripts: [
    "Scripts run only when “The AI may run scripts of skills” is on in Settings, and a person approves each run.",
    "仅当设置中开启“AI 可运行技能脚本”且每次都有人批准时，脚本才会运行。",
  ],
  create: ["Create", "创建"],
});
