import Joi from "@hapi/joi";
import { withLabel, withPattern } from "@parley/core";

export interface S3Config {
  /** URL of the server without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Prefix of all names in the bucket, with a trailing slash. Everything below it belongs to the service, so it is never the whole bucket. */
  readonly prefix: string;
  /** Names of the environment variables with the key. */
  readonly access_key_env: string;
  readonly secret_key_env: string;
  /** True for `https://server/bucket/name`, false for `https://bucket.server/name`. */
  readonly path_style: boolean;
  /** Timeout without a response, in seconds. */
  readonly timeout_s: number;
  /** False when the bucket has versions of its own; backups then do not include its content. */
  readonly backups: boolean;
  /** True to move the content of the bucket back into the data folder. */
  readonly move_back: boolean;
}

const variable = withPattern(Joi.string(), /^[A-Z_][A-Z0-9_]{0,127}$/, {
  en: "must be a variable's name",
  zh: "须为环境变量名",
});

export const S3_CONFIG = Joi.object<S3Config, true>({
  endpoint: withLabel(
    Joi.string()
      .uri({ scheme: ["https", "http"] })
      .required(),
    { title: { en: "Endpoint", zh: "存储服务地址" } },
  ),
  bucket: withLabel(
    withPattern(Joi.string(), /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
      en: "must be a bucket's name",
      zh: "须为存储桶名称",
    }).required(),
    { title: { en: "Bucket", zh: "存储桶" } },
  ),
  region: withLabel(
    withPattern(Joi.string(), /^[a-z0-9-]{1,40}$/, { en: "must be a region", zh: "须为区域名称" }).default("us-east-1"),
    { title: { en: "Region", zh: "区域" } },
  ),
  prefix: withLabel(
    withPattern(Joi.string(), /^([A-Za-z0-9._-]{1,100}\/){1,5}$/, {
      en: "must be folders with a slash at the end",
      zh: "须为以 / 结尾的文件夹",
    }).default("parley/"),
    { title: { en: "Folder in the bucket", zh: "桶内文件夹" } },
  ),
  access_key_env: withLabel(variable.default("PARLEY_S3_ACCESS_KEY"), {
    title: { en: "Variable with the access key ID", zh: "保存访问密钥 ID 的环境变量" },
  }),
  secret_key_env: withLabel(variable.default("PARLEY_S3_SECRET_KEY"), {
    title: { en: "Variable with the secret access key", zh: "保存访问密钥的环境变量" },
  }),
  path_style: withLabel(Joi.boolean().default(true), { title: { en: "Path-style addresses", zh: "路径样式的地址" } }),
  timeout_s: withLabel(Joi.number().integer().min(1).max(600).default(30), {
    title: { en: "Timeout (seconds)", zh: "超时（秒）" },
  }),
  backups: withLabel(Joi.boolean().default(true), {
    title: { en: "Include files in backups", zh: "备份中包含文件" },
    help: {
      en: "Backups include the content of the bucket. Switch off if the bucket has versions of its own",
      zh: "备份包含存储桶中的内容；存储桶自带版本管理时可关闭",
    },
  }),
  move_back: withLabel(Joi.boolean().default(false), {
    title: { en: "Move files back", zh: "移回文件" },
    help: { en: "Moves all files back into the data folder", zh: "将所有文件移回数据文件夹" },
  }),
});
