import type { en } from "./en.ts";

/** Chinese texts of plugin s3. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  damaged: "存储桶中的文件已损坏：内容与存入时不符",
  other_content: "内容与所声明的不符",
  unwell: "保存文件的存储桶没有正常响应",
  finding_failing: "文件无法保存或读取：{reason}",
  finding_failing_advice: "请检查存储桶服务器、网络和密钥权限；恢复后会自动继续",
};
