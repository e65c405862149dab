import { textsOf } from "../i18n/i18n.ts";

/** [English, 中文] */
export const useTexts = textsOf("request", {
  kind_http: ["A request", "请求"],
  kind_static: ["A fixed text", "固定文本"],
  method: ["Method", "方法"],
  url: ["Address", "地址"],
  urlHint: ["Arguments stand in it as {{name}}.", "参数写作 {{name}}。"],
  headers: ["Headers", "请求头"],
  headersHint: ["One per line, as Header: value.", "每行一个，格式为 请求头: 值。"],
  headersEnv: ["Headers with secrets", "含密钥的请求头"],
  headersEnvHint: [
    "One per line, as Header: VARIABLE. The value is read from that environment variable.",
    "每行一个，格式为 请求头: 变量名。值取自该环境变量。",
  ],
  body: ["Request body", "请求内容"],
  bodyHint: [
    'JSON is sent as JSON; arguments stand in quotes, as "{{name}}".',
    'JSON 会按 JSON 发送；参数写在引号内，如 "{{name}}"。',
  ],
  responsePath: ["Response path", "响应路径"],
  responsePathHint: ["Such as items[0].price; empty: all of it.", "例如 items[0].price；留空则取全部。"],
  more: ["More", "更多"],
  timeout: ["Time limit (seconds)", "时限（秒）"],
  length: ["Maximum characters given to the AI", "最多提供给 AI 的字符数"],
  errorMessage: ["What the AI is told when it fails", "失败时告诉 AI 的内容"],
  text: ["Text", "文本"],
  badLine: ["This line has the wrong format:", "此行格式不正确："],
  query: ["Query parameters", "查询参数"],
  queryHint: [
    "One per line, as name: value. Arguments stand in it as {{name}}.",
    "每行一个，格式为 名称: 值。参数写作 {{name}}。",
  ],
  pickTool: ["Name of a tool", "工具名称"],
  unknownTool: ["There is no tool with this name.", "目前没有这个名称的工具。"],
  toolOff: ["switched off", "已关闭"],
});
