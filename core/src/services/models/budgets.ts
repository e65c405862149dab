import type { AppError, LocalizedError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** The person, place and credential that model calls are made for. */
export interface Spender {
  /** Address of the person: `imA:user:42`. */
  readonly person?: string;
  readonly channelId?: string;
  readonly characterId?: string;
  readonly apiKeyId?: string;
  readonly accountId?: string;
}

/** Tokens and money; 0 for models without prices. */
export interface Spending {
  readonly tokens: number;
  readonly cost: number;
}

/** An attempt at a model, before it is made. */
export interface SpendingRequest {
  /** Absent: known from the session only. */
  readonly spender?: Spender | undefined;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly modelId: string;
  /** Returns the most that the attempt is expected to spend; called only when a budget applies. */
  estimate(): Spending;
}

/** Amounts that budgets hold for one attempt until it is settled. */
export interface Reservation {
  /** Replaces the reserved amount by what was spent: in the end of the turn by its `record`, else at once. */
  settle(spent: Spending, record?: (write: Write) => void): void;
}

/** Answer to a `SpendingRequest`; `cheaperModelId` names the model that may be asked instead. */
export type BudgetDecision =
  | { readonly reservation: Reservation | undefined }
  | { readonly rejection: AppError; readonly cheaperModelId?: string };

/** Limits of tokens and money for people, conversations and credentials. */
export interface Budgets {
  /** Reserves the estimate in every budget that applies, or in none when one of them is used up. */
  reserve(request: SpendingRequest): Promise<BudgetDecision>;
}
export const Budgets: ServiceKey<Budgets> = serviceKey("budgets");

/** Returns true for the error of a turn or call that a budget has ended; its detail carries `reason: "budget"`. */
export function isOverBudget({ detail }: { readonly detail?: LocalizedError["detail"] | undefined }): boolean {
  return detail?.params?.reason === "budget";
}
