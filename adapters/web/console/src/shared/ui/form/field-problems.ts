import { ApiError } from "../../api/client.ts";
import type { SharedKey } from "../../i18n/i18n.ts";
import { formatError } from "../common.tsx";

/** The field name before an English or Chinese message, removed since the form shows the field. */
const FIELD_PREFIX = /^[\w.]+(?:: |：)/;

/** A validation problem, and the path of its field in the request: `config.webhook_url`. */
export interface Problem {
  /** Undefined if it concerns no single field. */
  readonly field?: string | undefined;
  readonly text: string;
}

/** Returns the problems that an error names, field by field, in the reader's language. */
export function toProblems(error: unknown, t: (key: SharedKey) => string): readonly Problem[] {
  if (!(error instanceof ApiError) || error.field === undefined) return [{ text: formatError(error, t) }];
  const { field, message, others } = error;
  const own = message.replace(FIELD_PREFIX, "");
  return [{ error: own, field }, ...others].map((one) => ({ field: one.field, text: one.error }));
}

/** True when a problem belongs to a form field or to a part of it. */
export function concernsField({ field }: Problem, name: string): boolean {
  return field === name || field?.startsWith(`${name}.`) === true;
}
