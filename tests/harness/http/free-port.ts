import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port on 127.0.0.1 that was free a moment ago. */
export async function findFreePort(port = 0): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, "close");
  return found;
}

/** One that no outgoing connection is given: who starts again and again finds it free each time. */
export async function findStablePort(): Promise<number> {
  try {
    return await findFreePort(randomInt(10_000, 30_000));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return findStablePort();
  }
}
