import {
  type FieldProblem,
  findNearestWord,
  type Localized,
  type SettingDefinition,
  toFieldProblems,
  toFileProblem,
  toValidationError,
} from "@parley/core";
import { isObject } from "@parley/core/json";
import { operationsTexts } from "../texts.ts";
import { HOST_KEY } from "./sealed-settings.ts";
import { type Document, findUnknownLeaves, getValue } from "./settings-document.ts";

const MAX_BYTES = 256 * 1024;
/** Maximum count of reported unknown settings per request, because each is compared with every setting. */
const MAX_PROBLEMS = 20;
const SECRET_KEY = /(token|secret|password|authorization|cookie|api_key|access_key|private_key|signature)$/i;

export function findInvalidValue(content: Document, definitions: readonly SettingDefinition[]): Localized | undefined {
  try {
    checkAll(content, definitions);
    return undefined;
  } catch (error) {
    return toFileProblem(error);
  }
}

/** Rejects unknown keys, with a suggestion. */
export function rejectUnknownKeys(patch: Document, keys: readonly string[]): void {
  const unknown = findUnknownLeaves(patch, keys).slice(0, MAX_PROBLEMS);
  const problems = unknown.map(({ path }): FieldProblem => {
    const field = path.join(".");
    const near = keys.includes(field) ? field : findNearestWord(field, keys);
    const { message, detail } =
      near === undefined
        ? operationsTexts.error("bad_request", "no_setting")
        : operationsTexts.error("bad_request", field === near ? "setting_nested" : "setting_near", { near });
    return { ...detail, field, error: message } as FieldProblem;
  });
  if (problems.length > 0) throw toValidationError(problems, "settings");
}

/** Finds values in the place of a group, which would remove all settings of the group. */
function findFlattenedGroups(content: Document, definitions: readonly SettingDefinition[]): readonly FieldProblem[] {
  const groups = definitions.flatMap(({ key }) => {
    const parts = key.split(".");
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("."));
  });
  return [...new Set(groups)]
    .filter((group) => getValue(content, group) !== undefined && !isObject(getValue(content, group)))
    .map((field) => ({ field, error: "must be of type object", key: "object.base", params: { type: "object" } }));
}

function checkNames(value: unknown, path: string): void {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (SECRET_KEY.test(key)) {
      throw operationsTexts.error("bad_request", "secret_here", { name: `${key}_env` }, { field: `${path}${key}` });
    }
    checkNames(inner, `${path}${key}.`);
  }
}

export function checkAll(content: Document, definitions: readonly SettingDefinition[]): void {
  if (JSON.stringify(content).length > MAX_BYTES)
    throw operationsTexts.error("bad_request", "settings_large", {}, { field: "settings" });
  const problems = definitions.flatMap(({ key, schema }) => {
    const value = getValue(content, key);
    const error = value === undefined ? undefined : schema.validate(value, { errors: { label: false } }).error;
    return error
      ? toFieldProblems(error, key)
          .slice(0, 1)
          .map((problem) => ({ ...problem, field: key }))
      : [];
  });
  const all = [...findFlattenedGroups(content, definitions), ...problems];
  if (all.length > 0) throw toValidationError(all, "settings");
  const { [HOST_KEY]: _host, ...own } = content;
  checkNames(own, "");
}
