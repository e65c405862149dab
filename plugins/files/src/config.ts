import Joi from "@hapi/joi";
import { withLabel } from "@parley/core";

/** Settings of the section `[plugin.files]`. */
export interface FilesConfig {
  readonly fetch_timeout_s: number;
  readonly soffice: string;
  readonly convert_with_network: boolean;
}

export const filesConfig = Joi.object<FilesConfig, true>({
  fetch_timeout_s: withLabel(Joi.number().min(0.1).max(300).default(30), {
    title: { en: "Time limit for fetching a file (seconds)", zh: "获取文件的时限（秒）" },
    help: {
      en: "Seconds to wait for files of a channel message. The answer waits for them",
      zh: "获取渠道消息中文件的最长时间（秒），期间回答会等待",
    },
  }),
  soffice: withLabel(Joi.string().allow("").default(""), {
    title: { en: "Path of LibreOffice", zh: "LibreOffice 路径" },
    help: { en: "Path of LibreOffice, if it is not found automatically", zh: "LibreOffice 的路径，未能自动找到时填写" },
  }),
  convert_with_network: withLabel(Joi.boolean().default(false), {
    title: { en: "Convert files with network access", zh: "允许联网转换文件" },
    help: {
      en: "Run the converter even if the system cannot cut its network access",
      zh: "即使系统无法为转换程序断网，也运行它",
    },
  }),
});
