import { APICallError, InvalidResponseDataError, type RerankingModelV4 } from "@ai-sdk/provider";
import Joi from "@hapi/joi";

interface RerankResponse {
  readonly results: readonly { readonly index: number; readonly relevance_score: number }[];
  readonly usage?: { readonly total_tokens?: number };
}

const responseSchema = Joi.object<RerankResponse>({
  results: Joi.array()
    .items(
      Joi.object({
        index: Joi.number().integer().min(0).required(),
        relevance_score: Joi.number().required(),
      }).unknown(),
    )
    .required(),
  usage: Joi.object({ total_tokens: Joi.number().min(0).allow(null) })
    .unknown()
    .allow(null),
}).unknown();

/** Creates a reranking model in the common format of such servers; `send` adds address and key. */
export function createRerankModel(
  model: string,
  send: (request: Pick<RequestInit, "body" | "signal">) => Promise<Response>,
): RerankingModelV4 {
  return {
    specificationVersion: "v4",
    provider: "openai_chat",
    modelId: model,
    async doRerank({ documents, query, topN, abortSignal }) {
      const asked = { model, query, documents: documents.values, top_n: topN ?? documents.values.length };
      const response = await send({ body: JSON.stringify(asked), ...(abortSignal && { signal: abortSignal }) });
      const text = await response.text();
      if (!response.ok) throw toApiCallError(response, text);
      const { results, usage } = parseResponse(text);
      const ranking = results.map(({ index, relevance_score: relevanceScore }) => ({ index, relevanceScore }));
      return { ranking, providerMetadata: { usage: { tokens: usage?.total_tokens ?? null } } };
    },
  };
}

function toApiCallError(response: Response, responseBody: string): APICallError {
  const [, message = ""] = /"(?:message|detail)"\s*:\s*"([^"]{1,500})"/.exec(responseBody) ?? [];
  return new APICallError({
    message,
    url: response.url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

function parseResponse(text: string): RerankResponse {
  const { value, error } = responseSchema.validate(parseJson(text), { convert: false });
  if (error) throw new InvalidResponseDataError({ data: null, message: error.message });
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidResponseDataError({ data: null, message: `no JSON: ${(cause as Error).message}` });
  }
}
