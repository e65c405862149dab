import { once } from "node:events";
import { connect } from "node:net";

const QUIET_MS = 1_500;

/** Bytes as written, which no HTTP client would send; what came back until the service closed or fell silent. */
export async function rawHttp(address: string, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  // A service that closes at once is an answer too.
  socket.on("error", () => {});
  socket.setTimeout(QUIET_MS, () => socket.destroy());
  socket.write(bytes);
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

/** The statuses of the answers in what came back, in order. */
export function statusesOf(answer: string): readonly number[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}
