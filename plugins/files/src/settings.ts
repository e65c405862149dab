import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const MAX_UPLOAD_MB = setting({
  key: "files.max_upload_mb",
  schema: Joi.number().integer().min(1).max(1024).strict().default(50),
  group: "answering",
  title: { en: "Largest file (MB)", zh: "最大文件（MB）" },
  help: { en: "Of an upload, and of what comes in over a channel.", zh: "适用于上传和渠道收到的文件。" },
});
