import {
  type CallOptions,
  type GatewayLog,
  type Localized,
  type Logger,
  type ModelFailure,
  type TraceEntry,
  toModelReason,
  toTraceMessage,
} from "@parley/core";
import { type ConfiguredModel, toModelKey } from "../records/configured-model.ts";
import { modelsTexts } from "../texts.ts";
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

  const trace = ({ turn, traceId, session }: CallOptions, entry: TraceEntry) => {
    if (turn) turn.trace(entry);
    else if (traceId)
      gatewayLog()?.add({ traceId, source: "gateway", ...(session && { sessionId: session }), ...entry });
  };
  const traceFailure = (
    { options }: AttemptContext,
    configured: ConfiguredModel,
    failure: ModelFailure,
    key: "trace_retry" | "trace_no_answer",
  ) => {
    const { category, statusCode: status_code, detail } = failure;
    const { modelId, fields } = configured;
    const why = { en: detail, zh: toModelReason(failure).zh };
    const message = modelsTexts.message(key, { model: toModelName(configured), why });
    const metadata = { model_id: modelId, model_name: fields.name, status_code, category };
    trace(options, { status: "model_failover", ...toTraceMessage(message), metadata });
  };

  return {
    logSelected({ purpose, options }, configured) {
      const { modelId, fields, source } = configured;
      const key = toModelKey(configured);
      if (options.turn && lastModelByTurn.get(options.turn) === key) return;
      if (options.turn) lastModelByTurn.set(options.turn, key);
      const { name: model_name, model, protocol } = fields;
      const metadata = { model_id: modelId, model_name, model, protocol, source, purpose };
      trace(options, {
        status: "model_selected",
        ...toTraceMessage(modelsTexts.message("trace_answers", { model: toModelName(configured) })),
        metadata,
      });
    },
    logRetry: (asked, model, failure) => traceFailure(asked, model, failure, "trace_retry"),
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
      traceFailure(asked, model, failure, "trace_no_answer");
    },
  };
}

const OFFLINE_NAME = modelsTexts.localized("offline_name");

function toModelName({ source, fields }: ConfiguredModel): string | Localized {
  return source === "offline" ? OFFLINE_NAME : fields.name;
}
