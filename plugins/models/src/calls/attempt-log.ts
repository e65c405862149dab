import { type CallOptions, type GatewayLog, type Logger, type ModelFailure, toModelReason } from "@parley/core";
import { type ConfiguredModel, toModelKey } from "../records/configured-model.ts";
import type { AttemptRequest } from "./attempt.ts";

export interface AttemptLogDeps {
  readonly gatewayLog: () => GatewayLog | undefined;
  readonly log: Pick<Logger, "warn">;
}

type AttemptContext = Pick<AttemptRequest<unknown>, "purpose" | "options">;

/** Logs the attempts of models in the trace of the message, and failures also in the service's log. */
export interface AttemptLog {
  /** Logs the model, unless it also made the previous attempt of the turn. */
  logSelected(asked: AttemptContext, model: ConfiguredModel): void;
  logRetry(asked: AttemptContext, model: ConfiguredModel, failure: ModelFailure): void;
  logFailure(asked: AttemptContext, model: ConfiguredModel, failure: ModelFailure): void;
}

export function createAttemptLog({ gatewayLog, log }: AttemptLogDeps): AttemptLog {
  const lastModelByTurn = new WeakMap<object, string>();

  const trace = (
    { turn, traceId, session }: CallOptions,
    entry: { readonly status: string; readonly message: string; readonly metadata: Readonly<Record<string, unknown>> },
  ) => {
    if (turn) turn.trace(entry);
    else if (traceId)
      gatewayLog()?.add({ traceId, source: "gateway", ...(session && { sessionId: session }), ...entry });
  };
  const traceFailure = (
    { options }: AttemptContext,
    { modelId, fields }: ConfiguredModel,
    failure: ModelFailure,
    message: string,
  ) => {
    const { category, statusCode: status_code, detail } = failure;
    const why = { en: detail, zh: toModelReason(failure).zh };
    const metadata = { model_id: modelId, model_name: fields.name, status_code, category, why };
    trace(options, { status: "model_failover", message, metadata });
  };

  return {
    logSelected({ purpose, options }, configured) {
      const { modelId, fields, source } = configured;
      const key = toModelKey(configured);
      if (options.turn && lastModelByTurn.get(options.turn) === key) return;
      if (options.turn) lastModelByTurn.set(options.turn, key);
      const { name: model_name, model, protocol } = fields;
      const metadata = { model_id: modelId, model_name, model, protocol, source, purpose };
      trace(options, { status: "model_selected", message: `${model_name} answers`, metadata });
    },
    logRetry: (asked, model, failure) =>
      traceFailure(asked, model, failure, `${model.fields.name} is asked again: ${failure.detail}`),
    logFailure(asked, model, failure) {
      const { category, statusCode, detail } = failure;
      const { traceId, session } = asked.options;
      log.warn("a model gave no answer", {
        model: model.fields.name,
        purpose: asked.purpose,
        category,
        ...(statusCode !== null && { status: statusCode }),
        detail,
        ...(traceId && { traceId }),
        ...(session && { session }),
      });
      traceFailure(asked, model, failure, `${model.fields.name} gives no answer: ${detail}`);
    },
  };
}
