import type { Clock, ModelErrorCategory, ModelFailure } from "@parley/core";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const MAX_COOLDOWN_MS = 10 * MINUTE_MS;
const BASE_COOLDOWN_MS = 30 * SECOND_MS;
/** Maximum length of the error text of an update for other processes. */
const MAX_DETAIL_CHARS = 120;

/** The health of a model since the start; it is not stored. */
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
  /** Milliseconds until the model may be tried again; 0 when it may be tried now. */
  readonly coolingMs: number;
}

/** Identifies a model for its health. With another address or key it counts as another model, without failures. */
export interface ModelIdentity {
  readonly key: string;
  /** Digest of address and key. */
  readonly connection: string;
}

/** A health update for other processes, so that none tries a model that is known to fail. */
export interface HealthUpdate extends ModelIdentity {
  /** Number of consecutive failures; 0 when the model works, or a person asked to try it again. */
  readonly failures: number;
  readonly restMs: number;
  readonly lastError: HealthFacts["lastError"];
}

/** Decides which models may be tried. A failed model cools down; then a single call tests it for all callers. */
export interface Health {
  /** Applies an update of another process. */
  receive(update: HealthUpdate): void;
  facts(model: ModelIdentity): HealthFacts;
  /** False during the cooldown, and while the test call after it is running. */
  mayTry(model: ModelIdentity): boolean;
  /** Starts a call. The returned function takes its outcome; `undefined` does not affect the health. */
  begin(model: ModelIdentity): (outcome: "ok" | ModelFailure | undefined) => void;
  /** Forgets failures and cooldown; returns true when there were any. */
  reset(key: string): boolean;
}

interface State {
  readonly connection: string;
  failures: number;
  /** End of the cooldown on the monotonic clock. */
  coolingUntilMs: number;
  lastError: HealthFacts["lastError"];
  lastSuccessAt: string | null;
  isProbing: boolean;
}

export function createHealth(clock: Clock, broadcast: (update: HealthUpdate) => void = () => {}): Health {
  const states = new Map<string, State>();
  const getState = ({ key, connection }: ModelIdentity): State => {
    const known = states.get(key);
    if (known?.connection === connection) return known;
    const fresh = {
      connection,
      failures: 0,
      coolingUntilMs: 0,
      lastError: null,
      lastSuccessAt: null,
      isProbing: false,
    };
    states.set(key, fresh);
    return fresh;
  };
  const isCoolingDown = ({ coolingUntilMs }: State) => coolingUntilMs > clock.monotonic();
  const at = () => new Date(clock.now()).toISOString();

  return {
    facts(model) {
      const { failures, lastError, lastSuccessAt, coolingUntilMs } = getState(model);
      return { failures, lastError, lastSuccessAt, coolingMs: Math.max(0, coolingUntilMs - clock.monotonic()) };
    },
    mayTry(model) {
      const state = getState(model);
      return !isCoolingDown(state) && !state.isProbing;
    },
    begin(model) {
      const state = getState(model);
      const isProbe = state.failures > 0 && !state.isProbing;
      if (isProbe) state.isProbing = true;
      return (outcome) => {
        if (isProbe) state.isProbing = false;
        if (outcome === "ok") {
          if (state.failures > 0) broadcast({ ...model, failures: 0, restMs: 0, lastError: state.lastError });
          Object.assign(state, { failures: 0, coolingUntilMs: 0, lastSuccessAt: at() });
          return;
        }
        if (!outcome) return;
        const { category, statusCode: status_code, detail, chinese, reason } = outcome;
        const more = { ...(chinese !== undefined && { chinese }), ...(reason !== undefined && { reason }) };
        state.lastError = { category, status_code, detail, ...more, at: at() };
        const rest = getCooldownMs(outcome, state.failures + 1);
        if (rest === 0) return;
        // Concurrent calls that fail together count as one failure.
        if (!isCoolingDown(state)) state.failures += 1;
        state.coolingUntilMs = Math.max(state.coolingUntilMs, clock.monotonic() + rest);
        broadcast({ ...model, failures: state.failures, restMs: rest, lastError: state.lastError });
      };
    },
    receive({ failures, restMs, lastError, ...model }) {
      const state = getState(model);
      state.lastError = lastError;
      state.failures = failures === 0 ? 0 : Math.max(state.failures, failures);
      state.coolingUntilMs = failures === 0 ? 0 : Math.max(state.coolingUntilMs, clock.monotonic() + restMs);
    },
    reset(key) {
      const state = states.get(key);
      if (!state) return false;
      states.delete(key);
      if (state.failures > 0) broadcast({ key, connection: state.connection, failures: 0, restMs: 0, lastError: null });
      return state.failures > 0;
    },
  };
}

/** Returns the cooldown in milliseconds after this number of consecutive failures. */
function getCooldownMs({ category, retryAfterMs }: ModelFailure, failures: number): number {
  switch (category) {
    case "network":
    case "timeout":
    case "server_error":
      return Math.min(BASE_COOLDOWN_MS * 2 ** (failures - 1), MAX_COOLDOWN_MS);
    case "rate_limited":
      return retryAfterMs ?? MINUTE_MS;
    case "quota":
    case "auth":
    case "no_key":
    case "model_missing":
      return MAX_COOLDOWN_MS;
    case "invalid_response":
      return BASE_COOLDOWN_MS;
    default:
      return 0;
  }
}

/** Shortens the error text of an update, which must fit into a signal. */
export function shortenUpdate({ lastError, ...update }: HealthUpdate): HealthUpdate {
  if (!lastError) return { ...update, lastError };
  const { detail, chinese, ...error } = lastError;
  const shorter = chinese === undefined ? {} : { chinese: chinese.slice(0, MAX_DETAIL_CHARS) };
  return { ...update, lastError: { ...error, detail: detail.slice(0, MAX_DETAIL_CHARS), ...shorter } };
}
