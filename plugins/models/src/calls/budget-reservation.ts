import type { AppError, Budgets, CallOptions, Reservation, Spending, Usage } from "@parley/core";
import type { ConfiguredModel } from "../records/configured-model.ts";
import { calculateCost } from "../usage/token-usage.ts";
import type { Tokens } from "./attempt.ts";

/** Thrown by an attempt that a budget does not allow; it is no failure of the model. */
export class OverBudget extends Error {
  readonly rejection: AppError;
  readonly cheaperModelId: string | undefined;

  constructor(rejection: AppError, cheaperModelId: string | undefined) {
    super(rejection.message);
    this.rejection = rejection;
    this.cheaperModelId = cheaperModelId;
  }
}

/** The budgets' part of one attempt. */
export interface AttemptReservation {
  reserve(estimate: () => Tokens): Promise<void>;
  /** Ends the reservation; undefined for an attempt whose usage is unknown. */
  settle(usage: Usage | undefined): void;
}

/** Creates the reservation of one attempt at a model; without budgets it does nothing. */
export function createAttemptReservation(
  budgets: Pick<Budgets, "reserve"> | undefined,
  options: CallOptions,
  { modelId, fields }: ConfiguredModel,
): AttemptReservation {
  let reservation: Reservation | undefined;
  const toSpending = (tokens: Tokens): Spending => ({
    tokens: tokens.input_tokens + tokens.output_tokens,
    cost: calculateCost(tokens, fields) ?? 0,
  });
  return {
    async reserve(estimate) {
      const decision = await budgets?.reserve({
        spender: options.spender ?? options.turn?.spender,
        sessionId: options.session ?? null,
        traceId: options.traceId ?? null,
        modelId,
        estimate: () => toSpending(estimate()),
      });
      if (!decision) return;
      if ("rejection" in decision) throw new OverBudget(decision.rejection, decision.cheaperModelId);
      reservation = decision.reservation;
    },
    settle(usage) {
      const spent = { tokens: usage?.total_tokens ?? 0, cost: usage?.cost ?? 0 };
      reservation?.settle(spent, options.turn?.record);
    },
  };
}
