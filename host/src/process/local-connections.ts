import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { LocalConnections, Logger, ProtocolStreams } from "@parley/core";

/** Maximum bytes of a socket path; some systems allow no more. */
const MAX_PATH_BYTES = 100;

/** Returns the path of the socket in the data folder; undefined when it is too long, and on Windows, which has no sockets in folders. */
function toSocketPath(data: string): string | undefined {
  const path = join(data, "local.sock");
  return process.platform === "win32" || Buffer.byteLength(path) > MAX_PATH_BYTES ? undefined : path;
}

/** Accepts connections of programs that may use the data folder: those of its owner. Opens with the first `serve`. */
export function createLocalConnections(data: string, log: Logger): LocalConnections & AsyncDisposable {
  let server: Promise<Server> | undefined;
  let current: ServeSocket | undefined;
  const open = async (path: string) => {
    const made = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", (error) => log.debug("a local program broke off", { error }));
      if (current) current(socket);
      else socket.destroy();
    });
    await listen(made, path);
    return made.unref();
  };
  return {
    async serve(serve) {
      const path = toSocketPath(data);
      if (path === undefined) return () => {};
      server ??= open(path);
      try {
        await server;
      } catch (error) {
        server = undefined;
        // Some mounts do not support sockets, and the service can work without one.
        log.warn("local programs cannot connect: no socket can be made in the data folder", { path, error });
        return () => {};
      }
      const sockets = new Set<Socket>();
      const own: ServeSocket = (socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
        serve({ input: socket, output: socket });
      };
      current = own;
      return () => {
        // A newer handler may already be active.
        if (current === own) current = undefined;
        for (const socket of sockets) socket.destroy();
      };
    },
    async [Symbol.asyncDispose]() {
      const opened = await server;
      if (!opened) return;
      opened.close();
      await once(opened, "close");
    },
  };
}

type ServeSocket = (socket: Socket) => void;

/** Listens on the socket, replacing one that a killed service left behind. */
async function listen(server: Server, path: string): Promise<void> {
  await rm(path, { force: true });
  server.listen(path);
  await once(server, "listening");
  await chmod(path, 0o600);
}

/** Connects to the service that runs on a data folder; undefined when none does, or one that is too old for it. */
export async function connectToService(data: string): Promise<ProtocolStreams | undefined> {
  const path = toSocketPath(data);
  if (path === undefined) return undefined;
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await once(socket, "connect");
    return { input: socket, output: socket };
  } catch (error) {
    if (["ENOENT", "ECONNREFUSED", "ENOTSOCK"].includes(String((error as NodeJS.ErrnoException).code)))
      return undefined;
    throw error;
  }
}
