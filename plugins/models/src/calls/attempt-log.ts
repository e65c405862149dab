import { type CallOptions, type GatewayLog, type Logger, type ModelFailure, modelFailureSaid } from "@parley/core";
import type { ConfiguredModel } from "../catalog.ts";
import type { Work } from "./attempts.ts";

export interface AttemptLogParts {
  readonly gatewayLog: () => GatewayLog | undefined;
  readonly log: Pick<Logger, "warn">;
}

type Asked = Pick<Work<unknown>, "purpose" | "options">;

/** Tells operators which models were asked, in the trace of the message and, where one gave no answer, in the log. */
export interface AttemptLog {
  /** Said once a turn for each model after another. */
  selected(asked: Asked, model: ConfiguredModel): void;
  askedAgain(asked: Asked, model: ConfiguredModel, failure: ModelFailure): void;
  gaveUp(asked: Asked, model: ConfiguredModel, failure: ModelFailure): void;
}

export function createAttemptLog({ gatewayLog, log }: AttemptLogParts): AttemptLog {
  /** Which model a turn has been told of. */
  const told = new WeakMap<object, string>();

  const trace = (
    { turn, traceId, session }: CallOptions,
    entry: { readonly status: string; readonly message: string; readonly metadata: Readonly<Record<string, unknown>> },
  ) => {
    if (turn) turn.trace(entry);
    else if (traceId)
      gatewayLog()?.add({ traceId, source: "gateway", ...(session && { sessionId: session }), ...entry });
  };
  const failed = ({ options }: Asked, { modelId, fields }: ConfiguredModel, failure: ModelFailure, message: string) => {
    const { category, statusCode: status_code, detail } = failure;
    const why = { en: detail, zh: modelFailureSaid(failure).zh };
    const metadata = { model_id: modelId, model_name: fields.name, status_code, category, why };
    trace(options, { status: "model_failover", message, metadata });
  };

  return {
    selected({ purpose, options }, configured) {
      const { modelId, fields, source } = configured;
      const key = keyOf(configured);
      if (options.turn && told.get(options.turn) === key) return;
      if (options.turn) told.set(options.turn, key);
      const { name: model_name, model, protocol } = fields;
      const metadata = { model_id: modelId, model_name, model, protocol, source, purpose };
      trace(options, { status: "model_selected", message: `${model_name} answers`, metadata });
    },
    askedAgain: (asked, model, failure) =>
      failed(asked, model, failure, `${model.fields.name} is asked again: ${failure.detail}`),
    gaveUp(asked, model, failure) {
      const { category, statusCode: status, detail } = failure;
      const { traceId, session } = asked.options;
      log.warn("a model gave no answer", {
        model: model.fields.name,
        purpose: asked.purpose,
        category,
        ...(status !== null && { status }),
        detail,
        ...(traceId && { traceId }),
        ...(session && { session }),
      });
      failed(asked, model, failure, `${model.fields.name} gives no answer: ${detail}`);
    },
  };
}

/** The name of a model in memory; those without a record have none. */
export function keyOf({ modelId, source }: Pick<ConfiguredModel, "modelId" | "source">): string {
  return modelId || source;
}
