import { sentencesOf } from "@parley/core";

/** Localized log messages of a backup. */
export const backupLine = sentencesOf("operations", {
  backed_up: {
    en: "{folder}: {files} files, {bytes} bytes, {shared} unchanged since the last backup",
    zh: "{folder}：{files} 个文件，{bytes} 字节，其中 {shared} 个与上次备份相同",
  },
});
