import {
  AppError,
  type BudgetDecision,
  type Budgets,
  createErrorFromText,
  dayOf,
  type Gateway,
  type Logger,
  newId,
  type Reservation,
  type SpendingRequest,
} from "@parley/core";
import { type ApplicableBudget, type ApplicableDeps, findApplicable } from "./applicable.ts";
import type { Account, Ledger } from "./ledger/ledger.ts";
import { budgetsTexts } from "./texts.ts";

const RENEW_EVERY_MS = 30_000;

export interface ReservationsDeps extends ApplicableDeps {
  readonly ledger: Ledger;
  readonly gateway: () => Pick<Gateway, "running"> | undefined;
  readonly log: Pick<Logger, "error">;
  /** Id of this process among those on the database. */
  readonly holder: string;
}

/** The budgets, with the reservations of this process. */
export interface Reservations extends Budgets, AsyncDisposable {
  /** Renews the reservations of running calls and turns, and releases those of ended turns; called regularly. */
  renew(): Promise<void>;
}

/** A reservation of this process. */
interface OpenReservation {
  readonly sessionId: string | null;
  readonly traceId: string | null;
  /** True once the end of the turn settles it. */
  isSettling: boolean;
}

interface State extends ReservationsDeps {
  readonly open: Map<string, OpenReservation>;
  readonly writing: Set<Promise<void>>;
}

/**
 * Creates the budgets. A reservation holds for 90 seconds and is renewed by the process that made it, so that one of a
 * process that is gone ends by itself, on whatever node that ran.
 */
export function createReservations(deps: ReservationsDeps): Reservations {
  const state: State = { ...deps, open: new Map(), writing: new Set() };
  const timer = setInterval(() => void renew(state), RENEW_EVERY_MS);
  timer.unref();
  return {
    reserve: (request) => reserve(state, request),
    renew: () => renew(state),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all(state.writing);
      await state.ledger.releaseAll(state.holder);
    },
  };
}

async function reserve(state: State, request: SpendingRequest): Promise<BudgetDecision> {
  const applicable = await findApplicable(state, request);
  if (applicable.length === 0) return { reservation: undefined };
  const { ledger, holder, open } = state;
  const { sessionId, traceId } = request;
  const id = newId("bre", state.now());
  const accounts = applicable.map(({ account }) => account);
  open.set(id, { sessionId, traceId, isSettling: false });
  const reserved = await ledger.reserve({ id, holder, traceId, amount: request.estimate() }, accounts);
  const exceeded = applicable.filter((_, index) => !reserved[index]);
  if (exceeded.length > 0) {
    open.delete(id);
    await ledger.release([id]);
    return toRejection(state, exceeded);
  }
  return { reservation: { settle: (...given) => settle(state, { id, accounts }, ...given) } };
}

function settle(
  state: State,
  { id, accounts }: { readonly id: string; readonly accounts: readonly Account[] },
  ...[spent, record]: Parameters<Reservation["settle"]>
): void {
  const { ledger, open } = state;
  const settlement = ledger.createSettlement(id, accounts, spent);
  if (!record) {
    open.delete(id);
    inBackground(state, ledger.settle(settlement));
    return;
  }
  for (const write of settlement) record(write);
  const known = open.get(id);
  if (known) known.isSettling = true;
  // Until the turn ends only what was spent stays reserved, so that a further step of the turn is not rejected for it.
  inBackground(state, ledger.adjust(id, spent));
}

function inBackground({ writing, log }: State, work: Promise<unknown>): void {
  const watched: Promise<void> = work
    .then(
      () => {},
      (error: unknown) => log.error("the spending of a model call could not be stored", { error }),
    )
    .finally(() => writing.delete(watched));
  writing.add(watched);
}

async function renew({ open, ledger, gateway, log }: State): Promise<void> {
  const isOver = ({ isSettling, sessionId, traceId }: OpenReservation) =>
    isSettling && (sessionId === null || gateway()?.running(sessionId)?.traceId !== traceId);
  const ended = [...open].filter(([, one]) => isOver(one)).map(([id]) => id);
  for (const id of ended) open.delete(id);
  try {
    await ledger.release(ended);
    await ledger.renew([...open.keys()]);
  } catch (error) {
    log.error("reservations of budgets could not be renewed", { error });
  }
}

/** Returns the rejection by the first budget that allows no other model, else the cheaper model. */
function toRejection(deps: ApplicableDeps, exceeded: readonly ApplicableBudget[]): BudgetDecision {
  const refusing = exceeded.find(({ budget }) => budget.action === "refuse") ?? exceeded[0];
  if (!refusing) return { reservation: undefined };
  const { action, cheaper_model_id } = refusing.budget;
  const rejection = createRejection(deps, refusing);
  return action === "cheaper" && cheaper_model_id !== null
    ? { rejection, cheaperModelId: cheaper_model_id }
    : { rejection };
}

function createRejection({ now, timeZone }: ApplicableDeps, { budget, period }: ApplicableBudget): AppError {
  const resets = dayOf(period.endMs, budget.timezone || timeZone());
  const { en, zh } = budget.message;
  const params = { reason: "budget", budget: budget.name, resets };
  const options = { isLasting: true, retryAfterS: Math.ceil((period.endMs - now()) / 1000) };
  if (en === "" && zh === "") {
    const { error, detail } = budgetsTexts.message("over", params);
    return new AppError("rate_limited", error, { ...options, ...(detail && { detail }) });
  }
  return createErrorFromText("rate_limited", "budget", { en: en || zh, zh: zh || en }, { ...options, params });
}
