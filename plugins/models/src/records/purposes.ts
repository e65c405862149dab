import { MODEL_PURPOSES, type ModelPurpose } from "@parley/core";

export interface PurposeDefaults {
  readonly temperature: number;
  readonly max_tokens: number;
  readonly supports_tools: boolean;
  readonly supports_reasoning: boolean;
  readonly supports_stream: boolean;
  readonly voice: string;
  readonly audio_format: string;
  readonly language: string;
}

export interface Purpose {
  readonly id: ModelPurpose;
  readonly name: string;
  readonly icon: string;
  readonly description: string;
  /** Default values of the parameters that this purpose uses. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

const BASE_DEFAULTS: PurposeDefaults = {
  temperature: 0.7,
  max_tokens: 2000,
  supports_tools: false,
  supports_reasoning: false,
  supports_stream: false,
  voice: "",
  audio_format: "",
  language: "",
};

const OVERRIDES: Readonly<Record<ModelPurpose, Partial<PurposeDefaults>>> = {
  chat: { supports_tools: true, supports_reasoning: true, supports_stream: true },
  vision: { temperature: 0.5, max_tokens: 1000 },
  video: { temperature: 0.5, max_tokens: 1500 },
  image_generation: {},
  tts: { voice: "default", audio_format: "mp3" },
  stt: { language: "auto" },
  embedding: {},
  rerank: {},
  gate: { temperature: 0, max_tokens: 100 },
};

export function getPurposeDefaults(purpose: ModelPurpose): PurposeDefaults {
  return { ...BASE_DEFAULTS, ...OVERRIDES[purpose] };
}

const getSamplingDefaults = (purpose: ModelPurpose) => {
  const { temperature, max_tokens, supports_tools, supports_reasoning, supports_stream } = getPurposeDefaults(purpose);
  const supports = { supports_tools, supports_reasoning, supports_stream };
  return { temperature, max_tokens, top_p: 0.9, frequency_penalty: 0, presence_penalty: 0, ...supports };
};

const PURPOSE_INFO: Readonly<Record<ModelPurpose, Omit<Purpose, "id">>> = {
  chat: {
    name: "Chat",
    icon: "message",
    description: "Answers in conversations",
    defaults: getSamplingDefaults("chat"),
  },
  vision: {
    name: "Image understanding",
    icon: "eye",
    description: "Describes images",
    defaults: getSamplingDefaults("vision"),
  },
  video: {
    name: "Video understanding",
    icon: "video",
    description: "Describes videos",
    defaults: getSamplingDefaults("video"),
  },
  image_generation: {
    name: "Image generation",
    icon: "image",
    description: "Draws images from a text",
    defaults: { size: "1024x1024" },
  },
  tts: {
    name: "Speech output",
    icon: "speaker",
    description: "Reads texts aloud",
    defaults: { voice: "default", speed: 1, pitch: 1, volume: 1, audio_format: "mp3" },
  },
  stt: {
    name: "Speech recognition",
    icon: "microphone",
    description: "Transcribes speech",
    defaults: { language: "auto" },
  },
  embedding: {
    name: "Embedding",
    icon: "vector",
    description: "Turns texts into vectors for search",
    defaults: { dimensions: 1536 },
  },
  rerank: {
    name: "Reranking",
    icon: "list-numbers",
    description: "Sorts search results by relevance",
    defaults: {},
  },
  gate: {
    name: "Group judgement",
    icon: "ear",
    description: "Decides whether to answer a group message that does not mention the bot",
    defaults: getSamplingDefaults("gate"),
  },
};

export const PURPOSES: readonly Purpose[] = MODEL_PURPOSES.map((id) => ({ id, ...PURPOSE_INFO[id] }));
