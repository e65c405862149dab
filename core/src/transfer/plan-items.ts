import { isDeepStrictEqual } from "node:util";
import { itemFailure } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type { TransferContext, TransferItem } from "../points/transfer-section.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What comes in, beside what is there: one row each, by id. A text or a failure in place of an item says why it is left out. */
export function planItems<Item extends Named>(
  there: ReadonlyMap<string, Item>,
  incoming: readonly (readonly [Named, Item | LeftOut])[],
  { mode }: Pick<TransferContext, "mode">,
): readonly TransferItem[] {
  return incoming.map(([{ id, name }, item]) => {
    if (isLeftOut(item)) return { id, name, action: "skip", changed_fields: [], ...whyOf(item) };
    const old = there.get(id);
    if (!old) return { id, name, action: "create", changed_fields: [] };
    const changed = mode === "overwrite" ? differing(old, item) : [];
    return { id, name, action: changed.length > 0 ? "update" : "skip", changed_fields: changed };
  });
}

/** Why an item does not come in; a failure is known in both languages. */
export type LeftOut = string | AppError;

export function isLeftOut(item: unknown): item is LeftOut {
  return typeof item === "string" || AppError.is(item);
}

function whyOf(left: LeftOut): Pick<TransferItem, "why" | "why_detail"> {
  if (typeof left === "string") return { why: left };
  const { error, detail } = itemFailure(left);
  return { why: error, ...(detail && { why_detail: detail }) };
}

/** Fields of the second that are others in the first. */
export function differing(before: object, after: object): readonly string[] {
  const old = before as Readonly<Record<string, unknown>>;
  return Object.entries(after).flatMap(([key, value]) => (isDeepStrictEqual(old[key], value) ? [] : [key]));
}

/** Names of environment variables in the keys that name some: `…_env`, also with several, and `env_names`. */
export function variablesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "env_names" || key.endsWith("_env")) return textsIn(inner);
    return variablesIn(inner);
  });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
