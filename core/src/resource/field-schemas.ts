import Joi, {
  type ArraySchema,
  type CustomHelpers,
  type ObjectSchema,
  type Schema,
  type StringSchema,
} from "@hapi/joi";
import { coreFailure } from "../said-failures.ts";
import { notTaken } from "../validation/validation-error.ts";

/** What people read, in the languages of the console. */
export interface Localized {
  readonly en: string;
  readonly zh: string;
}

/** How a value is written in a form; absent: what suits its type. */
export type FieldWidget =
  | "text"
  | "textarea"
  | "markdown"
  | "code"
  | "json"
  | "tags"
  | "slider"
  | "color"
  | "secret"
  /** The address of a picture, or of any file: uploaded, or chosen from what was. What a stored record names is kept. */
  | "picture"
  | "file";

/** What stands beside a field in a form. */
export interface FieldLabel {
  readonly title: Localized;
  readonly help?: Localized;
  readonly widget?: FieldWidget;
  /** It is the id of a model for conversations, or of a character: chosen from those that there are. */
  readonly record?: "model" | "character";
  /** What the values of a choice are called, by value. */
  readonly options?: Readonly<Record<string, Localized>>;
}

const LABEL = "parley-label";

/** A schema with what people read beside its field. */
export function labelled<Field extends Schema>(schema: Field, label: FieldLabel): Field {
  return schema.meta({ [LABEL]: label }) as Field;
}

/** What `labelled` gave a field. */
export function labelOf(schema: Schema): FieldLabel | undefined {
  const metas = (schema.$_terms.metas ?? []) as readonly Readonly<Record<string, unknown>>[];
  return metas.findLast((meta) => LABEL in meta)?.[LABEL] as FieldLabel | undefined;
}

/** Texts keep tabs and line ends; anything else that steers a terminal or splits a character has no place in one. */
const UNREADABLE = /[\p{Cs}]|(?![\t\n\r])\p{Cc}/u;

/** A text of at most `most` characters (code points), its white space kept. */
export function textOf(most: number): StringSchema {
  return Joi.string()
    .allow("")
    .custom((text: string, { error }: CustomHelpers) => {
      if (UNREADABLE.test(text)) return error("string.unreadable");
      return text.length > most && [...text].length > most ? error("string.max", { limit: most }) : text;
    })
    .messages({ "string.unreadable": "must have no control characters" });
}

/** A message holds so many characters (code points): those that people count, whatever a program needs for each. */
export const MESSAGE_CHARACTERS = 32_000;

/** Whether a text is no longer than a message may be. */
export function fitsMessage(text: string): boolean {
  return text.length <= MESSAGE_CHARACTERS || [...text].length <= MESSAGE_CHARACTERS;
}

/** What is said in one message, as it is. */
export function messageText(): StringSchema {
  return Joi.string()
    .allow("")
    .custom((text: string, { error }: CustomHelpers) =>
      fitsMessage(text) ? text : error("string.max", { limit: MESSAGE_CHARACTERS }),
    )
    .description("At most 32,000 characters");
}

/** At most `most` short words, each once. */
export function tagsOf(most = 20): ArraySchema {
  return Joi.array().items(textOf(50).trim().min(1).disallow("")).max(most).unique();
}

/** An object of anybody's own, at most 16 KiB of JSON. */
export function metadata(): ObjectSchema {
  return Joi.object()
    .unknown()
    .custom((value: object, helpers: CustomHelpers) =>
      Buffer.byteLength(JSON.stringify(value)) > 16_384
        ? notTaken(coreFailure("bad_request", "metadata_large"), helpers)
        : value,
    );
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** A moment, taken in any form of ISO 8601 and given as UTC; one without a zone is UTC. */
export function timestamp(): StringSchema {
  return Joi.string()
    .custom((text: string, { error }: CustomHelpers) => {
      const time = Date.parse(withTimeZone(text));
      return Number.isNaN(time) ? error("string.timestamp") : new Date(time).toISOString();
    })
    .messages({ "string.timestamp": "must be a time like 2026-01-31T08:00:00Z" })
    .meta({ format: "date-time" });
}

function withTimeZone(text: string): string {
  if (DATE.test(text)) return text;
  const [, , , zone] = TIME.exec(text) ?? [];
  if (!TIME.test(text)) return "";
  return (zone ? text : `${text}Z`).replace(" ", "T").toUpperCase();
}
