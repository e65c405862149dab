import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("skills", {
  skills: ["Skills", "技能"],
  hint: [
    "Folders of instructions, files and scripts. The AI sees the name and the description, and reads the rest when it needs it.",
    "包含说明、文件和脚本的文件夹。AI 可以看到名称和描述，需要时再读取其余内容。",
  ],
  add: ["Write a skill", "新建技能"],
  uploadFolder: ["Upload a folder", "上传文件夹"],
  uploadZip: ["Upload a ZIP", "上传 ZIP"],
  none: ["No skills yet", "还没有技能"],
  noneHint: [
    "Write down how something is done here, and the AI will do it so. Skills of other agents (a folder with SKILL.md) can be uploaded.",
    "写下某件事应该怎么做，AI 就会照着做。也可以上传其他智能体的技能（含 SKILL.md 的文件夹）。",
  ],
  on: ["The AI may use it", "允许 AI 使用"],
  remove: ["Delete", "删除"],
  removeHint: ["The skill and its folder are deleted for good.", "将永久删除此技能及其文件夹。"],
  open: ["Open", "打开"],
  back: ["All skills", "全部技能"],
  name: ["Name", "名称"],
  nameHint: [
    "Letters, digits, “.”, “_” and “-”. It is also the folder's name and cannot be changed later.",
    "字母、数字、“.”、“_” 和 “-”。也是文件夹名称，之后不能修改。",
  ],
  description: ["What it is for", "用途"],
  descriptionHint: ["The AI decides by this when to use it.", "AI 据此判断何时使用。"],
  save: ["Save", "保存"],
  saved: ["Saved", "已保存"],
  files: ["Files", "文件"],
  newFile: ["New file", "新建文件"],
  newFileHint: ["Such as reference.md or scripts/run.py", "例如 reference.md 或 scripts/run.py"],
  addFile: ["Add a file", "添加文件"],
  noFolder: ["Its folder is gone. Save SKILL.md to make it again.", "文件夹已不存在。保存 SKILL.md 可重新创建。"],
  isBinary: ["This file is no text.", "此文件不是文本。"],
  download: ["Download", "下载"],
  scripts: [
    "Scripts run only when “The AI may run scripts of skills” is on in Settings, and a person agrees each time.",
    "仅当设置中开启“AI 可运行技能脚本”且每次都有人同意时，脚本才会运行。",
  ],
  create: ["Create", "创建"],
});
