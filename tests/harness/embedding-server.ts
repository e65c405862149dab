import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Vectors over real HTTP, as a provider of the usual protocol makes them. */
export interface EmbeddingServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Every text it was asked for, in order. */
  readonly asked: readonly string[];
  /** What is answered from now on; undefined: one vector for each text. `hang` answers nothing. */
  answers(make: ((texts: readonly string[]) => EmbeddingAnswer) | undefined): void;
}
export type EmbeddingAnswer = { readonly status?: number; readonly body: unknown } | "hang";

/** `near` says where a text lies; texts that lie alike are found by one another. */
export async function startEmbeddingServer(near: (text: string) => readonly number[]): Promise<EmbeddingServer> {
  const asked: string[] = [];
  const usual = (texts: readonly string[]): EmbeddingAnswer => ({ body: embedded(texts.map(near)) });
  let make = usual;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: string | readonly string[] };
      const texts = [input].flat();
      asked.push(...texts);
      const answer = make(texts);
      if (answer === "hang") return;
      response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    answers(other) {
      make = other ?? usual;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body that the protocol has for these vectors. */
export function embedded(vectors: readonly unknown[]): object {
  const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
  return { object: "list", data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}
