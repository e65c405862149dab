import {
  isGroupSession,
  type LocalPeriod,
  type People,
  periodAt,
  type ResourceItem,
  type Sessions,
  type Spender,
  type SpendingRequest,
  userOf,
} from "@parley/core";
import type { BudgetFields } from "./budget-resource.ts";
import type { LimitedAccount } from "./ledger/ledger.ts";

export type Budget = ResourceItem<BudgetFields>;

/** A budget with the target and period that a model call counts for. */
export interface ApplicableBudget {
  readonly budget: Budget;
  readonly period: LocalPeriod;
  readonly account: LimitedAccount;
}

export interface ApplicableDeps {
  readonly budgets: () => Iterable<Budget>;
  readonly sessions: () => Pick<Sessions, "find"> | undefined;
  readonly people: () => People | undefined;
  readonly now: () => number;
  readonly timeZone: () => string;
}

/** Returns the enabled budgets that apply to a call, ordered by id, so that all calls lock their rows in the same order. */
export async function findApplicable(
  deps: ApplicableDeps,
  request: Pick<SpendingRequest, "spender" | "sessionId" | "modelId">,
): Promise<readonly ApplicableBudget[]> {
  const enabled = [...deps.budgets()].filter((budget) => budget.enabled);
  if (enabled.length === 0) return [];
  const spender = request.spender ?? (await findSessionSpender(deps, request.sessionId));
  const person = await resolvePerson(deps, spender.person);
  const targets: Readonly<Record<BudgetFields["applies_to"], string | undefined>> = {
    person,
    conversation: request.sessionId ?? undefined,
    character: spender.characterId,
    channel: spender.channelId,
    api_key: spender.apiKeyId,
    account: spender.accountId,
    all: "",
  };
  const cheaperIds = new Set(enabled.map(({ cheaper_model_id }) => cheaper_model_id));
  const found: ApplicableBudget[] = [];
  for (const budget of enabled) {
    const target = targets[budget.applies_to];
    if (target === undefined || !(await isTarget(deps, budget, target))) continue;
    // Above its limit such a budget goes on counting, for a model that it admits.
    const isUnlimited = budget.action === "cheaper" && cheaperIds.has(request.modelId);
    found.push(toApplicable(deps, budget, target, isUnlimited));
  }
  return found.toSorted((a, b) => (a.budget.id < b.budget.id ? -1 : 1));
}

/** Returns the current period of a budget. */
export function getPeriod(
  { now, timeZone }: Pick<ApplicableDeps, "now" | "timeZone">,
  { period, timezone }: Pick<Budget, "period" | "timezone">,
): LocalPeriod {
  return periodAt(period, now(), timezone || timeZone());
}

function toApplicable(deps: ApplicableDeps, budget: Budget, targetId: string, isUnlimited: boolean): ApplicableBudget {
  const period = getPeriod(deps, budget);
  const account = {
    budgetId: budget.id,
    targetId,
    periodStart: new Date(period.startMs).toISOString(),
    limitTokens: isUnlimited ? null : budget.limit_tokens,
    limitCost: isUnlimited ? null : budget.limit_cost,
  };
  return { budget, period, account };
}

async function isTarget(deps: ApplicableDeps, budget: Budget, target: string): Promise<boolean> {
  const { applies_to, target_id } = budget;
  if (target_id === "" || applies_to === "all") return true;
  const wanted = applies_to === "person" ? await resolvePerson(deps, target_id) : target_id;
  return wanted === target;
}

/** Returns the main address of a person, so that linked addresses share one budget. */
async function resolvePerson({ people }: ApplicableDeps, address: string | undefined): Promise<string | undefined> {
  return address === undefined ? undefined : ((await people()?.resolve(address)) ?? address);
}

/** Returns what a conversation says about a call outside of its turns, such as naming it or extracting memories. */
async function findSessionSpender({ sessions }: ApplicableDeps, sessionId: string | null): Promise<Spender> {
  const session = sessionId === null ? undefined : await sessions()?.find(sessionId);
  if (!session) return {};
  const { channel_id, user_id, character_id } = session;
  const isPrivate = user_id !== null && !isGroupSession(session);
  return {
    channelId: channel_id,
    ...(isPrivate && { person: userOf(channel_id, user_id) }),
    ...(character_id !== null && { characterId: character_id }),
  };
}
