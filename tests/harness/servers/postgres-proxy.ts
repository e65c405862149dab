import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOCKET = ".s.PGSQL.5432";

/** A way to a PostgreSQL server that breaks where it is told to. */
export interface PostgresProxy extends AsyncDisposable {
  /** Where its socket lies. */
  readonly folder: string;
  /** Breaks at the next commit: before the server hears of it, or before its answer is heard. */
  breakAtCommit(when: "unheard" | "unanswered"): void;
  /** Whatever is asked from now on comes there so much later. */
  slow(ms: number): void;
  /** As a cable that is pulled: nothing comes through, and nobody is told. What it returns puts it back: what was said arrives. */
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
