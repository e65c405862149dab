/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a file cannot be used; its last valid content still applies": "文件无法使用，沿用上次有效的内容",
  "a file cannot be used; none of it applies": "文件无法使用，其内容均未生效",
  "changes of another process could not be read": "无法读取其他进程的更改",
  "leftovers of an unfinished write could not be removed": "无法删除未完成写入的残留文件",
  "the data folder was readable for other users of this machine; their access was removed":
    "本机其他用户原可读取数据文件夹，现已禁止",
  "other users of this machine may read files of the data folder": "本机其他用户可能可以读取数据文件夹中的文件",
  "secrets that an earlier version stored could not be encrypted": "无法加密早期版本保存的密钥",
  "the caches cannot be used": "无法使用缓存",
  "the file of the caches was damaged and is created again": "缓存文件已损坏，已重新创建",
  "the last valid content of a file could not be saved": "无法保存文件的有效副本，文件损坏时将无法沿用",
};
