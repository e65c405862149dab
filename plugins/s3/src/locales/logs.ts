/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "files are stored in a bucket": "文件存放在存储桶中",
  "files can be stored and read again": "文件存储已恢复",
  "files cannot be stored or read": "文件无法保存或读取",
};
