import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOCKET = ".s.PGSQL.5432";

/** A way to a PostgreSQL server that breaks where it is told to. */
export interface PostgresWay extends AsyncDisposable {
  /** Where its socket lies. */
  readonly folder: string;
  /** Breaks at the next commit: before the server hears of it, or before its answer is heard. */
  breakAtCommit(when: "unheard" | "unanswered"): void;
  /** Whatever is asked from now on comes there so much later. */
  slow(ms: number): void;
  /** As a cable that is pulled: nothing comes through, and nobody is told. What it returns puts it back: what was said arrives. */
  cut(): () => void;
}

export async function openPostgresWay(server: string): Promise<PostgresWay> {
  const folder = mkdtempSync(join(tmpdir(), "parley-way-"));
  const sockets = new Set<Socket>();
  let when: "unheard" | "unanswered" | undefined;
  let lateMs = 0;
  let isCut = false;
  let whole = Promise.withResolvers<void>();
  const way = createServer(async (client) => {
    sockets.add(client);
    client.on("error", () => {});
    if (isCut) {
      client.pause();
      await whole.promise;
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
      if (when === "unheard" && bytes.includes("commit\0")) {
        when = undefined;
        end();
      } else if (lateMs > 0) setTimeout(() => upstream.write(bytes), lateMs);
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (when === "unanswered" && bytes.includes("COMMIT\0")) {
        when = undefined;
        end();
      } else client.write(bytes);
    });
  });
  way.listen(join(folder, SOCKET));
  await once(way, "listening");
  return {
    folder,
    breakAtCommit(where) {
      when = where;
    },
    slow(ms) {
      lateMs = ms;
    },
    cut() {
      isCut = true;
      whole = Promise.withResolvers();
      for (const one of sockets) one.pause();
      return () => {
        isCut = false;
        for (const one of sockets) one.resume();
        whole.resolve();
      };
    },
    async [Symbol.asyncDispose]() {
      for (const one of sockets) one.destroy();
      way.close();
      await once(way, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
