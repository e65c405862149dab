import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection that sends bytes exactly as written, which no HTTP client would. */
export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** Everything received so far. */
  text(): string;
  /** Resolves with everything received once the service has closed. */
  readonly closed: Promise<string>;
}

export async function openRaw(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  const text = () => Buffer.concat(chunks).toString();
  const closed = once(socket, "close").then(text);
  await once(socket, "connect");
  return { socket, text, closed, send: (bytes) => void socket.write(bytes) };
}

/** Sends one request as written; resolves with the response once the service has closed. */
export async function sendRaw(address: string, text: string): Promise<string> {
  const connection = await openRaw(address);
  connection.send(text);
  return connection.closed;
}

const QUIET_TIMEOUT_MS = 1_500;

/** Sends raw bytes; returns the response until the service closes or falls silent. */
export async function exchangeRaw(address: string, bytes: string | Uint8Array): Promise<string> {
  const { socket, send, closed } = await openRaw(address);
  socket.setTimeout(QUIET_TIMEOUT_MS, () => socket.destroy());
  send(bytes);
  return closed;
}

/** Returns the status codes of the responses, in order. */
export function parseStatuses(answer: string): readonly number[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}
