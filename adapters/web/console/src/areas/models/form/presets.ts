import type { TextKey } from "../texts.ts";

/** A preset for a provider or a local program. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  readonly base_url: string;
  /** A model of the provider, as a first suggestion. */
  readonly model: string;
  readonly needs: TextKey;
  /** The page to get an API key or the program from. */
  readonly page: string;
}

export const PRESETS: readonly Preset[] = [
  {
    id: "openai",
    name: "OpenAI",
    protocol: "openai_responses",
    base_url: "https://api.openai.com/v1",
    model: "gpt-5-mini",
    needs: "needsKey",
    page: "https://platform.openai.com/api-keys",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    protocol: "anthropic_messages",
    base_url: "https://api.anthropic.com",
    model: "claude-sonnet-4-5",
    needs: "needsKey",
    page: "https://console.anthropic.com/settings/keys",
  },
  {
    id: "gemini",
    name: "Gemini",
    protocol: "gemini_generate",
    base_url: "https://generativelanguage.googleapis.com",
    model: "gemini-2.5-flash",
    needs: "needsKey",
    page: "https://aistudio.google.com/apikey",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    protocol: "openai_chat",
    base_url: "https://api.deepseek.com/v1",
    model: "deepseek-chat",
    needs: "needsKey",
    page: "https://platform.deepseek.com/api_keys",
  },
  {
    id: "qwen",
    name: "Qwen",
    protocol: "openai_chat",
    base_url: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    model: "qwen-plus",
    needs: "needsKey",
    page: "https://bailian.console.aliyun.com/?tab=model#/api-key",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    protocol: "openai_chat",
    base_url: "https://openrouter.ai/api/v1",
    model: "openai/gpt-5-mini",
    needs: "needsKey",
    page: "https://openrouter.ai/keys",
  },
  {
    id: "ollama",
    name: "Ollama",
    protocol: "openai_chat",
    base_url: "http://127.0.0.1:11434/v1",
    model: "llama3.2",
    needs: "needsOllama",
    page: "https://ollama.com/download",
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    protocol: "openai_chat",
    base_url: "http://127.0.0.1:1234/v1",
    model: "qwen2.5-7b-instruct",
    needs: "needsLmStudio",
    page: "https://lmstudio.ai",
  },
  {
    id: "vllm",
    name: "vLLM",
    protocol: "openai_chat",
    base_url: "http://127.0.0.1:8000/v1",
    model: "Qwen/Qwen2.5-7B-Instruct",
    needs: "needsVllm",
    page: "https://docs.vllm.ai",
  },
];
