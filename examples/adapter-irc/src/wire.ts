import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { type Line, parseLine } from "./line.ts";

const LOOK_EVERY_MS = 30_000;
const DEAD_AFTER_MS = 100_000;
const MAX_WAITING = 16_384;

/** A connection to a server, in lines. */
export interface Wire {
  readonly isOpen: boolean;
  write(line: string): void;
  /** Ends it at once; without a reason it was wanted. */
  end(reason?: Error): void;
}

export interface WireEvents {
  /** Connected, and by TLS the server has shown who it is: nothing is written before. */
  opened(): void;
  /** What it throws ends the wire. */
  hear(line: Line): void;
  /** Comes regularly while the server can be heard. */
  look(): void;
  /** Once, whatever ended it. */
  ended(reason: Error): void;
}

export function openWire(
  { host, port, isSecure }: { readonly host: string; readonly port: number; readonly isSecure: boolean },
  { opened, hear, look, ended }: WireEvents,
): Wire {
  const socket: Socket = isSecure ? connectSecure({ host, port }) : connectPlain({ host, port });
  let rest = "";
  let heardAt = performance.now();
  let reason = new Error("the server closed the connection");
  const timer = setInterval(() => {
    if (performance.now() - heardAt > DEAD_AFTER_MS) socket.destroy(new Error("the server is silent"));
    wire.write("PING :still-there");
    look();
  }, LOOK_EVERY_MS);
  const take = (text: string) => {
    const line = parseLine(text);
    if (line?.command === "PING") wire.write(`PONG :${line.params.at(-1) ?? ""}`);
    else if (line?.command === "ERROR") reason = new Error(`the server says: ${line.params.at(-1)}`);
    else if (line) hear(line);
  };
  // Else a second line waits until the server has confirmed the first.
  socket.setNoDelay(true);
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    heardAt = performance.now();
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    try {
      if (rest.length > MAX_WAITING) throw new Error("the server sends no line ends: does it speak IRC?");
      for (const text of lines) take(text);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  socket.once(isSecure ? "secureConnect" : "connect", opened);
  socket.on("error", (error) => {
    reason = error;
  });
  socket.on("close", () => {
    clearInterval(timer);
    ended(reason);
  });
  const wire: Wire = {
    get isOpen() {
      return socket.writable && !socket.connecting;
    },
    write(line) {
      // A line end inside would be a command of whoever wrote it.
      if (socket.writable) socket.write(`${line.replaceAll(/[\r\n\0]+/g, " ")}\r\n`);
    },
    end(why) {
      if (!why && socket.writable) socket.write("QUIT\r\n");
      socket.destroy(why);
    },
  };
  return wire;
}
