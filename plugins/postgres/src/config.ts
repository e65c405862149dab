import Joi from "@hapi/joi";
import { withLabel, withPattern } from "@parley/core";

export interface PostgresConfig {
  /** Name of the environment variable with the address: the password is in it. */
  readonly url_env: string;
  /** Number of reading connections; two more write, and one receives notifications. */
  readonly read_connections: number;
  /** Timeout of a statement in seconds. */
  readonly statement_timeout_s: number;
  /** True when several services share the database; all of them must set it. */
  readonly nodes: boolean;
}

export const POSTGRES_CONFIG = Joi.object<PostgresConfig, true>({
  url_env: withLabel(
    withPattern(Joi.string(), /^[A-Z_][A-Z0-9_]{0,127}$/, {
      en: "must be a variable's name",
      zh: "须为环境变量名",
    }).default("PARLEY_DATABASE_URL"),
    { title: { en: "Variable with the database address", zh: "保存数据库地址的环境变量" } },
  ),
  read_connections: withLabel(Joi.number().integer().min(1).max(100).default(8), {
    title: { en: "Read connections", zh: "读取连接数" },
  }),
  statement_timeout_s: withLabel(Joi.number().integer().min(1).max(600).default(30), {
    title: { en: "Statement time limit (seconds)", zh: "语句时限（秒）" },
  }),
  nodes: withLabel(Joi.boolean().default(false), {
    title: { en: "Several nodes share the database", zh: "多个节点共用数据库" },
  }),
});
