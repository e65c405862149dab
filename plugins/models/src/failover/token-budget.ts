import { type Clock, type Database, periodAt } from "@parley/core";

const REFRESH_INTERVAL_MS = 10_000;

export interface TokensUsed {
  readonly daily: number;
  readonly weekly: number;
}

/** Counts the tokens of each model today and this week (from Monday), in the time zone of the service. */
export interface TokenBudget {
  add(modelId: string, tokens: number): void;
  getUsed(modelId: string): Promise<TokensUsed>;
  /** Returns the ends of the current day and week, in Unix milliseconds. */
  getPeriodEnds(): { readonly day: number; readonly week: number };
}

export interface TokenBudgetDeps {
  readonly database: Database;
  /** Returns true when other processes may use the same models. */
  readonly isShared?: () => boolean;
  readonly clock: Clock;
  readonly timeZone: () => string;
}

interface Periods {
  readonly timeZone: string;
  readonly day: number;
  readonly dayEnd: number;
  readonly week: number;
  readonly weekEnd: number;
}

/**
 * Creates the budget. Usage before the start is queried once per model and day, and this process adds its own. With several
 * processes the stored sums are also read every ten seconds: a limit is exceeded at most by what the others use in
 * that time.
 */
export function createTokenBudget({ database, isShared = () => false, clock, timeZone }: TokenBudgetDeps): TokenBudget {
  let startedAt = clock.now();
  const localUsage = new Map<string, { day: number; week: number; daily: number; weekly: number }>();
  const sumsBeforeStart = new Map<string, { readonly periods: Periods; readonly sums: Promise<TokensUsed> }>();
  const clusterSums = new Map<
    string,
    { readonly periods: Periods; readonly readMs: number; readonly sums: Promise<TokensUsed> }
  >();
  let current: Periods | undefined;

  const getPeriods = (): Periods => {
    const [now, zone] = [clock.now(), timeZone()];
    if (current && current.timeZone !== zone) {
      // Days begin at another time in another time zone, so the sums are read again from the database.
      startedAt = now;
      localUsage.clear();
      current = undefined;
    }
    if (!current || now < current.day || now >= current.dayEnd) current = getPeriodsAt(now, zone);
    return current;
  };
  const sumSince = async (modelId: string, since: number, until: number): Promise<number> => {
    if (since >= until) return 0;
    const row = await database
      .tables<{ token_usage: { time: string; model_id: string; total_tokens: number } }>()
      .selectFrom("token_usage")
      .where("time", ">=", new Date(since).toISOString())
      .where("time", "<", new Date(until).toISOString())
      .where("model_id", "=", modelId)
      .select(({ fn }) => fn.sum<number>("total_tokens").as("tokens"))
      .executeTakeFirst();
    return Number(row?.tokens ?? 0);
  };
  const loadSums = async (modelId: string, { day, week }: Periods, until: number): Promise<TokensUsed> => {
    const [daily, weekly] = await Promise.all([sumSince(modelId, day, until), sumSince(modelId, week, until)]);
    return { daily, weekly };
  };
  /** Returns the stored sums of all processes, at most ten seconds old. */
  const getClusterSums = (modelId: string, at: Periods): Promise<TokensUsed> => {
    const known = clusterSums.get(modelId);
    if (known?.periods === at && clock.monotonic() - known.readMs < REFRESH_INTERVAL_MS) return known.sums;
    const sums = loadSums(modelId, at, clock.now());
    clusterSums.set(modelId, { periods: at, readMs: clock.monotonic(), sums });
    sums.catch(() => clusterSums.delete(modelId));
    return sums;
  };
  const getSumsBeforeStart = (modelId: string, at: Periods): Promise<TokensUsed> => {
    const known = sumsBeforeStart.get(modelId);
    if (known?.periods === at) return known.sums;
    const sums = loadSums(modelId, at, startedAt);
    sumsBeforeStart.set(modelId, { periods: at, sums });
    // After a failure the sums are queried again next time.
    sums.catch(() => sumsBeforeStart.delete(modelId));
    return sums;
  };
  const getLocalUsage = (modelId: string, at: Periods) => {
    const known = localUsage.get(modelId) ?? { day: at.day, week: at.week, daily: 0, weekly: 0 };
    if (known.day !== at.day) Object.assign(known, { day: at.day, daily: 0 });
    if (known.week !== at.week) Object.assign(known, { week: at.week, weekly: 0 });
    localUsage.set(modelId, known);
    return known;
  };

  return {
    add(modelId, tokens) {
      const known = getLocalUsage(modelId, getPeriods());
      known.daily += tokens;
      known.weekly += tokens;
    },
    async getUsed(modelId) {
      const at = getPeriods();
      const earlier = await getSumsBeforeStart(modelId, at);
      const all = isShared() ? await getClusterSums(modelId, at) : { daily: 0, weekly: 0 };
      const { daily, weekly } = getLocalUsage(modelId, at);
      // The usage of this process may not be stored yet.
      return {
        daily: Math.max(earlier.daily + daily, all.daily),
        weekly: Math.max(earlier.weekly + weekly, all.weekly),
      };
    },
    getPeriodEnds() {
      const { dayEnd, weekEnd } = getPeriods();
      return { day: dayEnd, week: weekEnd };
    },
  };
}

function getPeriodsAt(now: number, timeZone: string): Periods {
  const [day, week] = [periodAt("day", now, timeZone), periodAt("week", now, timeZone)];
  return { timeZone, day: day.startMs, dayEnd: day.endMs, week: week.startMs, weekEnd: week.endMs };
}
