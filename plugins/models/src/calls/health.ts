import type { Clock, ModelErrorCategory, ModelFailure } from "@parley/core";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LONGEST = 10 * MINUTE;
const DOUBLING = 30 * SECOND;

/** What is known of a model since the start; nothing of it is stored. */
export interface HealthFacts {
  readonly failures: number;
  readonly lastError: {
    readonly category: ModelErrorCategory;
    readonly status_code: number | null;
    readonly detail: string;
    readonly chinese?: string;
    readonly reason?: NonNullable<ModelFailure["reason"]>;
    readonly at: string;
  } | null;
  readonly lastSuccessAt: string | null;
  /** Milliseconds until it may be tried again; 0 when it may be now. */
  readonly coolingMs: number;
}

/** A model as its health knows it: another address or key is another model, which nothing bad is known of. */
export interface KnownModel {
  readonly key: string;
  /** A digest. */
  readonly connection: string;
}

/** What other processes of an installation are told: nobody tries what somebody knows to fail. */
export interface HealthNews extends KnownModel {
  /** In a row; 0: it works, or people want it to be tried again. */
  readonly failures: number;
  readonly restMs: number;
  readonly lastError: HealthFacts["lastError"];
}

/** Who may be tried: a model that failed rests, then one call tries it for all. */
export interface Health {
  /** What another process has seen of a model. */
  heard(news: HealthNews): void;
  facts(model: KnownModel): HealthFacts;
  /** False while it rests, and while the first call after its rest is under way. */
  mayTry(model: KnownModel): boolean;
  /** One call begins; its end says how it went. `undefined`: it says nothing of the model. */
  begin(model: KnownModel): (outcome: "ok" | ModelFailure | undefined) => void;
  /** Forgets failures and rest; true when there were any. */
  reset(key: string): boolean;
}

interface State {
  readonly connection: string;
  failures: number;
  /** Monotonic. */
  restsUntil: number;
  lastError: HealthFacts["lastError"];
  lastSuccessAt: string | null;
  isProbed: boolean;
}

export function createHealth(clock: Clock, tell: (news: HealthNews) => void = () => {}): Health {
  const states = new Map<string, State>();
  const stateOf = ({ key, connection }: KnownModel): State => {
    const known = states.get(key);
    if (known?.connection === connection) return known;
    const fresh = { connection, failures: 0, restsUntil: 0, lastError: null, lastSuccessAt: null, isProbed: false };
    states.set(key, fresh);
    return fresh;
  };
  const isResting = ({ restsUntil }: State) => restsUntil > clock.monotonic();
  const at = () => new Date(clock.now()).toISOString();

  return {
    facts(model) {
      const { failures, lastError, lastSuccessAt, restsUntil } = stateOf(model);
      return { failures, lastError, lastSuccessAt, coolingMs: Math.max(0, restsUntil - clock.monotonic()) };
    },
    mayTry(model) {
      const state = stateOf(model);
      return !isResting(state) && !state.isProbed;
    },
    begin(model) {
      const state = stateOf(model);
      const isProbe = state.failures > 0 && !state.isProbed;
      if (isProbe) state.isProbed = true;
      return (outcome) => {
        if (isProbe) state.isProbed = false;
        if (outcome === "ok") {
          if (state.failures > 0) tell({ ...model, failures: 0, restMs: 0, lastError: state.lastError });
          Object.assign(state, { failures: 0, restsUntil: 0, lastSuccessAt: at() });
          return;
        }
        if (!outcome) return;
        const { category, statusCode: status_code, detail, chinese, reason } = outcome;
        const more = { ...(chinese !== undefined && { chinese }), ...(reason !== undefined && { reason }) };
        state.lastError = { category, status_code, detail, ...more, at: at() };
        const rest = restAfter(outcome, state.failures + 1);
        if (rest === 0) return;
        // Calls that ran side by side and failed together are one failure.
        if (!isResting(state)) state.failures += 1;
        state.restsUntil = Math.max(state.restsUntil, clock.monotonic() + rest);
        tell({ ...model, failures: state.failures, restMs: rest, lastError: state.lastError });
      };
    },
    heard({ failures, restMs, lastError, ...model }) {
      const state = stateOf(model);
      state.lastError = lastError;
      state.failures = failures === 0 ? 0 : Math.max(state.failures, failures);
      state.restsUntil = failures === 0 ? 0 : Math.max(state.restsUntil, clock.monotonic() + restMs);
    },
    reset(key) {
      const state = states.get(key);
      if (!state) return false;
      states.delete(key);
      if (state.failures > 0) tell({ key, connection: state.connection, failures: 0, restMs: 0, lastError: null });
      return state.failures > 0;
    },
  };
}

/** How long a model rests after its `failures`th failure in a row. */
function restAfter({ category, retryAfterMs }: ModelFailure, failures: number): number {
  switch (category) {
    case "network":
    case "timeout":
    case "server_error":
      return Math.min(DOUBLING * 2 ** (failures - 1), LONGEST);
    case "rate_limited":
      return retryAfterMs ?? MINUTE;
    case "quota":
    case "auth":
    case "no_key":
    case "model_missing":
      return LONGEST;
    case "invalid_response":
      return DOUBLING;
    default:
      return 0;
  }
}
