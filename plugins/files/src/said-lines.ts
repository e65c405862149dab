import { sentencesOf } from "@parley/core";

/** Creates localized log lines of file jobs. */
export const fileLine = sentencesOf("files", {
  all_back: {
    en: "all files are back: the plugin that stored them can be removed from config.ini",
    zh: "已全部移回，可从 config.ini 中移除原来存放文件的插件",
  },
  moved: { en: "{count} files moved from {from} to {to}", zh: "已将 {count} 个文件从 {from} 移到 {to}" },
  orphans: { en: "{count} workspaces of deleted conversations removed", zh: "已清理 {count} 个已删除会话的工作区" },
  pruned: { en: "{count} files removed", zh: "已清理 {count} 个文件" },
  stays: {
    en: "{name} stays in {from}: its content differs from what was stored under this name",
    zh: "{name} 留在 {from}：其内容与存入时不符",
  },
  swept: { en: "{count} files without a record removed", zh: "已清理 {count} 个没有记录的文件" },
  trash: { en: "{count} deleted files removed permanently", zh: "已彻底删除 {count} 个文件" },
});
