import { HTTP_STATUS, Joi, type RawData, type Route } from "@parley/core";

/** An answer as the service sent it. */
export interface GivenAnswer {
  readonly status: number;
  /** Content type of the answer. */
  readonly type: string;
  /** Body; undefined for a stream. */
  readonly text: string | undefined;
  /** Schema of error answers at this path, where they have another form than the envelope. */
  readonly refused?: Joi.Schema | undefined;
}

/** The declared responses of a route. */
export type Declared = Pick<Route, "method" | "path" | "reply" | "data" | "accepted" | "refused">;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:;|$)/;
/** Cached envelope schemas: building one costs more than validating a response. */
const envelopeBySchema = new WeakMap<Joi.Schema, Joi.Schema>();
const failureEnvelope = Joi.object({
  success: Joi.valid(false).required(),
  error: Joi.string().required(),
  code: Joi.valid(...Object.keys(HTTP_STATUS)).required(),
});

function success(data: Joi.Schema): Joi.Schema {
  const known = envelopeBySchema.get(data);
  if (known) return known;
  const made = Joi.object({
    success: Joi.valid(true).required(),
    data: data.required(),
    message: Joi.string().allow("").required(),
  });
  envelopeBySchema.set(data, made);
  return made;
}

/** Returns how a response deviates from its declaration (a failure from the envelope); undefined where it is valid. */
export function answerProblem(row: Declared | undefined, answer: GivenAnswer): string | undefined {
  const isFailure = answer.status >= 400 && !isHtmlAnswer(row, answer);
  const problem = isFailure
    ? findFailureProblem(answer, row?.refused ?? answer.refused)
    : row && findSuccessProblem(row, answer);
  return problem && `${row ? `${row.method} ${row.path}` : "no row"} answers ${answer.status}: ${problem}`;
}

/** True where the route serves HTML pages, and so HTML errors. */
function isHtmlAnswer(row: Declared | undefined, { type }: GivenAnswer): boolean {
  const sent = row?.reply === "raw" ? Object.keys(row.data) : [];
  return type.startsWith("text/html") && sent.includes("text/html");
}

function findFailureProblem({ status, type, text }: GivenAnswer, refused?: Joi.Schema): string | undefined {
  if (!JSON_TYPE.test(type)) return `a failure is JSON, not '${type}'`;
  if (text === undefined || (refused && findJsonProblem(refused, text) === undefined)) return undefined;
  const problem = findJsonProblem(failureEnvelope, text);
  if (problem) return problem;
  const { code } = JSON.parse(text) as { readonly code: keyof typeof HTTP_STATUS };
  const isRange = status === 416 && code === "bad_request";
  return HTTP_STATUS[code] === status || isRange ? undefined : `the code '${code}' goes with ${HTTP_STATUS[code]}`;
}

function findSuccessProblem({ reply, data, accepted }: Declared, answer: GivenAnswer): string | undefined {
  if (reply === "raw") return findRawProblem(data as RawData, answer);
  if (!JSON_TYPE.test(answer.type)) return `an envelope is JSON, not '${answer.type}'`;
  const schema = answer.status === 202 ? accepted : (data as Joi.Schema);
  if (!schema) return "it does not say that it may answer so";
  return answer.text === undefined ? undefined : findJsonProblem(success(schema), answer.text);
}

function findRawProblem(data: RawData, { status, type, text }: GivenAnswer): string | undefined {
  const [kind = ""] = type.split(";");
  const [family] = kind.split("/");
  const schema = data[kind] ?? data[`${family}/*`] ?? data["*/*"];
  if (!schema) return `it is '${kind}', and the row says ${Object.keys(data).join(" or ")}`;
  return text === undefined || status >= 300 || !JSON_TYPE.test(type) ? undefined : findJsonProblem(schema, text);
}

function findJsonProblem(schema: Joi.Schema, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `it is not JSON: ${text.slice(0, 100)}`;
  }
  // Bytes may have any content.
  if (schema.type === "binary") return undefined;
  return schema.validate(value, { convert: false }).error?.message;
}
