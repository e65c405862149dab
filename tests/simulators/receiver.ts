import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPost {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly raw: Buffer;
  /** What it was answered with; 0: nothing. */
  readonly status: number;
}

/** A program that is posted to: keeps everything, and answers with the statuses it is told, else 200. */
export interface Receiver extends AsyncDisposable {
  readonly address: string;
  readonly posts: readonly ReceivedPost[];
  /** Statuses of the next answers; 0 ends the connection instead. */
  readonly answers: { readonly status: number; readonly headers?: Readonly<Record<string, string>> }[];
  /** Resolves when so many posts were received. */
  received(count: number): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const answers: Receiver["answers"] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const { status = 200, headers = {} } = answers.shift() ?? {};
      posts.push({ headers: request.headers, body: JSON.parse(raw.toString("utf8")), raw, status });
      for (const look of waiting) look();
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { "content-type": "application/json", ...headers }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts,
    answers,
    received: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (posts.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
