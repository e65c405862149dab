import { type ItemFailure, toItemFailure, toLocalized } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import type { Localized } from "../localized.ts";
import { joinLocalized } from "../text-registry.ts";
import { coreTexts } from "../texts.ts";

/** A rejected item of an import, with its position in the file. */
export interface RejectedItem {
  readonly index: number;
  readonly error: AppError;
}

/** Result of an import: the created records, and each rejected item with its reason. */
export interface ImportedItems<Item extends object, Label extends object = object> {
  readonly imported: number;
  readonly failed: number;
  readonly items: readonly ({ readonly index: number } & Item)[];
  readonly errors: readonly ({ readonly index: number } & Label & ItemFailure)[];
}

/** Options of an import of independent items. */
export interface ImportEachOptions<Given, Item extends object, Label extends object> {
  /** Imports one item completely, or throws. */
  readonly importOne: (given: Given, index: number) => Promise<Item>;
  /** Describes a rejected item besides its position, such as by its title. */
  readonly describe?: (given: Given, index: number) => Label;
  /** Count of items imported at once; default 1. */
  readonly concurrency?: number;
}

/** Imports each item by itself; throws the reasons when every one was rejected. */
export async function importEach<Given, Item extends object, Label extends object = object>(
  list: readonly Given[],
  { importOne, describe, concurrency = 1 }: ImportEachOptions<Given, Item, Label>,
): Promise<ImportedItems<Item, Label>> {
  const items: ({ readonly index: number } & Item)[] = [];
  const rejected: RejectedItem[] = [];
  const importAt = async (index: number) => {
    try {
      return { index, ...(await importOne(list[index] as Given, index)) };
    } catch (error) {
      if (!AppError.is(error)) throw error;
      rejected.push({ index, error });
      return undefined;
    }
  };
  for (let at = 0; at < list.length; at += concurrency) {
    const indexes = [...list.keys()].slice(at, at + concurrency);
    items.push(...(await Promise.all(indexes.map(importAt))).filter((item) => item !== undefined));
  }
  const inOrder = rejected.toSorted((one, other) => one.index - other.index);
  const errors = listRejected(inOrder, list.length).map((failure) => ({
    ...((describe?.(list[failure.index] as Given, failure.index) ?? {}) as Label),
    ...failure,
  }));
  return { imported: items.length, failed: errors.length, items, errors };
}

/** Returns the reasons as answers list them; throws them when all items were rejected, since an import of nothing is no success. */
export function listRejected(
  rejected: readonly RejectedItem[],
  count: number,
): readonly ({ readonly index: number } & ItemFailure)[] {
  const [first] = rejected;
  if (first && rejected.length === count) throw toJointError(first, rejected);
  return rejected.map(({ index, error }) => ({ index, ...toItemFailure(error) }));
}

function toJointError(first: RejectedItem, rejected: readonly RejectedItem[]): AppError {
  const byReason = Map.groupBy(rejected, ({ error }) => error.message);
  if (byReason.size === 1) return first.error;
  const { code } = first.error;
  const reasons = joinReasons([...byReason.values()].flatMap(([one]) => one ?? []));
  const isOneCode = rejected.every(({ error }) => error.code === code);
  return coreTexts.error(isOneCode ? code : "bad_request", "none_imported", { count: rejected.length, reasons });
}

const MAX_REASONS = 3;

function joinReasons(distinct: readonly RejectedItem[]): Localized {
  const shown = distinct
    .slice(0, MAX_REASONS)
    .map(({ index, error }) => coreTexts.localized("of_item", { index, problem: toLocalized(error) }));
  return joinLocalized([...shown, ...(distinct.length > MAX_REASONS ? ["…"] : [])], "sentences");
}
