import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { type PlatformServer, type Simulator, startPlatformServer } from "./platform-server.ts";

/** One event of a stream: its data, with its name where the protocol has one; a string is sent unchanged. */
export type RecordedEvent = string | { readonly event?: string; readonly data: unknown };

/** A recorded HTTP response. */
export interface RecordedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body: text and bytes unchanged, everything else as JSON. */
  readonly body?: unknown;
  /** Events sent one by one; the connection ends after the last. */
  readonly events?: readonly RecordedEvent[];
  /** End of a connection with `events`: dropped, left open and silent, or flooded with the last event. */
  readonly ends?: "drop" | "hang" | "flood";
}

export interface ReplayedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

export interface ReplayServer extends Simulator<ReplayedRequest> {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Responses to come; when the list is empty every request gets 500. */
  readonly answers: RecordedAnswer[];
}

/** Starts an HTTP server that returns the recorded responses, whatever the request. */
export async function startReplayServer(answers: RecordedAnswer[] = []): Promise<ReplayServer> {
  const server: PlatformServer<ReplayedRequest> = await startPlatformServer<ReplayedRequest>({
    options: {},
    async serve({ method, path, headers, raw, response }) {
      server.record({ method, path, headers, raw });
      await sendAnswer(
        answers.shift() ?? { status: 500, body: { error: { message: "nothing was recorded" } } },
        response,
      );
      return "leave" as const;
    },
  });
  return { ...server.simulator, address: `http://${server.authority}`, answers };
}

async function sendAnswer({ status = 200, headers, body, events, ends }: RecordedAnswer, response: ServerResponse) {
  if (!events) {
    const isPlain = typeof body === "string" || body instanceof Uint8Array;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(isPlain ? body : JSON.stringify(body ?? {}));
    return;
  }
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  for (const event of events) {
    response.write(formatEvent(event));
    // Each event is sent in its own packet, like providers do.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (ends === "hang") return;
  if (ends === "flood") return sendEndlessly(formatEvent(events.at(-1) ?? ""), response);
  if (ends === "drop") response.destroy();
  else response.end();
}

function formatEvent(event: RecordedEvent): string {
  if (typeof event === "string") return event;
  const name = event.event === undefined ? "" : `event: ${event.event}\n`;
  const data = typeof event.data === "string" ? event.data : JSON.stringify(event.data);
  return `${name}data: ${data}\n\n`;
}

async function sendEndlessly(text: string, response: ServerResponse): Promise<void> {
  const block = text.repeat(Math.max(1, Math.ceil(65_536 / Math.max(1, text.length))));
  const gone = new Promise((resolve) => response.once("close", resolve));
  while (!response.destroyed) {
    if (response.write(block)) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([new Promise((resolve) => response.once("drain", resolve)), gone]);
  }
}
