import Joi, {
  type ArraySchema,
  type CustomHelpers,
  type ObjectSchema,
  type Schema,
  type StringSchema,
} from "@hapi/joi";
import type { Localized } from "../localized.ts";
import { coreTexts } from "../texts.ts";
import { reportProblem } from "../validation/validation-error.ts";

/** Form widget of a value; absent: chosen by its type. */
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
  /** Address of a picture, or of any file: uploaded now, or chosen from earlier uploads. Files that a stored record names are not cleaned up. */
  | "picture"
  | "file";

/** Part of a form: when the bot answers, how it answers, what it may cost. */
export type FieldSection = "when" | "how" | "cost";

/** Label of a field in a form. */
export interface FieldLabel {
  readonly title: Localized;
  readonly help?: Localized;
  readonly widget?: FieldWidget;
  /** Marks a field as the id of a chat model or of a character; the form offers the existing ones. */
  readonly record?: "model" | "character";
  /** Labels of a choice, by value. */
  readonly options?: Readonly<Record<string, Localized>>;
  /** Part of the form in which the field is shown; absent: after all parts. */
  readonly section?: FieldSection;
  /** Transports of a channel that use the setting; absent: all. For others the form hides it, and no secret is asked for. */
  readonly transports?: readonly string[];
}

/** Kinds of record whose ids a field may hold: those of `FieldLabel`, which is published, and later ones. */
export type FieldRecord = NonNullable<FieldLabel["record"]> | "persona";

/** Label of a field as it is declared. */
export interface DeclaredLabel extends Omit<FieldLabel, "record"> {
  readonly record?: FieldRecord;
}

const LABEL = "parley-label";

/** Attaches a label for people to a schema; its help is the description too. */
export function withLabel<Field extends Schema>(schema: Field, label: DeclaredLabel): Field {
  const { help } = label;
  return (help ? schema.description(help.en) : schema).meta({ [LABEL]: label }) as Field;
}

/** Returns the label that `withLabel` attached to a field. */
export function labelOf(schema: Schema): FieldLabel | undefined {
  const metas = (schema.$_terms.metas ?? []) as readonly Readonly<Record<string, unknown>>[];
  return metas.findLast((meta) => LABEL in meta)?.[LABEL] as FieldLabel | undefined;
}

/** Control characters except tabs and line ends, and unpaired surrogates. */
const UNREADABLE = /[\p{Cs}]|(?![\t\n\r])\p{Cc}/u;

/** Schema of a text of at most `most` code points; white space is preserved. */
export function textOf(most: number): StringSchema {
  return Joi.string()
    .allow("")
    .custom((text: string, { error }: CustomHelpers) => {
      if (UNREADABLE.test(text)) return error("string.unreadable");
      return text.length > most && [...text].length > most ? error("string.max", { limit: most }) : text;
    })
    .messages({ "string.unreadable": "must have no control characters" });
}

/** Maximum length of a message in code points. */
export const MESSAGE_CHARACTERS = 32_000;

/** Returns true when a text is within the maximum message length. */
export function fitsMessage(text: string): boolean {
  return text.length <= MESSAGE_CHARACTERS || [...text].length <= MESSAGE_CHARACTERS;
}

/** Schema of the text of one message; the text is not changed. */
export function messageText(): StringSchema {
  return Joi.string()
    .allow("")
    .custom((text: string, { error }: CustomHelpers) =>
      fitsMessage(text) ? text : error("string.max", { limit: MESSAGE_CHARACTERS }),
    )
    .description("At most 32,000 characters");
}

/** Schema of at most `most` distinct tags of up to 50 characters. */
export function tagsOf(most = 20): ArraySchema {
  return Joi.array().items(textOf(50).trim().min(1).disallow("")).max(most).unique();
}

/** Schema of an arbitrary object of at most 16 KiB of JSON. */
export function metadata(): ObjectSchema {
  return Joi.object()
    .unknown()
    .custom((value: object, helpers: CustomHelpers) =>
      Buffer.byteLength(JSON.stringify(value)) > 16_384
        ? reportProblem(coreTexts.error("bad_request", "metadata_large"), helpers)
        : value,
    );
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Schema of a time: accepts any ISO 8601 form, returns UTC; without a zone it is read as UTC. */
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
