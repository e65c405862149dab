import { sentencesOf } from "@parley/core";

/** Creates localized warnings of searches and index jobs that succeeded otherwise. */
export const knowledgeWarning = sentencesOf("knowledge", {
  not_read: { en: "{name}: {reason}", zh: "{name}：{reason}" },
  rebuilt: { en: "{count} documents, {failed} failed", zh: "{count} 个文档，{failed} 个失败" },
  stored: { en: "{name}: {count} passages", zh: "{name}：{count} 段" },
  stored_part: { en: "{name}, part {part}: {count} passages", zh: "{name}，第 {part} 部分：{count} 段" },
  words_only: { en: "searched by keywords only: {reason}", zh: "仅按字词搜索：{reason}" },
});
