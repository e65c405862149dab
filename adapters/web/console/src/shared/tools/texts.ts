import { createTexts } from "../i18n/i18n.ts";

export const useTexts = createTexts("request", {
  rejected: ["Left out of conversations", "未提供给对话"],
  rejectedBy: ["{{model}} rejected this tool: {{why}}", "{{model}} 拒绝此工具：{{why}}"],
  offerAgain: ["Try again", "重试"],
  kind_http: ["HTTP request", "HTTP 请求"],
  kind_static: ["Fixed text", "固定文本"],
  method: ["Method", "方法"],
  url: ["Address", "地址"],
  urlHint: ["Insert arguments as {{name}}.", "参数写作 {{name}}。"],
  headers: ["Headers", "请求头"],
  headersHint: ["One per line, as Header: value.", "每行一个，格式为 请求头: 值。"],
  headersEnv: ["Headers with secrets", "含密钥的请求头"],
  headersEnvHint: [
    "One per line, as Header: VARIABLE. The value is read from that environment variable.",
    "每行一个，格式为 请求头: 变量名。值取自该环境变量。",
  ],
  body: ["Request body", "请求内容"],
  bodyHint: [
    'JSON is sent as JSON. Put arguments in quotes, as "{{name}}".',
    'JSON 会按 JSON 发送；参数写在引号内，如 "{{name}}"。',
  ],
  responsePath: ["Response path", "响应路径"],
  responsePathHint: ["For example items[0].price. Empty: the whole response.", "例如 items[0].price；留空则取全部。"],
  timeout: ["Time limit (seconds)", "时限（秒）"],
  length: ["Maximum characters given to the AI", "最多提供给 AI 的字符数"],
  errorMessage: ["Message to the AI on failure", "失败时告诉 AI 的内容"],
  badLine: ["This line has the wrong format:", "此行格式不正确："],
  query: ["Query parameters", "查询参数"],
  queryHint: [
    "One per line, as name: value. Insert arguments as {{name}}.",
    "每行一个，格式为 名称: 值。参数写作 {{name}}。",
  ],
  pickTool: ["Tool name", "工具名称"],
  unknownTool: ["No tool has this name.", "目前没有这个名称的工具。"],
  toolOff: ["switched off", "已关闭"],
});
