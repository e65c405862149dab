import { APICallError } from "@ai-sdk/provider";
import type { ListedModel, ModelConnection } from "@parley/core";
import { toRequestUrl } from "./request-url.ts";

const MAX_MODELS = 2_000;
const MAX_ID_LENGTH = 200;
/** Endings of addresses that people copy from a provider's documentation. */
const CALL_PATHS = /\/(chat\/completions|responses|messages|embeddings)\/?$/;

export interface ListRequest {
  /** Version such as `/v1`, inserted after the host. */
  readonly version: string;
  /** Path, with a query if one page does not list all models. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the models in a response; undefined when the response is not a list of models. */
  read(answer: Readonly<Record<string, unknown>>): readonly ListedModel[] | undefined;
}

/** Fetches the models of a server. Throws the same errors as a model call. */
export async function fetchServerModels(
  connection: ModelConnection,
  { version, path, headers: protocolHeaders, read }: ListRequest,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const { baseUrl, headers, apiKey } = connection;
  const url = toRequestUrl({ baseUrl: baseUrl.replace(CALL_PATHS, ""), appendPath: true, version, path });
  const response = await connection.fetch(url, { headers: { ...(apiKey ? protocolHeaders : {}), ...headers }, signal });
  const text = await response.text();
  const answer = parseJson(text);
  const found = response.ok && answer ? read(answer) : undefined;
  if (found) return normalizeModelList(found);
  throw new APICallError({
    message: readErrorMessage(answer) ?? `the server answered ${response.status}`,
    url: "",
    requestBodyValues: {},
    statusCode: response.status,
    responseBody: text,
  });
}

/** Parses lists of the form `{data: [{id, display_name?}]}`. */
export function parseModelList(answer: Readonly<Record<string, unknown>>): readonly ListedModel[] | undefined {
  const { data } = answer;
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((one: unknown) => {
    const { id, display_name } = (one ?? {}) as { readonly id?: unknown; readonly display_name?: unknown };
    return typeof id === "string" ? [{ id, name: typeof display_name === "string" ? display_name : id }] : [];
  });
}

/** Parses lists in Gemini's format. */
export function parseGeminiModelList(answer: Readonly<Record<string, unknown>>): readonly ListedModel[] | undefined {
  const { models } = answer;
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((one: unknown) => {
    const { name, displayName } = (one ?? {}) as { readonly name?: unknown; readonly displayName?: unknown };
    if (typeof name !== "string") return [];
    const id = name.replace(/^models\//, "");
    return [{ id, name: typeof displayName === "string" ? displayName : id }];
  });
}

/** Returns each model once, sorted by id, without ids that a record could not have. */
function normalizeModelList(found: readonly ListedModel[]): readonly ListedModel[] {
  const valid = found.filter(({ id }) => id !== "" && id.length <= MAX_ID_LENGTH);
  const byId = new Map(valid.map(({ id, name }) => [id, { id, name: name.slice(0, MAX_ID_LENGTH).toWellFormed() }]));
  return [...byId.values()].sort((a, b) => a.id.localeCompare(b.id, "en")).slice(0, MAX_MODELS);
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function readErrorMessage(answer: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const { error } = (answer ?? {}) as { readonly error?: { readonly message?: unknown } | string };
  const message = typeof error === "string" ? error : error?.message;
  return typeof message === "string" ? message : undefined;
}
