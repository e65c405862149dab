import type { Localized } from "@parley/core";

const KNOWN_FILES: readonly (readonly [file: RegExp, what: Localized])[] = [
  [/^(?:.*\/)?(?:card|character)\.json$/, { en: "a character card", zh: "角色卡" }],
  [/^word\/document\.xml$/, { en: "a Word document", zh: "Word 文档" }],
  [/^xl\/workbook\.xml$/, { en: "an Excel workbook", zh: "Excel 工作簿" }],
  [/^ppt\/presentation\.xml$/, { en: "a PowerPoint presentation", zh: "PowerPoint 演示文稿" }],
  [/^META-INF\/container\.xml$/, { en: "an EPUB book", zh: "EPUB 电子书" }],
  [/^META-INF\/MANIFEST\.MF$/, { en: "a Java archive", zh: "Java 归档" }],
  [/^(?:[^/]+\/)?package\.json$/, { en: "a Node.js package", zh: "Node.js 包" }],
  [/^(?:[^/]+\/)?(?:pyproject\.toml|setup\.py)$/, { en: "a Python project", zh: "Python 项目" }],
  [/^(?:[^/]+\/)?manifest\.json$/, { en: "a browser extension or a plugin", zh: "浏览器扩展或插件" }],
];
const KNOWN_EXTENSIONS: readonly (readonly [ends: RegExp, what: Localized])[] = [
  [/\.(?:png|jpe?g|gif|webp|bmp|heic)$/i, { en: "a folder of pictures", zh: "图片文件夹" }],
  [/\.(?:md|markdown|txt)$/i, { en: "a folder of texts", zh: "文本文件夹" }],
  [/\.jsonl?$/i, { en: "exported data of another program", zh: "其他程序导出的数据" }],
];
const MAX_NAMES = 3;

/** Describes what kind of files these are, for people who uploaded something other than a skill. */
export function describeFiles(names: readonly string[]): Localized {
  const form = KNOWN_FILES.find(([file]) => names.some((name) => file.test(name)));
  if (form) return form[1];
  const kind = names.length > 0 ? KNOWN_EXTENSIONS.find(([ends]) => names.every((name) => ends.test(name))) : undefined;
  if (kind) return kind[1];
  const some = names.slice(0, MAX_NAMES).join(", ");
  return some === ""
    ? { en: "an empty archive", zh: "空压缩包" }
    : { en: `a folder with ${some}`, zh: `含有 ${some} 的文件夹` };
}
