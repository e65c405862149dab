import { fstatSync } from "node:fs";
import { Writable } from "node:stream";
import type { ProtocolStreams } from "@parley/core";

/**
 * Reserves stdin and stdout for a protocol; other output goes to stderr from now on. Undefined when stdin is no pipe
 * (a terminal, /dev/null) and the service has other endpoints.
 */
export function takeStandardIo(isOnly: boolean): ProtocolStreams | undefined {
  if (!isOnly && !isPiped()) return undefined;
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // A client that stops reading is gone; the service continues if it has other endpoints.
  process.stdout.on("error", () => process.stdin.destroy());
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error ?? undefined)),
  });
  output.on("error", () => {}); // The writer receives the error, and stdout reports it too.
  return { input: process.stdin, output };
}

function isPiped(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isSocket();
}
