import { createTexts } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = createTexts("transfer", {
  title: ["Export and import", "导出与导入"],
  hint: [
    "Export your setup for another installation, or import one. Conversations, accounts, memories and documents are not included.",
    "将此处的设置迁移到另一个实例，或从另一个实例导入。不包括会话、账户、记忆和文档。",
  ],
  takeOut: ["Export a package", "导出配置包"],
  bringIn: ["Import a package", "导入配置包"],
  what: ["Contents", "包含内容"],
  wanted: ["What to import", "导入内容"],
  all: ["All", "全选"],
  none: ["None", "全不选"],
  secrets: ["Include stored API keys", "包含此处保存的 API 密钥"],
  secretsHint: [
    "Anyone with the file and its password has the keys. Without them, enter the keys again on the other installation.",
    "拥有文件和密码的人即可获得密钥。若不包含，需在另一实例中重新填写。",
  ],
  newPassword: ["Package password", "配置包密码"],
  newPasswordHint: [
    "At least 8 characters. Nobody can open the package without it, not even this service.",
    "至少 8 个字符。没有密码，任何人（包括本服务）都无法打开配置包。",
  ],
  make: ["Download package", "下载配置包"],
  made: ["Package downloaded", "配置包已生成"],
  file: ["Choose a package", "选择配置包"],
  noFile: ["No file chosen", "未选择文件"],
  itsPassword: ["Package password", "配置包密码"],
  known: ["Existing items with the same ID", "ID 相同的已有内容"],
  skip: ["keep as they are", "保持不变"],
  overwrite: ["replace", "以配置包为准"],
  look: ["Preview changes", "预览变化"],
  wouldChange: ["Changes to be made", "将要进行的更改"],
  changed: ["Changes made", "已完成的更改"],
  create: ["new", "新增"],
  update: ["replaced", "替换"],
  failed: ["rejected", "被拒绝"],
  same: ["unchanged", "不变"],
  fields: ["Changed", "变更字段"],
  nothing: ["Everything in the package is already here.", "配置包中的内容均已存在。"],
  missing: [
    "These environment variables are not set here. What relies on them does not work until they are:",
    "以下环境变量尚未设置，依赖它们的内容在设置前无法工作：",
  ],
  disabled: [
    "Tools, skills, workflows, tasks and MCP servers are imported switched off. Switch on what you trust.",
    "工具、技能、工作流、任务和 MCP 服务器导入后均为停用状态，请仅启用你信任的内容。",
  ],
  apply: ["Import", "导入"],
  confirm: ["Replace existing items?", "替换已有内容？"],
  confirmHint: [
    "Replaced items are saved as a package in data/backups, with the same password.",
    "被替换的内容会以相同密码打包保存到 data/backups。",
  ],
  again: ["Import another package", "导入其他配置包"],
});
