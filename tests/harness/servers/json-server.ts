import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type JsonAnswer = { readonly status?: number; readonly body: unknown } | "hang";

/** A provider over real HTTP that receives and returns JSON. A string body is sent unchanged; `hang` never answers. */
export interface JsonServer extends AsyncDisposable {
  readonly baseUrl: string;
}

export async function startJsonServer(
  answerTo: (body: unknown, path: string) => JsonAnswer | Promise<JsonAnswer>,
): Promise<JsonServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const answer = await answerTo(JSON.parse(Buffer.concat(chunks).toString()), request.url ?? "");
      if (answer === "hang") return;
      response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
