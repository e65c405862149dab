/** Chinese texts of the log messages of plugin openai-api. */
export const logs = {
  "an answer of the OpenAI-compatible API broke off": "OpenAI 兼容接口的应答中断",
} as const;
