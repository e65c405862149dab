import { failuresOf } from "@parley/core";

/** Localized errors of files in a bucket. */
export const bucketFailure = failuresOf("s3", {
  damaged: {
    en: "a file in the bucket is damaged: its content differs from what was stored",
    zh: "存储桶中的文件已损坏：内容与存入时不符",
  },
  other_content: { en: "the content differs from what was announced", zh: "内容与所声明的不符" },
  unwell: {
    en: "the bucket that stores the files is not responding properly",
    zh: "保存文件的存储桶没有正常响应",
  },
});
