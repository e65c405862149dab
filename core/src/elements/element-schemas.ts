import Joi, { type Schema } from "@hapi/joi";
import { AppError } from "../errors.ts";
import { answerFields, shape } from "../http/response-schemas.ts";
import {
  type ButtonsElement,
  type CardElement,
  ELEMENT_ID,
  type ElementItem,
  ITEM_ID,
  listPressable,
  type MessageElement,
  type SelectElement,
} from "./elements.ts";

const MAX_ELEMENTS = 5;
const MAX_LABEL = 40;
const MAX_BUTTONS = 8;
const MAX_SELECT_ITEMS = 25;

const itemSchema = Joi.object({
  id: Joi.string().pattern(ITEM_ID).required(),
  label: Joi.string().trim().min(1).max(MAX_LABEL).required(),
  style: Joi.string().valid("primary", "danger"),
  url: Joi.string()
    .uri({ scheme: ["http", "https"] })
    .max(2_000),
});
const itemsSchema = (most: number) => Joi.array().items(itemSchema).min(1).max(most).unique("id").required();
const elementId = Joi.string().pattern(ELEMENT_ID).required();
const buttonsSchema = Joi.object({
  type: Joi.valid("buttons").required(),
  id: elementId,
  items: itemsSchema(MAX_BUTTONS),
});
const selectSchema = Joi.object({
  type: Joi.valid("select").required(),
  id: elementId,
  placeholder: Joi.string().trim().min(1).max(100).required(),
  items: itemsSchema(MAX_SELECT_ITEMS),
});
const cardSchema = Joi.object({
  type: Joi.valid("card").required(),
  title: Joi.string().trim().min(1).max(200).required(),
  text: Joi.string().allow("").max(4_000).required(),
  image: Joi.string()
    .uri({ scheme: ["https"] })
    .max(2_000),
  buttons: buttonsSchema,
});
const schemaByType: Readonly<Record<string, Schema>> = {
  buttons: buttonsSchema,
  select: selectSchema,
  card: cardSchema,
};
const elementSchema = Joi.object({ type: Joi.valid(...Object.keys(schemaByType)).required() }).unknown();

/** Returns the elements of a message, checked against the limits; throws `bad_request` that names the first problem. */
export function parseElements(elements: unknown): readonly MessageElement[] {
  const list: readonly { readonly type: string }[] = validate(
    Joi.array().items(elementSchema).max(MAX_ELEMENTS).required(),
    elements,
    "elements",
  );
  const parsed = list.map((element, at) =>
    validate<MessageElement>(schemaByType[element.type] ?? elementSchema, element, `elements.${at}`),
  );
  const ids = listPressable(parsed).map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new AppError("bad_request", "elements: two of them have the same id");
  return parsed;
}

function validate<T>(schema: Schema, value: unknown, field: string): T {
  const { error, value: valid } = schema.validate(value, { convert: false });
  if (error) throw new AppError("bad_request", `${field}: ${error.message.replaceAll('"', "")}`);
  return valid;
}

const { text, word, listOf } = answerFields;
const itemShape = shape<ElementItem>(
  { id: text, label: text, style: word("primary", "danger").optional(), url: text.optional() },
  "ElementItem",
);
const buttonsShape = shape<ButtonsElement>({ type: word("buttons"), id: text, items: listOf(itemShape) }, "Buttons");
const selectShape = shape<SelectElement>(
  { type: word("select"), id: text, placeholder: text, items: listOf(itemShape) },
  "Select",
);
const cardShape = shape<CardElement>(
  { type: word("card"), title: text, text, image: text.optional(), buttons: buttonsShape.optional() },
  "Card",
);
/** Schema of a message element in answers. */
export const elementShape: Schema = answerFields.either(buttonsShape, selectShape, cardShape);
