/** What the reading of a file says of it, and the same in Chinese; some are followed by a name or a number. */
export const READ_PROBLEMS: Readonly<Record<string, string>> = {
  "there is no text in it": "其中没有文字",
  "there is nothing to read in the archive": "压缩包中没有可读取的文件",
  "the PDF has no text: its pages are pictures": "PDF 没有文字：其页面是图片",
  "the PDF is encrypted": "PDF 已加密",
  "the PDF is damaged": "PDF 已损坏",
  "it is no text and of no known kind": "不是文本，也不是已知的文件类型",
  "it takes too long to read": "读取时间过长",
  "it cannot be read in the memory there is": "内存不足，无法读取",
  "it cannot be read": "无法读取",
  "nothing could be read": "没有可读取的内容",
  "the page answered": "网页返回",
};

/** A problem in the language of who reads it, as far as its sentence is known. */
export function readProblem(message: string, language: string): string {
  if (!language.startsWith("zh")) return message;
  const known = Object.entries(READ_PROBLEMS).filter(([english]) => message.includes(english));
  return known.reduce((text, [english, chinese]) => text.replace(english, chinese), message);
}
