import { failuresOf } from "@parley/core";

/** Creates localized errors about knowledge documents. */
export const knowledgeFailure = failuresOf("knowledge", {
  encrypted: { en: "the PDF is encrypted", zh: "PDF 已加密" },
  large: { en: "at most {most} characters", zh: "最多 {most} 个字符" },
  late: { en: "it took too long to read", zh: "读取时间过长" },
  many_files: { en: "at most {most} at once", zh: "一次最多 {most} 个" },
  memory: { en: "there is not enough memory to read it", zh: "内存不足，无法读取" },
  no_file_store: { en: "no enabled plugin stores files", zh: "没有已启用的插件存储文件" },
  no_jobs: { en: "no enabled plugin runs jobs", zh: "没有已启用的插件运行作业" },
  no_text: { en: "it contains no text", zh: "其中没有文字" },
  no_text_in_archive: { en: "the archive contains nothing that can be read", zh: "压缩包中没有可读取的文件" },
  no_text_in_pdf: { en: "the PDF contains no text: its pages are images", zh: "PDF 没有文字：其页面是图片" },
  not_text: { en: "it is neither text nor a known type of file", zh: "不是文本，也不是已知的文件类型" },
  other_model: { en: "the embedding model has changed", zh: "向量模型已更换" },
  page_answered: { en: "the page answered {status}", zh: "网页返回了 {status}" },
  pdf_damaged: { en: "the PDF is damaged", zh: "PDF 已损坏" },
  rebuilding: { en: "a rebuild is running", zh: "正在重建索引" },
  required: { en: "is required", zh: "必填" },
  unknown: { en: "is not known", zh: "未知" },
  unknown_encoding: {
    en: "its text encoding cannot be recognized; save it as UTF-8 and try again",
    zh: "无法识别文本编码，请另存为 UTF-8 后重试",
  },
  unreadable: { en: "it cannot be read", zh: "无法读取" },
  unreadable_as: { en: "it cannot be read: {reason}", zh: "无法读取：{reason}" },
  word_twice: { en: "contains a word twice", zh: "有重复的词" },
});
