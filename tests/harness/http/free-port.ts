import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Returns a port on 127.0.0.1 that was free just now. */
export async function findFreePort(port = 0): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, "close");
  return found;
}

/** Returns a port that is never assigned to outgoing connections, so that it stays free across restarts. */
export async function findStablePort(): Promise<number> {
  try {
    return await findFreePort(randomInt(10_000, 30_000));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return findStablePort();
  }
}
