import { type JsonServer, startJsonServer } from "./json-server.ts";

/** Vectors over real HTTP, as a provider of the usual protocol makes them. */
export interface EmbeddingServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Every text it was asked for, in order. */
  readonly asked: readonly string[];
  /** Sets the response; undefined for one vector per text. `hang` never responds. */
  answers(make: MakeAnswer | undefined): void;
}
type MakeAnswer = (texts: readonly string[]) => EmbeddingAnswer | Promise<EmbeddingAnswer>;
export type EmbeddingAnswer = { readonly status?: number; readonly body: unknown } | "hang";

/** `near` says where a text lies; texts that lie alike are found by one another. */
export async function startEmbeddingServer(toVector: (text: string) => readonly number[]): Promise<EmbeddingServer> {
  const asked: string[] = [];
  const defaultAnswer: MakeAnswer = (texts) => ({ body: toEmbeddingResponse(texts.map(toVector)) });
  let make = defaultAnswer;
  const server: JsonServer = await startJsonServer((body) => {
    const texts = [(body as { readonly input: string | readonly string[] }).input].flat();
    asked.push(...texts);
    return make(texts);
  });
  return {
    baseUrl: server.baseUrl,
    asked,
    answers(other) {
      make = other ?? defaultAnswer;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The body that the protocol has for these vectors. */
export function toEmbeddingResponse(vectors: readonly unknown[]): object {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  return { object: "list", data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}
