import type { ObjectSchema } from "@hapi/joi";
import { isWithoutModel } from "../../errors.ts";
import type { TurnContext } from "../../points/turn/turn-stage.ts";
import type { ModelCalls } from "./model-calls.ts";

const MAX_WAIT_MS = 5_000;

/** A short question about a turn. */
export interface GateQuestion<Answer> {
  readonly sessionId: string;
  /** Instructions, which say what to decide. */
  readonly rules: string;
  /** The material and the question. */
  readonly question: string;
  readonly schema: ObjectSchema<Answer>;
}

/** Asks the model of purpose `gate`, for at most five seconds; undefined without such a model, or without an answer of the schema. */
export async function askGate<Answer>(
  models: Pick<ModelCalls, "ask"> | undefined,
  { sessionId, rules, question, schema }: GateQuestion<Answer>,
  context: TurnContext,
): Promise<Answer | undefined> {
  if (!models) return undefined;
  try {
    const { value } = await models.ask({
      purpose: "gate",
      messages: [
        { role: "system", content: rules },
        { role: "user", content: [{ type: "text", text: question }] },
      ],
      schema,
      isOnce: true,
      session: sessionId,
      turn: context,
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(MAX_WAIT_MS)]),
    }).answer;
    return value;
  } catch (error) {
    if (!isWithoutModel(error)) throw error;
    return undefined;
  }
}
