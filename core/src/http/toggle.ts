import Joi from "@hapi/joi";

/** Request body that switches a record on or off; without `enabled` the record's state is inverted. */
export const toggleBody = Joi.object<{ readonly enabled?: boolean }>({ enabled: Joi.boolean() });
