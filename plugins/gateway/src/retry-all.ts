import { AppError, type ItemFailure, itemFailure, type Logger } from "@parley/core";
import type { DeadLetters } from "./dead-letters.ts";
import { gatewayFailure } from "./said-failures.ts";

/** What became of one of several that were to be tried again. */
export interface RetriedItem extends Partial<ItemFailure> {
  readonly item_id: string;
  /** `needs_confirmation`: it may have arrived; `gone`: it is not on the list any more. */
  readonly result: "retried" | "needs_confirmation" | "gone" | "failed";
}

export interface RetriedItems {
  readonly items: readonly RetriedItem[];
  readonly retried: number;
  readonly needs_confirmation: number;
  readonly gone: number;
  readonly failed: number;
}

export interface RetryOrder {
  readonly itemIds: readonly string[];
  readonly isConfirmed: boolean;
  readonly by: string;
}

export interface RetryAllParts {
  readonly deadLetters: Pick<DeadLetters, "retry" | "oldestFirst">;
  readonly logger: Logger;
}

/** Tries each again, the oldest first, whatever becomes of the others. */
export function createRetryAll({ deadLetters, logger }: RetryAllParts) {
  const one = async (item_id: string, { isConfirmed, by }: RetryOrder): Promise<RetriedItem> => {
    try {
      await deadLetters.retry(item_id, isConfirmed, by);
      return { item_id, result: "retried" };
    } catch (error) {
      if (!AppError.is(error)) logger.error("a dead letter could not be tried again", { item: item_id, error });
      const known = AppError.is(error) ? error : gatewayFailure("internal", "retry_failed");
      return { item_id, result: RESULTS[known.code] ?? "failed", ...itemFailure(known) };
    }
  };
  return async (order: RetryOrder): Promise<RetriedItems> => {
    const items: RetriedItem[] = [];
    // One after another: what belongs to one conversation goes out in its order.
    for (const id of await deadLetters.oldestFirst(order.itemIds)) items.push(await one(id, order));
    const count = (result: RetriedItem["result"]) => items.filter((item) => item.result === result).length;
    return {
      items,
      retried: count("retried"),
      needs_confirmation: count("needs_confirmation"),
      gone: count("gone"),
      failed: count("failed"),
    };
  };
}

const RESULTS: Readonly<Record<string, RetriedItem["result"]>> = {
  confirmation_required: "needs_confirmation",
  not_found: "gone",
  conflict: "gone",
};
