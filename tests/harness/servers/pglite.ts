import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

/** Messages that end a request: a query, or the sync after several statements. */
const END_OF_REQUEST = new Set(["Q", "S"].map((letter) => letter.charCodeAt(0)));
const TERMINATE = "X".charCodeAt(0);

/** PostgreSQL with pgvector inside this process, for one connection at a time. */
export interface PgliteServer extends AsyncDisposable {
  /** Folder of its socket. */
  readonly folder: string;
}

/** Starts PGlite, for machines whose PostgreSQL has no pgvector; clients connect as usual. */
export async function startPglite(): Promise<PgliteServer> {
  const folder = mkdtempSync(join(tmpdir(), "parley-lite-"));
  const database = await PGlite.create({ extensions: { vector } });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket, database).catch((error: Error) => socket.destroy(error));
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.listen(join(folder, ".s.PGSQL.5432"));
  await once(server, "listening");
  return {
    folder,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(socket: Socket, database: PGlite): Promise<void> {
  let waiting = Buffer.alloc(0);
  let isStarted = false;
  for await (const bytes of socket) {
    waiting = Buffer.concat([waiting, bytes]);
    for (let end = findRequestEnd(waiting, isStarted); end > 0; end = findRequestEnd(waiting, isStarted)) {
      const part = waiting.subarray(0, end);
      waiting = waiting.subarray(end);
      if (isStarted && part[0] === TERMINATE) return void socket.end();
      isStarted = true;
      socket.write(await database.execProtocolRaw(part));
    }
  }
}

/** Returns the end of the bytes of one request; 0 while it is incomplete. The first message has no type byte. */
function findRequestEnd(bytes: Buffer, isStarted: boolean): number {
  const letter = isStarted ? 1 : 0;
  for (let at = 0; at + letter + 4 <= bytes.length; ) {
    const kind = bytes[at] ?? 0;
    const next = at + letter + bytes.readUInt32BE(at + letter);
    if (next > bytes.length) return 0;
    if (!isStarted || END_OF_REQUEST.has(kind) || kind === TERMINATE) return next;
    at = next;
  }
  return 0;
}
