import type { Answer } from "../harness/http/client.ts";

/** The codes of OpenAI's API that stand for one of the service. */
const OPENAI_CODES: Readonly<Record<string, string>> = {
  invalid_api_key: "unauthorized",
  model_not_found: "not_found",
};

/** A failure of the service. */
interface Failure {
  readonly code?: string | undefined;
  readonly error?: string | undefined;
}

/** Returns code and sentence of a failure, in the envelope or in the form of OpenAI's API. */
export function readFailure({ json }: Pick<Answer, "json">): Failure {
  const { code, error, success } = json ?? {};
  const openai: unknown = error;
  if (typeof openai !== "object" || openai === null) return success === false ? { code, error } : {};
  const { code: given, message } = openai as { readonly code: string; readonly message: string };
  return { code: OPENAI_CODES[given] ?? given, error: message };
}
