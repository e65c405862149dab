import Joi from "@hapi/joi";
import { withPattern } from "@parley/core";

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
  /** `https://server/bucket/name`; false: `https://bucket.server/name`. */
  readonly path_style: boolean;
  /** Timeout without a response, in seconds. */
  readonly timeout_s: number;
  /** False when the bucket has its own versions; backups leave out its content then. */
  readonly backups: boolean;
  /** True to move the content of the bucket back into the data folder. */
  readonly move_back: boolean;
}

const variable = withPattern(Joi.string(), /^[A-Z_][A-Z0-9_]{0,127}$/, {
  en: "must be a variable's name",
  zh: "须为环境变量名",
});

export const S3_CONFIG = Joi.object<S3Config, true>({
  endpoint: Joi.string()
    .uri({ scheme: ["https", "http"] })
    .required(),
  bucket: withPattern(Joi.string(), /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
    en: "must be a bucket's name",
    zh: "须为存储桶名称",
  }).required(),
  region: withPattern(Joi.string(), /^[a-z0-9-]{1,40}$/, { en: "must be a region", zh: "须为区域名称" }).default(
    "us-east-1",
  ),
  prefix: withPattern(Joi.string(), /^([A-Za-z0-9._-]{1,100}\/){1,5}$/, {
    en: "must be folders with a slash at the end",
    zh: "须为以 / 结尾的文件夹",
  }).default("parley/"),
  access_key_env: variable.default("PARLEY_S3_ACCESS_KEY"),
  secret_key_env: variable.default("PARLEY_S3_SECRET_KEY"),
  path_style: Joi.boolean().default(true),
  timeout_s: Joi.number().integer().min(1).max(600).default(30),
  backups: Joi.boolean()
    .default(true)
    .description("Backups take along what is in the bucket; off where it has versions of its own"),
  move_back: Joi.boolean()
    .default(false)
    .description("Take all files back into the data folder, to keep them there again"),
});
