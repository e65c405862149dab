import { type JsonServer, startJsonServer } from "./json-server.ts";

/** An embedding provider with the common protocol, over real HTTP. */
export interface EmbeddingServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Every requested text, in order. */
  readonly asked: readonly string[];
  /** Sets the response; undefined for one vector per text. `hang` never responds. */
  answers(make: MakeAnswer | undefined): void;
}
type MakeAnswer = (texts: readonly string[]) => EmbeddingAnswer | Promise<EmbeddingAnswer>;
export type EmbeddingAnswer = { readonly status?: number; readonly body: unknown } | "hang";

/** Starts the server; `toVector` places each text, and texts with similar vectors find each other. */
export async function startEmbeddingServer(toVector: (text: string) => readonly number[]): Promise<EmbeddingServer> {
  const asked: string[] = [];
  const createDefaultAnswer: MakeAnswer = (texts) => ({ body: toEmbeddingResponse(texts.map(toVector)) });
  let make = createDefaultAnswer;
  const server: JsonServer = await startJsonServer((body) => {
    const texts = [(body as { readonly input: string | readonly string[] }).input].flat();
    asked.push(...texts);
    return make(texts);
  });
  return {
    baseUrl: server.baseUrl,
    asked,
    answers(other) {
      make = other ?? createDefaultAnswer;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Creates the response body for these vectors. */
export function toEmbeddingResponse(vectors: readonly unknown[]): object {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  return { object: "list", data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}
