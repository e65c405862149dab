import Joi from "@hapi/joi";

export interface ExportQuery {
  readonly format: "json" | "markdown";
  readonly include_archive: boolean;
  readonly download: boolean;
}
export const exportQuery = Joi.object<ExportQuery>({
  format: Joi.string().valid("json", "markdown").default("json"),
  include_archive: Joi.boolean().default(true),
  download: Joi.boolean().default(false),
});
export interface ExportAllQuery extends ExportQuery {
  readonly ids?: string;
  readonly archived: "true" | "false" | "all";
}
export const exportAllQuery = Joi.object<ExportAllQuery>({
  ids: Joi.string().allow("").max(60_000),
  archived: Joi.string().valid("true", "false", "all").default("all"),
  format: Joi.string().valid("json").default("json"),
  include_archive: Joi.boolean().default(true),
  download: Joi.boolean().default(false),
});
/** A package or a single session; its content is validated for each session. */
export const importBody = Joi.object<Record<string, unknown>>().unknown();
