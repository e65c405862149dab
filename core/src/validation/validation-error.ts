import type { CustomHelpers, ErrorReport, StringSchema, ValidationError, ValidationErrorItem } from "@hapi/joi";
import { type ItemFailure, toItemFailure } from "../error-texts.ts";
import { AppError, type FieldProblem } from "../errors.ts";
import { ERROR_TEXTS } from "../locales/en.ts";
import type { Localized } from "../localized.ts";

/** The problem of an update without any change. */
const NO_CHANGE: FieldProblem = { error: ERROR_TEXTS.nothing_to_update, key: "nothing_to_update" };

/** Joi's error type of a text that does not match a named pattern. */
const PATTERN_CODE = "string.pattern.name";

/** Joi's messages about patterns, for `validate`: without the value, which may be a secret. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
  [PATTERN_CODE]: "{{#label}} must be {{#name}}",
  "string.pattern.base": "{{#label}} must match {{#regex}}",
};

/** Creates the error report of a custom schema check, with a localized message. */
export function reportProblem(problem: AppError | ItemFailure, { message }: CustomHelpers): ErrorReport {
  const { error, detail } = AppError.is(problem) ? toItemFailure(problem) : problem;
  return message({ custom: "{{#label}} {{#problem}}" }, { problem: error, told: detail });
}

/**
 * Adds a pattern that forms also check, with a localized message: `withPattern(Joi.string(), /^\d+$/, { en: "must be digits", zh:
 * "须为数字" })`, or with that of an error.
 */
export function withPattern(schema: StringSchema, pattern: RegExp, message: Localized | AppError): StringSchema {
  const problem = AppError.is(message)
    ? message
    : { error: message.en, detail: { key: PATTERN_CODE, params: {}, chinese: message.zh } };
  return schema
    .custom((text: string, helpers: CustomHelpers) => (pattern.test(text) ? text : reportProblem(problem, helpers)))
    .pattern(pattern);
}

/** Schema of a text that is not blank. */
export const notBlank = (schema: StringSchema): StringSchema =>
  withPattern(schema, /\S/, { en: "must not be blank", zh: "不能为空白" }).disallow("");

/**
 * Returns the first problem of each field; all fields only after validation with `abortEarly: false`. Contains no
 * submitted values. `within` is the path of the value in the request: `config`.
 */
export function toFieldProblems({ details }: ValidationError, within = ""): readonly FieldProblem[] {
  const problems = details.map(normalizeItem).map(({ path, message, type, context = {} }): FieldProblem => {
    if (within === "" && path.length === 0 && type === "object.min" && context.limit === 1) return NO_CHANGE;
    const field = [...(within === "" ? [] : [within]), ...path].join(".");
    // An error of a custom check is the reason itself.
    const error = context.error instanceof Error ? context.error.message : message;
    const detail = context.told as ItemFailure["detail"];
    return { error, key: type, ...(field !== "" && { field }), params: toPlainParams(context), ...detail };
  });
  return problems.filter(({ field }, at) => problems.findIndex((one) => one.field === field) === at);
}

/** Reports a rejected empty text as empty, however its schema excludes it. */
function normalizeItem(item: ValidationErrorItem): ValidationErrorItem {
  if (item.type !== "any.invalid" || item.context?.value !== "") return item;
  return {
    ...item,
    type: "string.empty",
    message: item.message.replace(INVALID_VALUE_TEXT, "is not allowed to be empty"),
  };
}

const INVALID_VALUE_TEXT = "contains an invalid value";

/** Creates one `bad_request` for all problems: its message is the first one under its field name; `whole` is the name used without a field. */
export function toValidationError(problems: readonly FieldProblem[], whole: string): AppError {
  const [{ error, ...first } = { error: "is not valid", key: "any.invalid" }, ...others] = problems;
  const detail = { ...first, ...(others.length > 0 && { others }) };
  return new AppError("bad_request", first.key === NO_CHANGE.key ? error : `${first.field ?? whole}: ${error}`, {
    detail,
  });
}

/** Creates the `bad_request` for a schema's first problem, with its field; in the schema's words, or in `sentence`. `within` as for `toFieldProblems`. */
export function toSchemaError(
  error: ValidationError,
  sentence: string = error.details.map((item) => normalizeItem(item).message).join(". "),
  within = "",
): AppError {
  const [first = { error: sentence, key: "any.invalid" }] = toFieldProblems(error, within);
  const { error: _, ...detail } = first;
  return new AppError("bad_request", sentence, { detail });
}

/** Returns the parameters of a schema message without submitted values. */
function toPlainParams(context: Readonly<Record<string, unknown>>): NonNullable<FieldProblem["params"]> {
  const entries = Object.entries(context)
    .filter(([name]) => !/^label$|^key$|value$/i.test(name))
    .map(([name, given]) => [name, Array.isArray(given) ? given.join(", ") : given]);
  return Object.fromEntries(entries.filter(([, given]) => ["string", "number", "boolean"].includes(typeof given)));
}
