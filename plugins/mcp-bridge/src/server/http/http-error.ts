import type { ServerResponse } from "node:http";

/** An error that precedes the protocol: an HTTP status, with the reason as JSON-RPC. */
export class HttpError extends Error {
  override readonly name = "HttpRefusal";
  readonly status: number;
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: { code?: number; headers?: Record<string, string> } = {}) {
    super(message);
    this.status = status;
    this.code = options.code ?? -32_000;
    this.headers = options.headers ?? {};
  }
}

export function sendHttpError(response: ServerResponse, { status, code, message, headers }: HttpError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(body);
}
