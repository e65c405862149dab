import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const MAX_UPLOAD_MB = setting({
  key: "files.max_upload_mb",
  schema: Joi.number().integer().min(1).max(1024).strict().default(50),
  group: "answering",
  title: { en: "Largest file (MB)", zh: "最大文件（MB）" },
  help: { en: "For uploads, and for files received on channels.", zh: "适用于上传和渠道收到的文件。" },
});

export const EXEC_COMMAND = setting({
  key: "features.exec_command",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "The AI may run commands in workspaces", zh: "AI 可在工作区运行命令" },
  help: {
    en: "Each run asks for approval. Commands have no network and see only the workspace and the machine's programs. Requires bubblewrap.",
    zh: "每次运行前都会询问。命令没有网络，只能看到工作区和系统程序，需要安装 bubblewrap。",
  },
});
