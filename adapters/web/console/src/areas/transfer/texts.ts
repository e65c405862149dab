import { textsOf } from "../../shared/i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("transfer", {
  title: ["Move the configuration", "配置迁移"],
  hint: [
    "Take what you set up here to another installation, or bring it in from one. Conversations, accounts, memories and documents stay where they are.",
    "将此处的设置带到另一个实例，或从另一个实例导入。会话、账号、记忆和文档不会被带走。",
  ],
  takeOut: ["Make a package", "生成配置包"],
  bringIn: ["Bring a package in", "导入配置包"],
  what: ["What goes into it", "包含内容"],
  wanted: ["What to bring in", "导入内容"],
  all: ["All", "全选"],
  none: ["None", "全不选"],
  secrets: ["With the API keys that are stored here", "包含此处保存的 API 密钥"],
  secretsHint: [
    "Whoever has the file and the password has the keys. Without them, enter the keys again over there.",
    "拥有文件和密码的人即可获得密钥。若不包含，需在另一实例中重新填写。",
  ],
  newPassword: ["Password for the package", "配置包密码"],
  newPasswordHint: [
    "At least 8 characters. Nobody can open the package without it, not even this service.",
    "至少 8 个字符。没有密码，任何人（包括本服务）都无法打开配置包。",
  ],
  make: ["Download the package", "下载配置包"],
  made: ["The package was made", "配置包已生成"],
  file: ["Choose the package", "选择配置包"],
  noFile: ["No file chosen", "未选择文件"],
  itsPassword: ["Its password", "配置包密码"],
  known: ["What is here already under the same ID", "已存在的相同 ID 的内容"],
  skip: ["stays as it is", "保持不变"],
  overwrite: ["becomes as in the package", "以配置包为准"],
  look: ["See what would change", "查看将发生的变化"],
  wouldChange: ["What would change", "将发生的变化"],
  changed: ["What was changed", "已发生的变化"],
  create: ["new", "新增"],
  update: ["replaced", "替换"],
  failed: ["refused", "被拒绝"],
  same: ["unchanged", "不变"],
  fields: ["Changed", "变更字段"],
  nothing: ["Everything in the package is here already.", "配置包中的内容均已存在。"],
  missing: [
    "These environment variables are not set here. What relies on them will not work until they are:",
    "以下环境变量尚未设置，依赖它们的内容在设置前无法工作：",
  ],
  disabled: [
    "Tools, skills, workflows, tasks and MCP servers come in switched off: switch on what you trust.",
    "工具、技能、工作流、任务和 MCP 服务器导入后均为停用状态，请仅启用你信任的内容。",
  ],
  apply: ["Bring it in", "导入"],
  confirm: ["Replace what is here?", "替换已有内容？"],
  confirmHint: [
    "A package of what is replaced is kept in data/backups, under the same password.",
    "被替换的内容会以相同密码打包保存到 data/backups。",
  ],
  again: ["Another package", "导入其他配置包"],
});
