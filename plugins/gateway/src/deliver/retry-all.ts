import { AppError, type ItemFailure, type Logger, toItemFailure } from "@parley/core";
import { gatewayTexts } from "../texts.ts";
import type { DeadLetters } from "./dead-letters.ts";

/** The outcome for one dead letter of a bulk retry. */
export interface RetriedItem extends Partial<ItemFailure> {
  readonly item_id: string;
  /** `needs_confirmation` when it may have arrived, `gone` when it is no longer a dead letter. */
  readonly result: "retried" | "needs_confirmation" | "gone" | "failed";
}

export interface RetriedItems {
  readonly items: readonly RetriedItem[];
  readonly retried: number;
  readonly needs_confirmation: number;
  readonly gone: number;
  readonly failed: number;
}

export interface RetryRequest {
  readonly itemIds: readonly string[];
  readonly isConfirmed: boolean;
  readonly by: string;
}

export interface RetryAllDeps {
  readonly deadLetters: Pick<DeadLetters, "retry" | "sortOldestFirst">;
  readonly logger: Logger;
}

/** Creates a function that retries dead letters one by one, oldest first. A failure does not stop the others. */
export function createRetryAll({ deadLetters, logger }: RetryAllDeps) {
  const retryOne = async (item_id: string, { isConfirmed, by }: RetryRequest): Promise<RetriedItem> => {
    try {
      await deadLetters.retry(item_id, isConfirmed, by);
      return { item_id, result: "retried" };
    } catch (error) {
      if (!AppError.is(error)) logger.error("a dead letter could not be retried", { item: item_id, error });
      const known = AppError.is(error) ? error : gatewayTexts.error("internal", "retry_failed");
      return { item_id, result: RESULTS_BY_CODE[known.code] ?? "failed", ...toItemFailure(known) };
    }
  };
  return async (request: RetryRequest): Promise<RetriedItems> => {
    const items: RetriedItem[] = [];
    // The retries are sequential, to preserve the order within a conversation.
    for (const id of await deadLetters.sortOldestFirst(request.itemIds)) items.push(await retryOne(id, request));
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

const RESULTS_BY_CODE: Readonly<Record<string, RetriedItem["result"]>> = {
  confirmation_required: "needs_confirmation",
  not_found: "gone",
  conflict: "gone",
};
