import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOCKET = ".s.PGSQL.5432";

/** A proxy to a PostgreSQL server that can fail on demand. */
export interface PostgresProxy extends AsyncDisposable {
  /** Folder of its socket. */
  readonly folder: string;
  /** Breaks the connection at the next commit: before the server receives it, or before its response arrives. */
  breakAtCommit(when: "unheard" | "unanswered"): void;
  /** Delays requests by this time. */
  slow(ms: number): void;
  /** Simulates a pulled cable: nothing passes, and neither side is notified. The returned function restores it, and pending data arrives. */
  cut(): () => void;
}

export async function openPostgresProxy(server: string): Promise<PostgresProxy> {
  const folder = mkdtempSync(join(tmpdir(), "parley-way-"));
  const sockets = new Set<Socket>();
  let breakWhen: "unheard" | "unanswered" | undefined;
  let lateMs = 0;
  let isCut = false;
  let restored = Promise.withResolvers<void>();
  const proxy = createServer(async (client) => {
    sockets.add(client);
    client.on("error", () => {});
    if (isCut) {
      client.pause();
      await restored.promise;
    }
    const upstream = connect(join(server, SOCKET));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const one of [client, upstream]) {
      sockets.add(one);
      one.on("error", end).on("close", end);
      if (isCut) one.pause();
    }
    client.on("data", (bytes) => {
      if (breakWhen === "unheard" && bytes.includes("commit\0")) {
        breakWhen = undefined;
        end();
      } else if (lateMs > 0) setTimeout(() => upstream.write(bytes), lateMs);
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (breakWhen === "unanswered" && bytes.includes("COMMIT\0")) {
        breakWhen = undefined;
        end();
      } else client.write(bytes);
    });
  });
  proxy.listen(join(folder, SOCKET));
  await once(proxy, "listening");
  return {
    folder,
    breakAtCommit(where) {
      breakWhen = where;
    },
    slow(ms) {
      lateMs = ms;
    },
    cut() {
      isCut = true;
      restored = Promise.withResolvers();
      for (const one of sockets) one.pause();
      return () => {
        isCut = false;
        for (const one of sockets) one.resume();
        restored.resolve();
      };
    },
    async [Symbol.asyncDispose]() {
      for (const one of sockets) one.destroy();
      proxy.close();
      await once(proxy, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
