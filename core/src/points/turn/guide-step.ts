import Joi, { type Schema } from "@hapi/joi";
import type { Localized } from "../../localized.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";

/** One step of the instructions for connecting a platform. */
export interface GuideStep {
  readonly text: Localized;
  /** Transports that need the step. Absent: all. */
  readonly transports?: readonly string[];
  /** https address of the platform's page on which it is done. */
  readonly link?: string;
  /** Value to copy; `{webhook_url}`, `{public_url}` and `{channel_id}` stand for those of the channel. */
  readonly copy?: string;
}

/** Schema of a channel type's instructions. */
export const guideSchema: Schema = Joi.array()
  .items(
    Joi.object({
      text: localizedSchema.required(),
      transports: Joi.array().items(Joi.string()).min(1),
      link: Joi.string().uri({ scheme: ["https"] }),
      copy: Joi.string().max(4_000),
    }),
  )
  .max(20);
