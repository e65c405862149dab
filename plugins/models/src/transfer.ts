import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import { recordsSection, type TransferSection } from "@parley/core";
import type { ModelRecords } from "./model-records.ts";
import { models } from "./model-resource.ts";
import type { ModelFields } from "./schema.ts";

type Item = ModelFields & { readonly id: string };

/** Models without their keys; the names of variables that hold keys go along. */
export function modelsSection(records: () => ModelRecords): TransferSection {
  return recordsSection<Item>({
    id: "ai_models",
    title: { en: "Models", zh: "模型" },
    item: (models.draft as ObjectSchema).keys({
      id: Joi.string()
        .pattern(/^[A-Za-z0-9_-]{1,64}$/)
        .required(),
      api_key: Joi.forbidden(),
    }) as unknown as Schema<Item>,
    async all() {
      return (await records().stored()).map(({ key: _key, created_at, updated_at, revision, ...fields }) => fields);
    },
    create: ({ id, ...draft }) => records().create(draft, id),
    change: ({ id, ...fields }, changed) =>
      records().update(id, Object.fromEntries(Object.entries(fields).filter(([name]) => changed.includes(name)))),
  });
}
