import type { Duplex } from "node:stream";

const CLOSE_TIMEOUT_MS = 2_000;

/** Extra headers and body of the response to a rejected upgrade. */
export interface UpgradeReply {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Answers an upgrade with a status and closes the connection, even if the client keeps sending or reads nothing. */
export function rejectUpgrade(stream: Duplex, status: string, { headers = {}, body = "" }: UpgradeReply = {}): void {
  const late = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS).unref();
  stream.once("close", () => clearTimeout(late));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  // An upgraded connection is not read, so the client's end would go unnoticed.
  stream.end(`HTTP/1.1 ${status}\r\n${lines.join("")}Connection: close\r\n${length}\r\n${body}`, () =>
    stream.destroy(),
  );
}
