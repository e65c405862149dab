import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import type { TransferSection } from "@parley/core";
import { recordsSection } from "@parley/core/transfer";
import { pickCharacterFields } from "../records/character-input.ts";
import type { CurrentRecord } from "./current-personality.ts";
import { personalities, personalityBody } from "./schema.ts";

const ID = "current";

interface Item {
  readonly id: string;
  readonly name: string;
}

/** Creates the section of the current personality, without its preset, which may differ elsewhere. */
export function createPersonalitySection(current: () => CurrentRecord): TransferSection {
  return recordsSection<Item>({
    id: "personality",
    title: personalities.title.one,
    item: (personalityBody as ObjectSchema).keys({
      id: Joi.valid(ID).required(),
      preset_id: Joi.forbidden(),
    }) as unknown as Schema<Item>,
    initial: () => current().initial(),
    all: async () => [{ id: ID, ...pickCharacterFields(await current().current()) }],
    create: ({ id: _id, ...fields }) => current().change(fields),
    change: (item, changed) =>
      current().change(Object.fromEntries(Object.entries(item).filter(([name]) => changed.includes(name)))),
    // The personality always exists, so an import never creates one.
    remove: () => Promise.resolve(),
  });
}
