import { createTexts, type KeyOf, type Translate } from "../../shared/i18n/i18n.ts";
import type { Purpose } from "./api.ts";

export const useTexts = createTexts("models", {
  addModel: ["Add model", "添加模型"],
  editModel: ["Edit model", "修改模型"],
  noModels: ["Until you add a model, the offline companion answers.", "添加模型之前，由离线伙伴回答。"],
  protocol: ["Protocol", "协议"],
  baseUrl: ["Address (base URL)", "地址 (Base URL)"],
  model: ["Model name", "模型名称"],
  apiKey: ["API key", "API 密钥"],
  keyHint: [
    "Stored encrypted and never shown again. Local servers often need none.",
    "加密保存，不再显示。本地服务通常不需要密钥。",
  ],
  keyStored: ["A key is stored. Leave this empty to keep it.", "已保存密钥。留空则保留。"],
  keyOf: ["Key of {{name}} ({{mask}})", "使用“{{name}}”的密钥（{{mask}}）"],
  keyOfHint: [
    "The key is copied and sent only to the same server. Changing or deleting the other model does not change it.",
    "将复制该密钥，且只发送到同一服务器。删除该模型后仍可使用；更换密钥时两处都需更改。",
  ],
  otherKey: ["Another key, or none", "使用其他密钥，或不使用"],
  ownKey: ["Its own key", "使用自己的密钥"],
  newKey: ["New API key", "新的 API 密钥"],
  noKey: ["no key", "无密钥"],
  purpose: ["Used for", "用途"],
  answeredBy: ["Conversations are answered by", "当前回答模型"],
  offlineCompanion: ["the offline companion (no model set up)", "离线伙伴（尚未配置模型）"],
  nobody: ["no model", "没有模型"],
  allParameters: ["All parameters", "全部参数"],
  testConnection: ["Test connection", "测试连接"],
  saveAndTest: ["Save and test", "保存并测试"],
  removeModel: [
    "The model and its key are deleted permanently. Conversations that use it switch to another model.",
    "模型及其密钥将被永久删除，使用它的会话会改用其他模型。",
  ],
  listedModels: [
    { one: "The server has {{count}} model.", other: "The server has {{count}} models." },
    "服务器上有 {{count}} 个模型。",
  ],
  noModelList: ["The server does not list its models:", "服务器未提供模型列表："],
  streamed: [
    {
      one: "First words after {{time}}, in {{count}} part: not streamed",
      other: "First words after {{time}}, streamed in {{count}} parts",
    },
    "{{time}}后收到首段文字，共 {{count}} 段",
  ],
  listPrice: [
    "List price of {{date}}: {{input}} USD in, {{output}} USD out per million tokens. Check with your provider.",
    "{{date}} 的官方标价：每百万 token 输入 {{input}} 美元，输出 {{output}} 美元。请以服务商为准。",
  ],
  listPriceTaken: ["It is filled in under “All parameters”.", "已填入“全部参数”。"],
  testOk: ["The model answers", "模型正常"],
  testFailed: ["The model does not answer", "模型未应答"],
  use: ["Use", "使用"],
  useOff: ["Switch the model on first.", "请先启用。"],
  active: ["in use", "使用中"],
  clone: ["Copy", "复制"],
  healthy: ["healthy", "正常"],
  cooling: ["cooling down", "冷却中"],
  exhausted: ["limit reached", "额度已用完"],
  disabled: ["off", "已停用"],
  until: ["until {{time}}", "至 {{time}}"],
  used: [
    { one: "{{count}} token today, {{weekly}} this week", other: "{{count}} tokens today, {{weekly}} this week" },
    "今日 {{count}} token，本周 {{weekly}}",
  ],
  omitTool: [
    "The provider rejects the tool {{name}}, so it is left out: {{why}}",
    "服务商拒绝工具 {{name}}，已将其略去：{{why}}",
  ],
  omitTools: ["The provider rejects tools, so none are offered: {{why}}", "服务商不接受工具，已全部略去：{{why}}"],
  omitField: [
    "The provider rejects {{name}}, so it is not sent: {{why}}",
    "服务商拒绝参数 {{name}}，不再发送：{{why}}",
  ],
  tryNow: ["Try now", "立即重试"],
  moveModel: ["Move {{name}}", "移动 {{name}}"],
  moveHint: ["Drag, or press the arrow keys", "拖动，或按上下方向键"],
  queueHint: [
    "Tried from top to bottom: when one fails, the next one answers. Drag to change the order.",
    "自上而下依次调用：前一个失败时由下一个回答。拖动可调整顺序。",
  ],
  noneOfPurpose: ["No model for this yet", "尚未为此用途配置模型"],
  monthlyTokens: ["Tokens in 30 days", "30 天 token 用量"],
  tokensCached: ["cached input", "缓存命中的输入"],
  tokensIn: ["input", "输入"],
  tokensOut: ["output", "输出"],
  monthlyCost: ["Cost in 30 days", "30 天费用"],
  playground: ["Compare", "对比"],
  prompt: ["Prompt", "提示词"],
  firstModel: ["First model", "模型一"],
  secondModel: ["Second model", "模型二"],
  askBoth: ["Ask both", "同时提问"],
  chat: ["Conversations", "对话"],
  vision: ["Image understanding", "图像理解"],
  video: ["Video understanding", "视频理解"],
  image_generation: ["Image generation", "图像生成"],
  tts: ["Text to speech", "语音合成"],
  stt: ["Speech recognition", "语音识别"],
  embedding: ["Embeddings for search", "检索向量"],
  rerank: ["Reranking search results", "搜索结果重排"],
  gate: ["Joining in group chats", "判断群聊中是否回复"],
  preset: ["Provider", "服务商"],
  ownPreset: ["Other", "其他"],
  needsKey: ["API key required:", "需要 API 密钥："],
  needsOllama: [
    "Runs on this machine without a key: start it and load the model.",
    "本机运行，无需密钥：启动并拉取模型。",
  ],
  needsLmStudio: [
    "Runs on this machine without a key: load a model and start its server.",
    "本机运行，无需密钥：加载模型并启动其服务器。",
  ],
  needsVllm: [
    "Your own server: enter its address and the model it serves, and a key if required.",
    "自建服务：填写地址和所运行的模型；若要求密钥也一并填写。",
  ],
});

export type TextKey = KeyOf<typeof useTexts>;

/** The localized name of a purpose; the service's name for one unknown here. */
export function toPurposeName({ id, name }: Pick<Purpose, "id" | "name">, t: Translate<TextKey>): string {
  const known = PURPOSES.find((purpose) => purpose === id);
  return known ? t(known) : name;
}
const PURPOSES = ["chat", "vision", "video", "image_generation", "tts", "stt", "embedding", "rerank", "gate"] as const;
