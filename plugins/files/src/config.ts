import Joi from "@hapi/joi";

/** Settings of `[plugin.files]`. */
export interface FilesConfig {
  readonly fetch_timeout_s: number;
  readonly soffice: string;
  readonly convert_with_network: boolean;
}

export const filesConfig = Joi.object<FilesConfig, true>({
  fetch_timeout_s: Joi.number()
    .min(0.1)
    .max(300)
    .default(30)
    .description("Seconds to wait for files of a channel message. The answer waits for them"),
  soffice: Joi.string().allow("").default("").description("Path of LibreOffice, if it is not found automatically"),
  convert_with_network: Joi.boolean()
    .default(false)
    .description("Run the converter even if the system cannot cut its network access"),
});
